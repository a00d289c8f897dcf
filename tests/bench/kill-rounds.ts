import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { annexB, splitPictures } from '../../bridge/h264/annex-b.ts'
import { renditionFile, type SceneLibrary } from '../../bridge/virtual/scene-library.ts'
import { openBridgeStage, type BridgeStage } from './bridge-stage.ts'
import { openProviderProcess, type ProviderProcess } from './provider-process.ts'

/** Header of a journal and its first pictures: with less nothing was recorded yet. */
const JOURNAL_MIN_BYTES = 2000
const VICTIMS = ['bridge', 'provider', 'both'] as const
/** When a round kills: at any time, while a journal is written, or right when a clip has come into the queue. */
const MOMENTS = ['any', 'recording', 'delivering'] as const

export interface KillOutcome {
  readonly rounds: number
  readonly holds: boolean
  readonly sentence: string
}

interface Ground {
  readonly stage: BridgeStage
  readonly provider: ProviderProcess
  /** Event ids that the bridge had made durable. */
  readonly durable: Set<string>
}

/** Kills `rounds` times, then lets everything come to rest and compares. `until`: performance.now() at which it stops early. */
export async function killRounds(rounds: number, until = Infinity): Promise<KillOutcome> {
  let provider: ProviderProcess | undefined
  const stage = await openBridgeStage({
    cameras: 2,
    reel: shortReel,
    provider: async (root, data) => (provider = await openProviderProcess(root, data)),
  })
  if (!provider) throw new Error('The stage has no provider.')
  const ground: Ground = { stage, provider, durable: new Set() }
  const tally = { bridge: 0, provider: 0, both: 0, recording: 0, waiting: 0 }
  let bridge = stage.startBridge()
  let up = Promise.resolve()
  let round = 0
  for (; round < rounds && performance.now() < until; round++) {
    const victim = VICTIMS[Math.floor(Math.random() * VICTIMS.length)] ?? 'both'
    if (victim !== 'bridge') await up
    await moment(ground)
    if (victim !== 'provider') await killChild(bridge)
    if (victim !== 'bridge') up = restart(provider)
    const { journals, entries } = onDisk(stage.data)
    tally[victim]++
    if (journals.length > 0) tally.recording++
    if (entries.length > 0) tally.waiting++
    for (const id of entries) ground.durable.add(id)
    if (victim === 'provider') continue
    for (const id of journals) ground.durable.add(id)
    bridge = stage.startBridge()
  }
  await up
  const settled = await settle(ground, bridge)
  const verdict = await judge(ground, settled)
  await stage.close()
  const kills = `${round} kills (${tally.bridge} of the bridge, ${tally.provider} of the provider, ${tally.both} of both; ${tally.recording} while a journal was open, ${tally.waiting} while clips waited)`
  return { rounds: round, holds: verdict.holds, sentence: `${kills}: ${verdict.sentence}` }
}

async function killChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}

async function restart(provider: ProviderProcess): Promise<void> {
  await provider.kill()
  await provider.start()
}

/** Resolves when the next kill is due. */
async function moment({ stage }: Ground): Promise<void> {
  const kind = MOMENTS[Math.floor(Math.random() * MOMENTS.length)]
  if (kind === 'any') return void (await sleep(500 + Math.random() * 9000))
  const before = new Set(onDisk(stage.data).entries)
  const due = () => {
    const { journals, entries } = onDisk(stage.data)
    return kind === 'recording' ? journals.length > 0 : entries.some((id) => !before.has(id))
  }
  for (const end = performance.now() + 15_000; performance.now() < end && !due();) await sleep(3)
  await sleep(Math.random() * (kind === 'recording' ? 6000 : 150))
}

function onDisk(data: string): { journals: string[]; entries: string[]; refused: string[] } {
  const folder = join(data, 'queue')
  const ids = (path: string, end: string) => {
    try {
      return readdirSync(path).flatMap((name) => (name.endsWith(end) ? name.slice(0, -end.length) : []))
    } catch {
      return []
    }
  }
  const begun = (id: string) =>
    (statSync(join(folder, 'recording', `${id}.part`), { throwIfNoEntry: false })?.size ?? 0) > JOURNAL_MIN_BYTES
  return {
    journals: ids(join(folder, 'recording'), '.part').filter(begun),
    entries: ids(folder, '.json'),
    refused: ids(join(folder, 'refused'), '.json'),
  }
}

/** The cameras are gone, the bridge finishes what there is; false when it does not within two minutes. */
async function settle({ stage }: Ground, bridge: ChildProcess): Promise<boolean> {
  await killChild(bridge)
  for (const camera of stage.cameras) await camera.close()
  const last = stage.startBridge()
  const open = () => {
    const { journals, entries } = onDisk(stage.data)
    return journals.length + entries.length
  }
  const end = performance.now() + 120_000
  while (open() > 0 && performance.now() < end) await sleep(200)
  // What left the queue last is said a moment later.
  await sleep(1000)
  last.kill('SIGTERM')
  await once(last, 'exit')
  return open() === 0
}

async function judge({ stage, durable }: Ground, settled: boolean): Promise<{ holds: boolean; sentence: string }> {
  const said = stage.lines.flatMap((line) => /Recorded ".*" \((.+)\)\.$/.exec(line)?.[1] ?? [])
  const acknowledged = new Set([...said, ...durable])
  const listed = (await stage.events()).map((event) => event.event_id)
  const lost = [...acknowledged].filter((id) => !listed.includes(id))
  const broken = (await stage.unplayable()).filter((id) => acknowledged.has(id))
  const twice = listed.length - new Set(listed).size
  const { refused } = onDisk(stage.data)
  const bad = lost.length + broken.length + twice + refused.length
  for (const id of [...lost, ...broken, ...refused]) {
    console.log([id, ...stage.lines.filter((line) => line.includes(id))].join('\n  '))
  }
  return {
    holds: settled && acknowledged.size > 0 && bad === 0,
    sentence:
      `${acknowledged.size} events acknowledged, ${lost.length} lost, ${twice} listed twice, ${broken.length} without a playable clip, ` +
      `${refused.length} put aside${settled ? '' : '; the queue was not empty after two minutes'}`,
  }
}

/** Three seconds of motion, seven of quiet, so that an event ends every ten seconds; each camera begins elsewhere. */
async function shortReel(index: number, library: SceneLibrary): Promise<Buffer> {
  const { fps } = library.manifest
  const scenes = Object.values(library.manifest.scenes)
  const { quiet, actions } = (scenes[index % scenes.length] as (typeof scenes)[number]).lights.day
  const action = actions[0]
  if (!action) throw new RangeError('the scene has no action')
  const cut = async (files: Readonly<Record<string, string>>, from: number, to: number) =>
    splitPictures(await library.read(renditionFile(files, '360'))).slice(from * fps, to * fps)
  const from = Math.floor(action.from) + 3
  const pictures = [
    ...(await cut(quiet.files, 0, 1 + index * 2)),
    ...(await cut(action.files, from, from + 3)),
    ...(await cut(quiet.files, 0, 7)),
  ]
  return Buffer.concat(pictures.map((picture) => annexB(picture.nals)))
}

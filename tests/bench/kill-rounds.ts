import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { openBridgeStage, type BridgeStage } from './bridge-stage.ts'
import { openProviderProcess, type ProviderProcess } from './provider-process.ts'
import { judge, onDisk, shortReel, untilKill } from './recordings.ts'

const VICTIMS = ['bridge', 'provider', 'both'] as const

export interface KillOutcome {
  readonly rounds: number
  readonly holds: boolean
  readonly sentence: string
}

interface Ground {
  readonly stage: BridgeStage
  readonly provider: ProviderProcess
  /** Ids of events that the bridge had on disk (in its journal or queue) at a kill. */
  readonly durable: Set<string>
}

/**
 * Kills the bridge, the provider or both `rounds` times, waits until the bridge has finished its work, and checks that
 * no event is lost. Stops early when performance.now() reaches `until`.
 */
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
    await untilKill(stage.data)
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
  const { data, lines } = stage
  const events = (await stage.events()).map((event) => event.event_id)
  const verdict = judge({ data, lines, durable: ground.durable, events, broken: await stage.unplayable(), settled })
  await stage.close()
  const kills = `${round} kills (${tally.bridge} of the bridge, ${tally.provider} of the provider, ${tally.both} of both; ${tally.recording} while a journal was open, ${tally.waiting} while clips waited)`
  return { rounds: round, holds: verdict.holds, sentence: `${kills}: ${verdict.sentence}` }
}

async function killChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
}

async function restart(provider: ProviderProcess): Promise<void> {
  await provider.kill()
  await provider.start()
}

/** Closes the cameras and lets the bridge finish its recordings. Returns false if it needs more than two minutes. */
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
  // The bridge logs the last delivery shortly after it left the queue.
  await sleep(1000)
  last.kill('SIGTERM')
  await once(last, 'exit')
  return open() === 0
}

import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { annexB, splitPictures } from '../../bridge/media/h264/annex-b.ts'
import { renditionFile, type SceneLibrary } from '../../bridge/virtual/scene-library.ts'

/** Size of a journal with its header and first frames, bytes: in a smaller one nothing is recorded yet. */
const JOURNAL_MIN_BYTES = 2000
/** Moments of a kill: at any time, while a journal is written, or right after a clip has entered the queue. */
const MOMENTS = ['any', 'recording', 'delivering'] as const

/** Resolves when the next kill is due. `data`: data folder of the bridge. */
export async function untilKill(data: string): Promise<void> {
  const kind = MOMENTS[Math.floor(Math.random() * MOMENTS.length)]
  if (kind === 'any') return void (await sleep(500 + Math.random() * 9000))
  const before = new Set(onDisk(data).entries)
  const due = () => {
    const { journals, entries } = onDisk(data)
    return kind === 'recording' ? journals.length > 0 : entries.some((id) => !before.has(id))
  }
  for (const end = performance.now() + 15_000; performance.now() < end && !due();) await sleep(3)
  await sleep(Math.random() * (kind === 'recording' ? 6000 : 150))
}

/**
 * Returns the ids of the recordings on disk: in progress (`journals`, without those that hold only the first frames),
 * in the queue (`entries`) and rejected (`refused`).
 */
export function onDisk(data: string): { journals: string[]; entries: string[]; refused: string[] } {
  const folder = join(data, 'queue')
  const ids = (path: string, end: string) => {
    try {
      return readdirSync(path).flatMap((name) => (name.endsWith(end) ? name.slice(0, -end.length) : []))
    } catch {
      return []
    }
  }
  const hasJournal = (id: string) =>
    (statSync(join(folder, 'recording', `${id}.part`), { throwIfNoEntry: false })?.size ?? 0) > JOURNAL_MIN_BYTES
  return {
    journals: ids(join(folder, 'recording'), '.part').filter(hasJournal),
    entries: ids(folder, '.json'),
    refused: ids(join(folder, 'refused'), '.json'),
  }
}

/**
 * Returns a stream of quiet, three seconds of motion and seven seconds of quiet, so that events end often. The first
 * quiet part is longer for each further camera, so that the cameras do not record at the same times.
 */
export async function shortReel(index: number, library: SceneLibrary): Promise<Buffer> {
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

interface Rest {
  readonly data: string
  /** Log lines of all runs of the bridge. */
  readonly lines: readonly string[]
  /** Ids of the events on disk at a kill. */
  readonly durable: ReadonlySet<string>
  readonly events: readonly string[]
  /** Ids whose clip does not play. */
  readonly broken: readonly string[]
  /** True if the queue is empty. */
  readonly settled: boolean
}

/** Checks that every event that was on disk at a kill or logged as recorded is listed once with a clip that plays. */
export function judge({ data, lines, durable, events, broken, settled }: Rest): { holds: boolean; sentence: string } {
  const recordedIds = lines.flatMap((line) => /Recorded ".*" \((.+)\)\.$/.exec(line)?.[1] ?? [])
  const acknowledged = new Set([...recordedIds, ...durable])
  const listed = new Set(events)
  const lost = [...acknowledged].filter((id) => !listed.has(id))
  const without = broken.filter((id) => acknowledged.has(id))
  const twice = events.length - listed.size
  const { refused: rejected } = onDisk(data)
  for (const id of [...lost, ...without, ...rejected])
    console.log([id, ...lines.filter((line) => line.includes(id))].join('\n  '))
  const bad = lost.length + without.length + twice + rejected.length
  return {
    holds: settled && acknowledged.size > 0 && bad === 0,
    sentence:
      `${acknowledged.size} events acknowledged, ${lost.length} lost, ${twice} listed twice, ${without.length} without a playable clip, ` +
      `${rejected.length} put aside${settled ? '' : '; the queue was not empty after two minutes'}`,
  }
}

import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { toAnnexB, splitFrames } from '../../bridge/media/h264/annex-b.ts'
import { getRenditionFile, type SceneLibrary } from '../../bridge/virtual/scene-library.ts'

/** Minimum size of a journal with a recording, bytes. A smaller journal holds only the header and the first frames. */
const MIN_JOURNAL_BYTES = 2000
/** Moments of a kill: any time, while the bridge writes a journal, or right after a clip enters the queue. */
const KILL_MOMENTS = ['any', 'recording', 'delivering'] as const

/** Waits until a random moment of one of the `KILL_MOMENTS`. `data`: data folder of the bridge. */
export async function waitForKillMoment(dataFolder: string): Promise<void> {
  const kind = KILL_MOMENTS[Math.floor(Math.random() * KILL_MOMENTS.length)]
  if (kind === 'any') return void (await sleep(500 + Math.random() * 9000))
  const before = new Set(listDiskRecordings(dataFolder).entries)
  const isDue = () => {
    const { journals, entries } = listDiskRecordings(dataFolder)
    return kind === 'recording' ? journals.length > 0 : entries.some((id) => !before.has(id))
  }
  for (const end = performance.now() + 15_000; performance.now() < end && !isDue();) await sleep(3)
  await sleep(Math.random() * (kind === 'recording' ? 6000 : 150))
}

/**
 * Returns the ids of the recordings on disk: in progress (`journals`), in the upload queue (`entries`) and rejected
 * (`refused`). Ignores journals that hold only the first frames.
 */
export function listDiskRecordings(dataFolder: string): { journals: string[]; entries: string[]; refused: string[] } {
  const folder = join(dataFolder, 'queue')
  const listIds = (path: string, suffix: string) => {
    try {
      return readdirSync(path).flatMap((name) => (name.endsWith(suffix) ? name.slice(0, -suffix.length) : []))
    } catch {
      return []
    }
  }
  const hasJournal = (id: string) =>
    (statSync(join(folder, 'recording', `${id}.part`), { throwIfNoEntry: false })?.size ?? 0) > MIN_JOURNAL_BYTES
  return {
    journals: listIds(join(folder, 'recording'), '.part').filter(hasJournal),
    entries: listIds(folder, '.json'),
    refused: listIds(join(folder, 'refused'), '.json'),
  }
}

/**
 * Returns a short stream with three seconds of motion and seven of quiet, so that events end often. Starts with one
 * second of quiet, plus two seconds per `index`, so that the cameras record at different times.
 */
export async function buildShortStream(index: number, library: SceneLibrary): Promise<Buffer> {
  const { fps } = library.manifest
  const scenes = Object.values(library.manifest.scenes)
  const { quiet, actions } = (scenes[index % scenes.length] as (typeof scenes)[number]).lights.day
  const action = actions[0]
  if (!action) throw new RangeError('The scene has no action.')
  const cutFrames = async (files: Readonly<Record<string, string>>, from: number, to: number) =>
    splitFrames(await library.readSceneFile(getRenditionFile(files, '360'))).slice(from * fps, to * fps)
  const from = Math.floor(action.from) + 3
  const accessUnits = [
    ...(await cutFrames(quiet.files, 0, 1 + index * 2)),
    ...(await cutFrames(action.files, from, from + 3)),
    ...(await cutFrames(quiet.files, 0, 7)),
  ]
  return Buffer.concat(accessUnits.map((picture) => toAnnexB(picture.nals)))
}

interface CrashTestState {
  readonly dataFolder: string
  /** Log lines of all runs of the bridge. */
  readonly lines: readonly string[]
  /** Ids of events that were on disk at a kill. */
  readonly durableIds: ReadonlySet<string>
  readonly listedIds: readonly string[]
  /** Ids of events whose clip does not play. */
  readonly unplayableIds: readonly string[]
  /** True if no journal and no queue entry is left. */
  readonly isQueueEmpty: boolean
}

/**
 * Checks the events that were on disk at a kill, or that the bridge logged as recorded. Each must be listed once with a
 * clip that plays. No recording may be rejected or still wait for its upload.
 */
export function checkRecordings({
  dataFolder,
  lines,
  durableIds,
  listedIds,
  unplayableIds,
  isQueueEmpty,
}: CrashTestState): {
  holds: boolean
  sentence: string
} {
  const recordedIds = lines.flatMap((line) => /Recorded ".*" \((.+)\)\.$/.exec(line)?.[1] ?? [])
  const acknowledged = new Set([...recordedIds, ...durableIds])
  const listed = new Set(listedIds)
  const lost = [...acknowledged].filter((id) => !listed.has(id))
  const unplayable = unplayableIds.filter((id) => acknowledged.has(id))
  const duplicateCount = listedIds.length - listed.size
  const { refused: rejected } = listDiskRecordings(dataFolder)
  for (const id of [...lost, ...unplayable, ...rejected])
    console.log([id, ...lines.filter((line) => line.includes(id))].join('\n  '))
  const failureCount = lost.length + unplayable.length + duplicateCount + rejected.length
  return {
    holds: isQueueEmpty && acknowledged.size > 0 && failureCount === 0,
    sentence:
      `${acknowledged.size} events acknowledged, ${lost.length} lost, ${duplicateCount} listed twice, ${unplayable.length} without a playable clip, ` +
      `${rejected.length} put aside${isQueueEmpty ? '' : '; the queue was not empty after two minutes'}`,
  }
}

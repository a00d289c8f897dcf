import { join } from 'node:path'
import type { AccessUnit } from '../media/h264/annex-b.ts'
import { isDiskFullError, describeWriteError } from './disk-limits.ts'
import { removeDurably, writeFileDurably } from '../runtime/durable-files.ts'
import { encodeJpeg } from '../media/jpeg-encoder.ts'
import { reportInternalError } from '../runtime/internal-errors.ts'
import { warn } from '../runtime/log.ts'
import { muxWithTimes } from '../media/mp4/muxer.ts'
import type { Episode } from '../motion/motion-episodes.ts'
import type { RecordingQueue } from './recording-queue.ts'
import { readJournal } from './journal.ts'
import { createMotionEvent, type RecordedClip } from './recorded-clip.ts'

export const POST_ROLL_MS = 2000

/**
 * Turns a journal into clip, thumbnail and queue entry, then removes the journal. Idempotent. `episode`: undefined
 * after a crash; motion then spans all frames. Returns false if the journal is unusable. Throws RangeError if the
 * journal does not start with a valid keyframe.
 */
export async function finishRecording(queue: RecordingQueue, path: string, episode?: Episode): Promise<boolean> {
  const journal = await readJournal(path)
  const event = journal && createMotionEvent(journal.head.device_id, journal.head.begin)
  const last = journal?.units.at(-1)
  const done = event !== undefined && (await queue.has(event.event_id))
  if (done || !event || !last) {
    await removeDurably(path)
    return done
  }
  const end = episode?.end ?? last.pts
  const units = journal.units.filter((unit) => unit.pts <= end + POST_ROLL_MS)
  const clip = await writeClip(queue.getFilePath(event.event_id, 'mp4'), units)
  const thumb = await writeThumb(
    queue.getFilePath(event.event_id, 'jpg'),
    units,
    episode?.best ?? event.event_ts + 1000,
  )
  await queue.add(event.event_id, { kind: 'clip', event, clip, thumb })
  // Ignore a failure: the recording is safe in the queue. From a remaining journal, the next start recreates the same
  // event.
  await removeDurably(path).catch((error: unknown) =>
    reportInternalError('journal', "A recording's journal couldn't be deleted", error),
  )
  return true
}

async function writeClip(path: string, units: readonly AccessUnit[]): Promise<RecordedClip['clip']> {
  const { parts, duration } = muxWithTimes(units)
  await writeFileDurably(path, parts)
  const begin = Math.round(units[0]?.pts ?? 0)
  return { begin, end: begin + Math.round(duration) }
}

/** Writes the frame at time `best` as thumbnail. Throws if the disk is full; returns false after any other error. */
async function writeThumb(path: string, units: readonly AccessUnit[], best: number): Promise<boolean> {
  const frameIndex = Math.max(
    0,
    units.findLastIndex((unit) => unit.pts <= best),
  )
  const key = units.slice(0, frameIndex + 1).findLastIndex((unit) => unit.keyframe)
  try {
    await writeFileDurably(path, await encodeJpeg(units.slice(key, frameIndex + 1)))
    return true
  } catch (error) {
    if (isDiskFullError(error)) throw error
    reportInternalError('thumbnail', "An event's thumbnail couldn't be created", error)
    return false
  }
}

/**
 * Creates events from recordings that a crash interrupted. If the disk is full, these recordings wait until there is
 * room.
 */
export async function finishInterrupted(queue: RecordingQueue): Promise<void> {
  for (const name of await queue.listInterrupted()) {
    const path = join(queue.recordingFolder, name)
    try {
      await finishRecording(queue, path)
    } catch (error) {
      if (!isDiskFullError(error)) {
        await reportUnfinished(path, error)
        continue
      }
      warn('The disk is full. An interrupted recording will become an event once there is space.')
      void queue.diskSpace
        .runWithDiskSpace(() => finishRecording(queue, path))
        .catch((later) => reportUnfinished(path, later))
    }
  }
}

async function reportUnfinished(path: string, error: unknown): Promise<void> {
  warn(`An interrupted recording couldn't be finished: ${describeWriteError(error)}`)
  // A RangeError means that the recording does not start with a valid keyframe, so no clip can be made from it.
  if (error instanceof RangeError) await removeDurably(path)
}

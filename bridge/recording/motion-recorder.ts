import { join } from 'node:path'
import type { CameraSettings, MotionTrial } from '../../contract/cameras/camera-settings.ts'
import { isFull, describeWriteError } from './disk-limits.ts'
import { removeDurably } from '../runtime/durable-files.ts'
import { nalType, NAL, type AccessUnit } from '../media/h264/annex-b.ts'
import { warn } from '../runtime/log.ts'
import { Episodes, type Episode, type Rate, type Sample } from '../motion/motion-episodes.ts'
import type { MotionSample } from '../motion/sensitivity-filter.ts'
import { MotionTrace } from '../motion/motion-trace.ts'
import { WatchLog } from '../motion/detection-coverage-log.ts'
import type { DetectionCoverage } from '../cameras/managed-camera.ts'
import type { RecordingQueue } from './recording-queue.ts'
import { finishRecording, POST_ROLL_MS } from './finish-recording.ts'
import { Journal } from './journal.ts'
import { toEventId, motionEvent } from './recorded-clip.ts'
import { Recording } from './active-recording.ts'
import { PictureRing, PRE_ROLL_MS } from './pre-roll-buffer.ts'

/** A clip is cut here; what goes on is the next event. */
const CLIP_BYTES_MAX = 24 * 1024 * 1024
/** Pictures that are looked at further apart than this, ms, have nothing watched between them. */
const GAP_MS = 5000
/** The last picture of a clip is shown for less than this, ms. */
const PICTURE_MS = 1000
/** What lies back further than this, ms, is vouched for also where a camera has no keyframe since. */
const SETTLED_MS = 60_000

export interface MotionRecorderOptions {
  readonly deviceId: string
  readonly name: string
  readonly queue: RecordingQueue
}

/** Keeps the last seconds of a real camera and makes an event with a clip of each motion. */
export class MotionRecorder {
  private readonly options: MotionRecorderOptions
  private readonly ring = new PictureRing()
  private readonly episodes: Episodes
  private readonly trace = new MotionTrace()
  private readonly watched = new WatchLog(GAP_MS)
  /** What is not in the queue yet: by when its motion began, from its first picture to its last motion (undefined: it goes on). */
  private readonly unfinished = new Map<number, { readonly from: number; to: number | undefined }>()
  private lastLook = 0
  /** Motion that begins now has begun after it. */
  private lastQuiet = 0
  /** The present event; undefined: nothing moves. */
  private recording: Recording | undefined
  private readonly parameters = new Map<number, Buffer>()
  /** Events that are being finished. */
  private finishing: Promise<void> = Promise.resolve()

  constructor(options: MotionRecorderOptions) {
    this.options = options
    this.episodes = new Episodes({ began: (at) => this.began(at), ended: (episode) => this.ended(episode) })
  }

  picture(unit: AccessUnit): void {
    if (unit.keyframe) this.compareParameters(unit)
    this.ring.push(unit)
    this.recording?.add(unit)
    if ((this.recording?.bytes ?? 0) > CLIP_BYTES_MAX) this.close()
  }

  /** `look`: what the sample was made of; without it the sample cannot be tried with other settings. */
  sample(sample: Sample, rate?: Rate, look?: MotionSample): void {
    if (look) this.trace.push(look, rate)
    this.lastLook = sample.at
    if (!sample.moving) this.lastQuiet = sample.at
    this.watched.record(sample.at)
    this.episodes.push(sample, rate)
  }

  /** What other settings would have made of the hour before `now`, ms UTC. */
  try(settings: CameraSettings, now: number): Promise<MotionTrial> {
    return this.trace.try(settings, now)
  }

  /** Its owner wants no events of motion at `now`, ms UTC. */
  motionOff(now: number): void {
    this.watched.record(now, 'motion_off')
  }

  /** Nobody looks any more: the camera is switched off. */
  endWatch(): void {
    this.watched.end()
  }

  /** What was watched up to `now`, ms UTC; of the last seconds motion that begins next may still make a clip. */
  watching(now: number): DetectionCoverage {
    const first = this.ring.from(this.lastQuiet - PRE_ROLL_MS)[0]?.pts
    const settled = first && Math.max(first, this.lastLook - SETTLED_MS)
    const waiting = [...this.unfinished.values()].map(({ from, to = now }): [number, number] => [
      Math.round(from),
      Math.round(Math.max(from, to)),
    ])
    return { spans: this.watched.listSpans(settled), waiting }
  }

  /** The camera is gone or switched off: what it has shown becomes an event; its next pictures are another stream. */
  interrupt(): void {
    this.close()
    this.ring.clear()
  }

  private close(): void {
    this.episodes.close()
    this.trace.interrupt()
  }

  /** Resolves when all that has ended lies in the queue. */
  idle(): Promise<void> {
    return this.finishing
  }

  /** A clip has one kind of picture: when the camera changes it, the clip ends before this one. */
  private compareParameters(unit: AccessUnit): void {
    let changed = false
    for (const type of [NAL.sps, NAL.pps]) {
      const sets = Buffer.concat(unit.nals.filter((nal) => nalType(nal) === type))
      if (sets.length === 0) continue
      changed ||= this.parameters.get(type)?.equals(sets) === false
      this.parameters.set(type, sets)
    }
    if (changed) this.interrupt()
  }

  private began(at: number): void {
    this.trace.began(at, toEventId(this.options.deviceId, at))
    const pictures = this.ring.from(at - PRE_ROLL_MS)
    this.unfinished.set(at, { from: pictures[0]?.pts ?? at, to: undefined })
    this.recording = new Recording(pictures, this.open(Math.round(at)))
    // Without room for it no recording will come.
    void this.recording.ready.then((journal) => journal ?? this.unfinished.delete(at))
  }

  private async open(begin: number): Promise<Journal | undefined> {
    const { deviceId, queue } = this.options
    const event_id = toEventId(deviceId, begin)
    try {
      const full = await queue.makeRoom()
      if (full) throw new Error(full)
      const path = join(queue.recordingFolder, `${event_id}.part`)
      return await Journal.open(path, { event_id, device_id: deviceId, begin })
    } catch (error) {
      this.complain(error)
      return undefined
    }
  }

  private ended(episode: Episode): void {
    const { recording } = this
    this.trace.ended(episode)
    this.recording = undefined
    if (!recording) return
    const unfinished = this.unfinished.get(episode.begin)
    if (unfinished) unfinished.to = episode.end + POST_ROLL_MS + PICTURE_MS
    const done = recording.ready.then((journal) => this.finish(journal, episode))
    this.finishing = Promise.allSettled([this.finishing, done]).then(() => undefined)
  }

  private async finish(journal: Journal | undefined, episode: Episode): Promise<void> {
    const { deviceId, queue, name } = this.options
    try {
      if (!journal || !(await this.finishClip(journal, episode))) {
        const event = motionEvent(deviceId, episode.begin)
        await queue.room.whenRoom(() => queue.add(event.event_id, { kind: 'clip', event, clip: null, thumb: false }))
      }
    } catch (error) {
      // What a full disk has kept from being finished is finished by the next start.
      if (journal && isFull(error)) return warn(`A clip of ${name} waits for room.`)
      warn(`An event of ${name} is lost: ${describeWriteError(error)}`)
    }
    this.unfinished.delete(episode.begin)
  }

  /** False: nothing of it can be shown. Throws only when the disk is full until the bridge is stopped. */
  private async finishClip(journal: Journal, episode: Episode): Promise<boolean> {
    const { queue } = this.options
    // What came onto the disk before the failure is still a clip.
    await journal.close().catch((error: unknown) => this.complain(error))
    try {
      return await queue.room.whenRoom(() => finishRecording(queue, journal.path, episode))
    } catch (error) {
      if (isFull(error)) throw error
      this.complain(error)
      await removeDurably(journal.path).catch(() => undefined)
      return false
    }
  }

  private complain(error: unknown): void {
    if (isFull(error)) this.options.queue.room.lacking()
    warn(`${this.options.name} has motion, but its clip cannot be recorded: ${describeWriteError(error)}`)
  }
}

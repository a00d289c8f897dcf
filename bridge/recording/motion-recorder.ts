import { join } from 'node:path'
import type { CameraSettings, MotionTrial } from '../../contract/cameras/camera-settings.ts'
import { isFull, describeWriteError } from './disk-limits.ts'
import { removeDurably } from '../runtime/durable-files.ts'
import { nalType, NAL, type AccessUnit } from '../media/h264/annex-b.ts'
import { warn } from '../runtime/log.ts'
import { Episodes, type Episode, type Rate, type EpisodeSample } from '../motion/motion-episodes.ts'
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

/** Maximum clip size; continued motion becomes the next event. */
const CLIP_BYTES_MAX = 24 * 1024 * 1024
/** Maximum time between two analyzed frames, ms; a longer time leaves a coverage gap. */
const GAP_MS = 5000
/** Upper limit for the duration of a clip's last frame, ms. */
const PICTURE_MS = 1000
/** Coverage older than this, ms, is final even if the camera has sent no keyframe since. */
const SETTLED_MS = 60_000

export interface MotionRecorderOptions {
  readonly deviceId: string
  readonly name: string
  readonly queue: RecordingQueue
}

/** Buffers the last seconds of a real camera and records an event with a clip for each motion. */
export class MotionRecorder {
  private readonly options: MotionRecorderOptions
  private readonly ring = new PictureRing()
  private readonly episodes: Episodes
  private readonly trace = new MotionTrace()
  private readonly watched = new WatchLog(GAP_MS)
  /**
   * Recordings that are not in the queue yet, by start of motion. `from`: time of the first frame; `to`: time of the
   * last motion, undefined while in progress.
   */
  private readonly unfinished = new Map<number, { readonly from: number; to: number | undefined }>()
  private lastLook = 0
  /** Time of the last sample without motion: new motion starts after it. */
  private lastQuiet = 0
  private recording: Recording | undefined
  private readonly parameters = new Map<number, Buffer>()
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

  /**
   * Handles the motion result of one frame. `look`: motion sample behind the result; without it, motion previews cannot
   * include this frame.
   */
  sample(sample: EpisodeSample, rate?: Rate, look?: MotionSample): void {
    if (look) this.trace.push(look, rate)
    this.lastLook = sample.at
    if (!sample.moving) this.lastQuiet = sample.at
    this.watched.record(sample.at)
    this.episodes.push(sample, rate)
  }

  /** Previews other settings on the hour before `now`, ms UTC. */
  try(settings: CameraSettings, now: number): Promise<MotionTrial> {
    return this.trace.try(settings, now)
  }

  /** Records that motion detection is off at `now`, ms UTC. */
  motionOff(now: number): void {
    this.watched.record(now, 'motion_off')
  }

  endWatch(): void {
    this.watched.end()
  }

  /**
   * Returns the coverage up to `now`, ms UTC. The last seconds are not final: the pre-roll of the next motion may still
   * cover them.
   */
  watching(now: number): DetectionCoverage {
    const first = this.ring.from(this.lastQuiet - PRE_ROLL_MS)[0]?.pts
    const settled = first && Math.max(first, this.lastLook - SETTLED_MS)
    const waiting = [...this.unfinished.values()].map(({ from, to = now }): [number, number] => [
      Math.round(from),
      Math.round(Math.max(from, to)),
    ])
    return { spans: this.watched.listSpans(settled), waiting }
  }

  /** Ends the current event, because the camera is gone or switched off: later frames belong to a new stream. */
  interrupt(): void {
    this.close()
    this.ring.clear()
  }

  private close(): void {
    this.episodes.close()
    this.trace.interrupt()
  }

  idle(): Promise<void> {
    return this.finishing
  }

  /** Ends the current clip before a frame with other parameter sets, because a clip has only one set of them. */
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
    // Without room for a journal there is no recording, so none is unfinished.
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
      // If the disk was full, the journal stays, and the bridge finishes this recording after its next start.
      if (journal && isFull(error)) return warn(`A clip of ${name} waits for room.`)
      warn(`An event of ${name} is lost: ${describeWriteError(error)}`)
    }
    this.unfinished.delete(episode.begin)
  }

  /**
   * Turns the journal into a queued recording. Returns false if the event is lost or has no frame. Throws only if the
   * disk stays full until the bridge stops.
   */
  private async finishClip(journal: Journal, episode: Episode): Promise<boolean> {
    const { queue } = this.options
    // Frames written before the failure still make a clip.
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

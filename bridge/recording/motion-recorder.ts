import { join } from 'node:path'
import type { CameraSettings, MotionPreview } from '../../contract/cameras/camera-settings.ts'
import { isDiskFullError, describeWriteError } from './disk-limits.ts'
import { removeDurably } from '../runtime/durable-files.ts'
import { getNalType, NAL_TYPE, type AccessUnit } from '../media/h264/annex-b.ts'
import { warn } from '../runtime/log.ts'
import { EpisodeDetector, type Episode, type EpisodeThresholds, type EpisodeSample } from '../motion/motion-episodes.ts'
import type { MotionSample } from '../motion/sensitivity-filter.ts'
import { MotionTrace } from '../motion/motion-trace.ts'
import { DetectionCoverageLog } from '../motion/detection-coverage-log.ts'
import type { DetectionCoverage } from '../cameras/managed-camera.ts'
import type { RecordingQueue } from './recording-queue.ts'
import { finishRecording, POST_ROLL_MS } from './finish-recording.ts'
import { Journal } from './journal.ts'
import { createEventId, createMotionEvent } from './recorded-clip.ts'
import { ActiveRecording } from './active-recording.ts'
import { PreRollBuffer, PRE_ROLL_MS } from './pre-roll-buffer.ts'

/** Maximum clip size. Motion that continues becomes a new event. */
const CLIP_BYTES_MAX = 24 * 1024 * 1024
/** Maximum time between two analyzed frames, ms. A longer pause counts as a coverage gap. */
const MAX_SAMPLE_GAP_MS = 5000
/** Upper limit for the duration of a clip's last frame, ms. */
const MAX_LAST_FRAME_DURATION_MS = 1000
/** Age after which coverage is final, ms, even if the camera has sent no keyframe since then. */
const COVERAGE_FINAL_AFTER_MS = 60_000

export interface MotionRecorderOptions {
  readonly deviceId: string
  readonly name: string
  readonly queue: RecordingQueue
}

/** Buffers the last seconds of an RTSP camera, and records an event with a clip when there is motion. */
export class MotionRecorder {
  readonly #options: MotionRecorderOptions
  readonly #preRoll = new PreRollBuffer()
  readonly #episodes: EpisodeDetector
  readonly #trace = new MotionTrace()
  readonly #coverageLog = new DetectionCoverageLog(MAX_SAMPLE_GAP_MS)
  /**
   * Recordings that are not in the queue yet, by start of motion. `from`: time of the first frame; `to`: latest
   * possible end of the clip, undefined while in progress.
   */
  readonly #unfinishedIntervals = new Map<number, { readonly from: number; to: number | undefined }>()
  #lastSampleAt = 0
  /** Time of the last sample without motion. New motion can only start after this time. */
  #lastQuietAt = 0
  #activeRecording: ActiveRecording | undefined
  readonly #parameterSets = new Map<number, Buffer>()
  #pendingFinishes: Promise<void> = Promise.resolve()

  constructor(options: MotionRecorderOptions) {
    this.#options = options
    this.#episodes = new EpisodeDetector({
      onBegin: (at) => this.#startRecording(at),
      onEnd: (episode) => this.#endRecording(episode),
    })
  }

  addFrame(unit: AccessUnit): void {
    if (unit.keyframe) this.#endEventIfParametersChange(unit)
    this.#preRoll.push(unit)
    this.#activeRecording?.add(unit)
    if ((this.#activeRecording?.bytes ?? 0) > CLIP_BYTES_MAX) this.#endEvent()
  }

  /**
   * Handles the motion result of one frame. `motionSample`: motion sample of this frame, which is stored for motion
   * previews.
   */
  handleSample(sample: EpisodeSample, thresholds?: EpisodeThresholds, motionSample?: MotionSample): void {
    if (motionSample) this.#trace.push(motionSample, thresholds)
    this.#lastSampleAt = sample.at
    if (!sample.moving) this.#lastQuietAt = sample.at
    this.#coverageLog.record(sample.at)
    this.#episodes.push(sample, thresholds)
  }

  /** Previews other motion settings on the hour before `now`, ms UTC. */
  previewMotion(settings: CameraSettings, now: number): Promise<MotionPreview> {
    return this.#trace.preview(settings, now)
  }

  /** Records that the owner's settings disable motion detection at the time `now`, ms UTC. */
  recordMotionOff(now: number): void {
    this.#coverageLog.record(now, 'motion_off')
  }

  endCoverage(): void {
    this.#coverageLog.end()
  }

  /**
   * Returns the coverage up to `now`, ms UTC. Omits the end of the current span while it may still become part of a
   * clip.
   */
  getDetectionCoverage(now: number): DetectionCoverage {
    const first = this.#preRoll.listFramesFrom(this.#lastQuietAt - PRE_ROLL_MS)[0]?.pts
    const settledUntil = first && Math.max(first, this.#lastSampleAt - COVERAGE_FINAL_AFTER_MS)
    const waiting = [...this.#unfinishedIntervals.values()].map(({ from, to = now }): [number, number] => [
      Math.round(from),
      Math.round(Math.max(from, to)),
    ])
    return { spans: this.#coverageLog.listSpans(settledUntil), waiting }
  }

  /** Ends the current event and clears the pre-roll, because later frames belong to a new stream. */
  interrupt(): void {
    this.#endEvent()
    this.#preRoll.clear()
  }

  #endEvent(): void {
    this.#episodes.close()
    this.#trace.interrupt()
  }

  waitUntilFinished(): Promise<void> {
    return this.#pendingFinishes
  }

  /**
   * Ends the current event before a keyframe with other parameter sets, because a clip cannot change its frame size.
   */
  #endEventIfParametersChange(unit: AccessUnit): void {
    let changed = false
    for (const type of [NAL_TYPE.sps, NAL_TYPE.pps]) {
      const sets = Buffer.concat(unit.nals.filter((nal) => getNalType(nal) === type))
      if (sets.length === 0) continue
      changed ||= this.#parameterSets.get(type)?.equals(sets) === false
      this.#parameterSets.set(type, sets)
    }
    if (changed) this.interrupt()
  }

  #startRecording(at: number): void {
    this.#trace.startInterval(at, createEventId(this.#options.deviceId, at))
    const frames = this.#preRoll.listFramesFrom(at - PRE_ROLL_MS)
    this.#unfinishedIntervals.set(at, { from: frames[0]?.pts ?? at, to: undefined })
    this.#activeRecording = new ActiveRecording(frames, this.#openJournal(Math.round(at)))
    // If the journal could not be opened, no clip is recorded, so no recording remains to be finished.
    void this.#activeRecording.ready.then((journal) => journal ?? this.#unfinishedIntervals.delete(at))
  }

  async #openJournal(begin: number): Promise<Journal | undefined> {
    const { deviceId, queue } = this.#options
    const event_id = createEventId(deviceId, begin)
    try {
      const full = await queue.makeRoom()
      if (full) throw new Error(full)
      const path = join(queue.recordingFolder, `${event_id}.part`)
      return await Journal.open(path, { event_id, device_id: deviceId, begin })
    } catch (error) {
      this.#warnAboutFailure(error)
      return undefined
    }
  }

  #endRecording(episode: Episode): void {
    const recording = this.#activeRecording
    this.#trace.endInterval(episode)
    this.#activeRecording = undefined
    if (!recording) return
    const unfinished = this.#unfinishedIntervals.get(episode.begin)
    if (unfinished) unfinished.to = episode.end + POST_ROLL_MS + MAX_LAST_FRAME_DURATION_MS
    const done = recording.ready.then((journal) => this.#queueRecording(journal, episode))
    this.#pendingFinishes = Promise.allSettled([this.#pendingFinishes, done]).then(() => undefined)
  }

  async #queueRecording(journal: Journal | undefined, episode: Episode): Promise<void> {
    const { deviceId, queue, name } = this.#options
    try {
      if (!journal || !(await this.#finishClip(journal, episode))) {
        const event = createMotionEvent(deviceId, episode.begin)
        await queue.diskSpace.runWithDiskSpace(() =>
          queue.add(event.event_id, { kind: 'clip', event, clip: null, thumb: false }),
        )
      }
    } catch (error) {
      // If the disk was full, the journal stays, and the bridge finishes this recording after its next start.
      if (journal && isDiskFullError(error)) return warn(`A clip from ${name} is waiting for disk space.`)
      warn(`An event from ${name} was lost: ${describeWriteError(error)}`)
    }
    this.#unfinishedIntervals.delete(episode.begin)
  }

  /**
   * Turns the journal into a queued recording. Returns false if no clip could be made. Throws only if the disk stays
   * full until the bridge stops.
   */
  async #finishClip(journal: Journal, episode: Episode): Promise<boolean> {
    const { queue } = this.#options
    // After a failed write, the frames written before it still make a clip.
    await journal.close().catch((error: unknown) => this.#warnAboutFailure(error))
    try {
      return await queue.diskSpace.runWithDiskSpace(() => finishRecording(queue, journal.path, episode))
    } catch (error) {
      if (isDiskFullError(error)) throw error
      this.#warnAboutFailure(error)
      await removeDurably(journal.path).catch(() => undefined)
      return false
    }
  }

  #warnAboutFailure(error: unknown): void {
    if (isDiskFullError(error)) this.#options.queue.diskSpace.reportDiskFull()
    warn(`${this.#options.name} detected motion, but the clip couldn't be recorded: ${describeWriteError(error)}`)
  }
}

import {
  type CameraSettings,
  DEFAULT_CAMERA_SETTINGS,
  type MotionPreview,
} from '../../contract/cameras/camera-settings.ts'
import { getActionEnd, buildVirtualEvent } from './virtual-clip.ts'
import { describeWriteError } from '../recording/disk-limits.ts'
import { warn } from '../runtime/log.ts'
import { isInZones } from '../motion/detection-mask.ts'
import { getThresholds } from '../motion/sensitivity-filter.ts'
import { compareIntervals, PREVIEW_MS, type MotionInterval } from '../motion/motion-preview.ts'
import { DetectionCoverageLog } from '../motion/detection-coverage-log.ts'
import { MonitoredTime } from '../motion/monitored-time.ts'
import type { DetectionCoverage } from '../cameras/managed-camera.ts'
import type { RecordingQueue } from '../recording/recording-queue.ts'
import {
  listActions,
  getTimeOfDay,
  type DaySchedule,
  type ProviderClock,
  type ScheduledAction,
} from './day-schedule.ts'
import type { SceneLibrary } from './scene-library.ts'

const MAX_SEGMENT_MS = 120_000
/** Time span of the day schedule that the recorder reads ahead, ms. */
const LOOKAHEAD_MS = 600_000
/** Maximum delay of the recorder, ms. A longer delay means that the computer slept, so the camera did not run. */
const MAX_DELAY_MS = 60_000

/**
 * Records a virtual camera: when an action of its day schedule ends, queues the action if the owner's settings record
 * it.
 */
export class VirtualRecorder {
  readonly #library: SceneLibrary
  readonly #daySchedule: DaySchedule
  readonly #clock: ProviderClock
  readonly #queue: RecordingQueue
  #timer: NodeJS.Timeout | undefined
  #recordedUntil: number
  #settings = DEFAULT_CAMERA_SETTINGS
  readonly #monitoredTime = new MonitoredTime(PREVIEW_MS)
  readonly #coverageLog = new DetectionCoverageLog(MAX_DELAY_MS)
  /** Time of the next scheduled check, ms UTC; undefined while stopped. */
  #nextCheckAt: number | undefined
  /** Actions of the last hour. `recorded`: true if the action became an event under the owner's settings. */
  #recentActions: { readonly happening: ScheduledAction; readonly recorded: boolean }[] = []

  /** Records actions that end after `recordAfter`, ms UTC. */
  constructor(
    library: SceneLibrary,
    daySchedule: DaySchedule,
    clock: ProviderClock,
    queue: RecordingQueue,
    recordAfter: number,
  ) {
    this.#library = library
    this.#daySchedule = daySchedule
    this.#clock = clock
    this.#queue = queue
    this.#recordedUntil = recordAfter
  }

  applySettings(settings: CameraSettings): void {
    this.#settings = settings
  }

  /** Resumes after a stop. Skips actions that ended while the recorder was stopped. */
  resume(): void {
    const now = this.#clock.now()
    this.#recordedUntil = Math.max(this.#recordedUntil, now)
    this.#monitoredTime.startSpan(now)
    this.scheduleNextCheck()
  }

  scheduleNextCheck(): void {
    clearTimeout(this.#timer)
    const now = this.#clock.now()
    const next = this.#findNextAction(this.#recordedUntil, now + LOOKAHEAD_MS)
    const delayMs = next ? Math.max(0, getActionEnd(this.#library, next) - now) : LOOKAHEAD_MS / 2
    this.#nextCheckAt = now + delayMs
    this.#timer = setTimeout(() => this.#handleCheck(next), delayMs)
  }

  /**
   * Schedules the next check again after a clock change or sleep. The check skips actions that ended at least
   * `MAX_DELAY_MS` ago.
   */
  reschedule(): void {
    if (this.#nextCheckAt === undefined) return
    this.#updateCoverage()
    this.scheduleNextCheck()
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#updateCoverage()
    this.#coverageLog.end()
    this.#nextCheckAt = undefined
  }

  /**
   * Records the scene's first action for the current time of day as if it ended now, if the owner's settings record it.
   * Does nothing while stopped.
   */
  recordVisit(): void {
    if (this.#nextCheckAt === undefined) return
    const now = Math.round(this.#clock.now())
    const { scene, input } = this.#daySchedule
    const light = getTimeOfDay(this.#daySchedule, now)
    const [action] = input.scene.lights[light].actions
    if (!action) return
    this.#updateCoverage()
    this.#handleAction({ device_id: input.cameraId, scene, light, action: action.id, at: now - action.to * 1000 }, now)
  }

  /**
   * Returns the detection coverage up to `now`, ms UTC. Lists the current action as a recording in progress if the
   * owner's settings record it.
   */
  getDetectionCoverage(now: number): DetectionCoverage {
    if (this.#nextCheckAt !== undefined) this.#coverageLog.record(now, this.#settings.motion ? 'watched' : 'motion_off')
    const next =
      this.#nextCheckAt === undefined ? undefined : this.#findNextAction(this.#recordedUntil, now + LOOKAHEAD_MS)
    const [clip] =
      next && this.#isRecordedWith(next, this.#settings) ? buildVirtualEvent(this.#library, next).event_resources : []
    const waiting = clip && clip.begin_time < now ? [[clip.begin_time, Math.round(now)] as [number, number]] : []
    return { spans: this.#coverageLog.listSpans(), waiting }
  }

  /** Previews other motion settings on the part of the last hour that has detection coverage. */
  previewMotion(settings: CameraSettings): MotionPreview {
    this.#updateCoverage()
    const from = this.#clock.now() - PREVIEW_MS
    const recent = this.#recentActions.filter(({ happening }) => getActionEnd(this.#library, happening) > from)
    const recorded = recent.filter((entry) => entry.recorded)
    const previewed = recent.filter(({ happening }) => this.#isRecordedWith(happening, settings))
    const toIntervals = (list: typeof recent) => list.map(({ happening }) => this.#toMotionInterval(happening))
    return {
      ...this.#monitoredTime.measureSince(from),
      events: compareIntervals(toIntervals(recorded), toIntervals(previewed)),
    }
  }

  #toMotionInterval(scheduledAction: ScheduledAction): MotionInterval {
    const { event_id, event_ts } = buildVirtualEvent(this.#library, scheduledAction)
    return { begin: event_ts, end: getActionEnd(this.#library, scheduledAction), event_id }
  }

  /** Extends the monitored time to now. If the computer has slept, starts a new span instead. */
  #updateCoverage(): void {
    const now = this.#clock.now()
    if (this.#nextCheckAt === undefined) return
    if (now - this.#nextCheckAt > MAX_DELAY_MS) this.#monitoredTime.startSpan(now)
    else this.#monitoredTime.extendTo(now)
  }

  #findNextAction(recordedUntil: number, until: number): ScheduledAction | undefined {
    return listActions(this.#daySchedule, recordedUntil - MAX_SEGMENT_MS, until)
      .filter((action) => getActionEnd(this.#library, action) > recordedUntil)
      .sort((a, b) => a.at - b.at)[0]
  }

  #handleCheck(scheduledAction: ScheduledAction | undefined): void {
    const now = this.#clock.now()
    this.#updateCoverage()
    if (scheduledAction && now >= getActionEnd(this.#library, scheduledAction)) {
      this.#recordedUntil = getActionEnd(this.#library, scheduledAction)
      if (now - this.#recordedUntil < MAX_DELAY_MS) this.#handleAction(scheduledAction, now)
    }
    this.scheduleNextCheck()
  }

  #handleAction(action: ScheduledAction, now: number): void {
    const isRecorded = this.#isRecordedWith(action, this.#settings)
    const recent = this.#recentActions.filter(
      (entry) => getActionEnd(this.#library, entry.happening) > now - PREVIEW_MS,
    )
    this.#recentActions = [...recent, { happening: action, recorded: isRecorded }]
    // Not awaited, because a full disk must not block the next recording.
    if (isRecorded) void this.#queueRecording(action)
  }

  /** Returns true if motion detection is on and would detect a large enough object of this action inside the zones. */
  #isRecordedWith({ scene, light, action }: ScheduledAction, { motion, zones, sensitivity }: CameraSettings): boolean {
    const { boxes } = this.#library.getAction(scene, light, action)
    const { area } = getThresholds(sensitivity)
    return motion && boxes.some(({ x, y, w, h }) => w * h > area && isInZones(x + w / 2, y + h / 2, zones))
  }

  async #queueRecording(scheduledAction: ScheduledAction): Promise<void> {
    try {
      const { event_id } = buildVirtualEvent(this.#library, scheduledAction)
      await this.#queue.diskSpace.runWithDiskSpace(() => this.#queue.add(event_id, scheduledAction))
    } catch (error) {
      warn(`A recording couldn't be written to disk: ${describeWriteError(error)}`)
    }
  }
}

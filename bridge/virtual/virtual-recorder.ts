import {
  type CameraSettings,
  DEFAULT_CAMERA_SETTINGS,
  type MotionTrial,
} from '../../contract/cameras/camera-settings.ts'
import { actionEndsAt, buildVirtualEvent } from './virtual-clip.ts'
import { describeWriteError } from '../recording/disk-limits.ts'
import { warn } from '../runtime/log.ts'
import { inZones } from '../motion/detection-mask.ts'
import { thresholds } from '../motion/sensitivity-filter.ts'
import { compareStretches, TRIAL_MS, type MotionInterval } from '../motion/motion-preview.ts'
import { WatchLog } from '../motion/detection-coverage-log.ts'
import { WatchedTime } from '../motion/monitored-time.ts'
import type { DetectionCoverage } from '../cameras/managed-camera.ts'
import type { RecordingQueue } from '../recording/recording-queue.ts'
import { happenings, lightAt, type CameraPlan, type ProviderClock, type Happening } from './day-schedule.ts'
import type { SceneLibrary } from './scene-library.ts'

/** Upper limit for the duration of a segment, ms. */
const SEGMENT_MAX_MS = 120_000
/** Range of the day schedule that the recorder reads ahead. */
const AHEAD_MS = 600_000
/**
 * Maximum delay of the recorder, ms. A longer delay means that the computer slept, and so the camera was not running
 * either.
 */
const LATE_MS = 60_000

/** Records a virtual camera: queues each action of its day schedule when it ends. */
export class Recorder {
  private readonly library: SceneLibrary
  private readonly plan: CameraPlan
  private readonly clock: ProviderClock
  private readonly queue: RecordingQueue
  private timer: NodeJS.Timeout | undefined
  private done: number
  private settings = DEFAULT_CAMERA_SETTINGS
  private readonly watched = new WatchedTime(TRIAL_MS)
  private readonly log = new WatchLog(LATE_MS)
  /** Time of the next scheduled check, ms UTC; undefined while stopped. */
  private due: number | undefined
  /** Actions of the last hour. `recorded`: true if the action became an event under the owner's settings. */
  private noticed: { readonly happening: Happening; readonly recorded: boolean }[] = []

  /** Records actions that end after `since`, ms UTC. */
  constructor(library: SceneLibrary, plan: CameraPlan, clock: ProviderClock, queue: RecordingQueue, since: number) {
    this.library = library
    this.plan = plan
    this.clock = clock
    this.queue = queue
    this.done = since
  }

  configure(settings: CameraSettings): void {
    this.settings = settings
  }

  /** Resumes after a stop; actions in between were not recorded. */
  resume(): void {
    const now = this.clock.now()
    this.done = Math.max(this.done, now)
    this.watched.startSpan(now)
    this.start()
  }

  start(): void {
    clearTimeout(this.timer)
    const now = this.clock.now()
    const next = this.nextAfter(this.done, now + AHEAD_MS)
    const wait = next ? Math.max(0, actionEndsAt(this.library, next) - now) : AHEAD_MS / 2
    this.due = now + wait
    this.timer = setTimeout(() => this.ended(next), wait)
  }

  /** Reschedules after a clock change. Actions during a long sleep are skipped. */
  wake(): void {
    if (this.due === undefined) return
    this.updateCoverage()
    this.start()
  }

  stop(): void {
    clearTimeout(this.timer)
    this.updateCoverage()
    this.log.end()
    this.due = undefined
  }

  /**
   * Records the first action for the current time of day (day, dusk or night) as if it ended now. A camera that is off
   * records nothing.
   */
  visit(): void {
    if (this.due === undefined) return
    const now = Math.round(this.clock.now())
    const { scene, input } = this.plan
    const light = lightAt(this.plan, now)
    const [action] = input.scene.lights[light].actions
    if (!action) return
    this.updateCoverage()
    this.notice({ device_id: input.cameraId, scene, light, action: action.id, at: now - action.to * 1000 }, now)
  }

  /** Returns the detection coverage up to `now`, ms UTC. The current action is listed as a waiting recording. */
  watching(now: number): DetectionCoverage {
    if (this.due !== undefined) this.log.record(now, this.settings.motion ? 'watched' : 'motion_off')
    const next = this.due === undefined ? undefined : this.nextAfter(this.done, now + AHEAD_MS)
    const [clip] = next && this.counts(next, this.settings) ? buildVirtualEvent(this.library, next).event_resources : []
    const waiting = clip && clip.begin_time < now ? [[clip.begin_time, Math.round(now)] as [number, number]] : []
    return { spans: this.log.listSpans(), waiting }
  }

  /** Previews other settings on the part of the last hour that has detection coverage. */
  try(settings: CameraSettings): MotionTrial {
    this.updateCoverage()
    const from = this.clock.now() - TRIAL_MS
    const recent = this.noticed.filter(({ happening }) => actionEndsAt(this.library, happening) > from)
    const recorded = recent.filter((entry) => entry.recorded)
    const would = recent.filter(({ happening }) => this.counts(happening, settings))
    const stretches = (list: typeof recent) => list.map(({ happening }) => this.toMotionInterval(happening))
    return { ...this.watched.since(from), events: compareStretches(stretches(recorded), stretches(would)) }
  }

  private toMotionInterval(happening: Happening): MotionInterval {
    const { event_id, event_ts } = buildVirtualEvent(this.library, happening)
    return { begin: event_ts, end: actionEndsAt(this.library, happening), event_id }
  }

  /** Extends the coverage to now. If the computer has slept, starts a new span instead. */
  private updateCoverage(): void {
    const now = this.clock.now()
    if (this.due === undefined) return
    if (now - this.due > LATE_MS) this.watched.startSpan(now)
    else this.watched.until(now)
  }

  private nextAfter(done: number, until: number): Happening | undefined {
    return happenings(this.plan, done - SEGMENT_MAX_MS, until)
      .filter((action) => actionEndsAt(this.library, action) > done)
      .sort((a, b) => a.at - b.at)[0]
  }

  private ended(happening: Happening | undefined): void {
    const now = this.clock.now()
    this.updateCoverage()
    if (happening && now >= actionEndsAt(this.library, happening)) {
      this.done = actionEndsAt(this.library, happening)
      if (now - this.done < LATE_MS) this.notice(happening, now)
    }
    this.start()
  }

  private notice(happening: Happening, now: number): void {
    const recorded = this.counts(happening, this.settings)
    const recent = this.noticed.filter((entry) => actionEndsAt(this.library, entry.happening) > now - TRIAL_MS)
    this.noticed = [...recent, { happening, recorded }]
    // Not awaited, because a full disk must not block the next recording.
    if (recorded) void this.record(happening)
  }

  /**
   * Returns true if the settings record this action: motion detection is on, and a large enough object moves inside the
   * zones.
   */
  private counts({ scene, light, action }: Happening, { motion, zones, sensitivity }: CameraSettings): boolean {
    const { boxes } = this.library.action(scene, light, action)
    const { area } = thresholds(sensitivity)
    return motion && boxes.some(({ x, y, w, h }) => w * h > area && inZones(x + w / 2, y + h / 2, zones))
  }

  private async record(happening: Happening): Promise<void> {
    try {
      const { event_id } = buildVirtualEvent(this.library, happening)
      await this.queue.room.whenRoom(() => this.queue.add(event_id, happening))
    } catch (error) {
      warn(`A recording could not be written to disk: ${describeWriteError(error)}`)
    }
  }
}

import { DEFAULT_CAMERA_SETTINGS, type CameraSettings } from '../contract/bridge.ts'
import { endOf, eventOf, type Happening } from './clip.ts'
import { reasonOf } from './disk.ts'
import { warn } from './log.ts'
import { inZones } from './motion/mask.ts'
import type { RecordingQueue } from './queue.ts'
import { happenings, type CameraPlan, type Clock } from './plan.ts'
import type { SceneLibrary } from './scene-library.ts'

/** Longer than any segment, in ms. */
const SEGMENT_MAX_MS = 120_000
/** How far the recorder looks ahead in the day plan, in ms. */
const AHEAD_MS = 600_000
/** A recording that is noticed later than this was slept through: the camera was not there either. */
const LATE_MS = 60_000

/** Records a virtual camera: puts each action of its day plan into the queue when it has ended. */
export class Recorder {
  private readonly library: SceneLibrary
  private readonly plan: CameraPlan
  private readonly clock: Clock
  private readonly queue: RecordingQueue
  private timer: NodeJS.Timeout | undefined
  private done: number
  private settings = DEFAULT_CAMERA_SETTINGS

  /** Records what ends after `since`, ms UTC. */
  constructor(library: SceneLibrary, plan: CameraPlan, clock: Clock, queue: RecordingQueue, since: number) {
    this.library = library
    this.plan = plan
    this.clock = clock
    this.queue = queue
    this.done = since
  }

  configure(settings: CameraSettings): void {
    this.settings = settings
  }

  /** Goes on after a stop: what happened meanwhile was not recorded. */
  resume(): void {
    this.done = Math.max(this.done, this.clock.now())
    this.start()
  }

  start(): void {
    clearTimeout(this.timer)
    const now = this.clock.now()
    const next = this.nextAfter(this.done, now + AHEAD_MS)
    const wait = next ? Math.max(0, endOf(this.library, next) - now) : AHEAD_MS / 2
    this.timer = setTimeout(() => this.ended(next), wait)
  }

  stop(): void {
    clearTimeout(this.timer)
  }

  private nextAfter(done: number, until: number): Happening | undefined {
    return happenings(this.plan, done - SEGMENT_MAX_MS, until)
      .filter((one) => endOf(this.library, one) > done)
      .sort((a, b) => a.at - b.at)[0]
  }

  private ended(happening: Happening | undefined): void {
    const now = this.clock.now()
    if (happening && now >= endOf(this.library, happening)) {
      this.done = endOf(this.library, happening)
      // A full disk must not keep it from the next one.
      if (now - this.done < LATE_MS && this.counts(happening)) void this.record(happening)
    }
    this.start()
  }

  /** Whether its owner wants to hear of it: something must move inside the zones. */
  private counts({ scene, light, action }: Happening): boolean {
    const { motion, zones } = this.settings
    const { boxes } = this.library.action(scene, light, action)
    return motion && (zones.length === 0 || boxes.some(({ x, y, w, h }) => inZones(x + w / 2, y + h / 2, zones)))
  }

  private async record(happening: Happening): Promise<void> {
    try {
      const { event_id } = eventOf(this.library, happening)
      await this.queue.whenRoom(() => this.queue.add(event_id, happening))
    } catch (error) {
      warn(`A recording could not be written to disk: ${reasonOf(error)}`)
    }
  }
}

import { getFrameAt } from '../../scenes/day-plan.ts'
import type { AccessUnit } from '../media/h264/annex-b.ts'
import type { DaySchedule, ProviderClock } from './day-schedule.ts'
import type * as scenes from '../../scenes/manifest.ts'
import { getRenditionFile, selectSegment, type SceneLibrary, type SceneSegment } from './scene-library.ts'
import type { LensFrames } from '../sources/video-source.ts'

/** Position in the video: the segment's files, its start (ms UTC), and the frame number in the segment. */
interface VideoPosition {
  readonly files: Readonly<Record<string, string>>
  readonly segmentStart: number
  readonly frame: number
}

/** Function that selects the files of a segment that contain the frames of one lens. */
export type LensFileSelector = (segment: scenes.Segment) => Readonly<Record<string, string>>

/** Time before the start of a segment at which playback loads its frames, ms. */
const PRELOAD_MS = 2500
/** Maximum difference between playback and the wall clock, ms. After a longer pause, playback jumps to the clock. */
const MAX_DRIFT_MS = 1000

export interface LoopVideoOptions {
  readonly library: SceneLibrary
  readonly plan: DaySchedule
  readonly clock: ProviderClock
  readonly lens: LensFileSelector
  readonly rendition: string
  /** True to keep the current segment in memory while no one watches, so that the next viewer starts immediately. */
  readonly kept: boolean
}

/**
 * Plays one rendition of a virtual camera. The current frame depends only on the wall clock. Playback therefore costs
 * nothing without viewers, does not drift, and keeps all renditions in sync.
 */
export class LoopVideo implements LensFrames {
  readonly #library: SceneLibrary
  readonly #daySchedule: DaySchedule
  readonly #clock: ProviderClock
  readonly #selectFiles: LensFileSelector
  readonly #frameIntervalMs: number
  readonly #rendition: string
  readonly #keepsSegment: boolean
  readonly #watchers = new Set<(unit: AccessUnit) => void>()
  /** The current segment and the next one. */
  readonly #loadedSegments = new Map<string, SceneSegment | 'loading'>()
  #timer: NodeJS.Timeout | undefined
  #units: AccessUnit[] = []
  #cachedPosition: VideoPosition | undefined
  /** Time of the next frame, ms UTC. */
  #nextFrameAt = 0
  #isRunning = false

  constructor({ library, plan, clock, lens, rendition, kept: keepsSegment }: LoopVideoOptions) {
    this.#library = library
    this.#daySchedule = plan
    this.#clock = clock
    this.#selectFiles = lens
    this.#rendition = rendition
    this.#keepsSegment = keepsSegment
    this.#frameIntervalMs = 1000 / plan.input.fps
  }

  start(): void {
    this.#isRunning = true
    if (this.#watchers.size > 0) this.#resume()
  }

  /** Loads the current segment for a future viewer. */
  prepare(): void {
    this.#load(this.#getPosition(this.#clock.now()))
  }

  stop(): void {
    this.#isRunning = false
    this.#pause()
    this.#units = []
  }

  getGop(): readonly AccessUnit[] {
    if (this.#isRunning && this.#timer === undefined) this.#units = this.#getGop(this.#clock.now())
    return this.#units
  }

  watch(onUnit: (unit: AccessUnit) => void): () => void {
    this.#watchers.add(onUnit)
    if (this.#isRunning && this.#timer === undefined) this.#resume()
    return () => {
      this.#watchers.delete(onUnit)
      if (this.#watchers.size === 0) this.#pause()
    }
  }

  #pause(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#keepsSegment) return
    this.#units = []
    this.#loadedSegments.clear()
  }

  #resume(): void {
    const now = this.#clock.now()
    const position = this.#getPosition(now)
    this.#load(position)
    this.#units = this.#getGop(now)
    this.#nextFrameAt = position.segmentStart + (position.frame + 1) * this.#frameIntervalMs
    this.#schedule()
  }

  #schedule(): void {
    this.#timer = setTimeout(() => this.#tick(), Math.max(0, this.#nextFrameAt - this.#clock.now()))
  }

  #tick(): void {
    const now = this.#clock.now()
    if (Math.abs(now - this.#nextFrameAt) > MAX_DRIFT_MS) {
      this.#resume()
      // Viewers have missed frames, so the next frame that they get must be a keyframe.
      this.#units = []
      return
    }
    while (this.#nextFrameAt <= now + 1) {
      const position = this.#getPosition(this.#nextFrameAt + this.#frameIntervalMs / 2)
      this.#sendFrame(position)
      this.#nextFrameAt = position.segmentStart + (position.frame + 1) * this.#frameIntervalMs
    }
    this.#schedule()
  }

  #sendFrame(position: VideoPosition): void {
    if (position.frame % this.#library.manifest.gop === 0) this.#preloadNextSegment(position)
    const unit = this.#getFrame(position)
    // A frame whose keyframe is missing cannot be decoded: the image freezes until the next keyframe.
    if (!unit || (this.#units.length === 0 && !unit.keyframe)) {
      this.#units = []
      return
    }
    if (unit.keyframe) this.#units = []
    this.#units.push(unit)
    for (const watcher of this.#watchers) watcher(unit)
  }

  #preloadNextSegment(position: VideoPosition): void {
    const next = this.#planPosition(position.segmentStart + position.frame * this.#frameIntervalMs + PRELOAD_MS)
    this.#load(next)
    const keep = [position, next].map(({ files }) => getRenditionFile(files, this.#rendition))
    for (const file of this.#loadedSegments.keys()) if (!keep.includes(file)) this.#loadedSegments.delete(file)
  }

  /** Returns the position at a time. Reads the day schedule only at keyframes, because segments start at keyframes. */
  #getPosition(at: number): VideoPosition {
    const { gop } = this.#library.manifest
    const cached = this.#cachedPosition
    const frame = cached ? Math.floor((at - cached.segmentStart) / this.#frameIntervalMs + 1e-6) : -1
    if (cached && Math.floor(frame / gop) === Math.floor(cached.frame / gop)) return { ...cached, frame }
    this.#cachedPosition = this.#planPosition(at)
    return this.#cachedPosition
  }

  #planPosition(at: number): VideoPosition {
    const { scene, input } = this.#daySchedule
    const plannedFrame = getFrameAt(input, at)
    const files = this.#selectFiles(selectSegment(this.#library, scene, plannedFrame))
    return { files, segmentStart: plannedFrame.segmentStart, frame: plannedFrame.frame }
  }

  #getGop(at: number): AccessUnit[] {
    const position = this.#getPosition(at)
    this.#load(position)
    const units: AccessUnit[] = []
    for (let frame = position.frame - (position.frame % this.#library.manifest.gop); frame <= position.frame; frame++) {
      const unit = this.#getFrame({ ...position, frame })
      if (unit) units.push(unit)
    }
    return units[0]?.keyframe ? units : []
  }

  /** Returns the frame at this position; undefined while its segment is loading. */
  #getFrame(position: VideoPosition): AccessUnit | undefined {
    const segment = this.#loadedSegments.get(getRenditionFile(position.files, this.#rendition))
    const frame = typeof segment === 'object' ? segment[position.frame] : undefined
    return frame && { ...frame, pts: position.segmentStart + position.frame * this.#frameIntervalMs }
  }

  #load(position: VideoPosition): void {
    const file = getRenditionFile(position.files, this.#rendition)
    if (this.#loadedSegments.has(file)) return
    this.#loadedSegments.set(file, 'loading')
    this.#library.loadSegment(file).then(
      (segment) => this.#loadedSegments.has(file) && this.#loadedSegments.set(file, segment),
      () => this.#loadedSegments.delete(file),
    )
  }
}

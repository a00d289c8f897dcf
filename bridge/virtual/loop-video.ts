import { pictureAt } from '../../scenes/day-plan.ts'
import type { AccessUnit } from '../media/h264/annex-b.ts'
import type { CameraPlan, ProviderClock } from './day-schedule.ts'
import type * as scenes from '../../scenes/manifest.ts'
import { renditionFile, selectSegment, type SceneLibrary, type SceneSegment } from './scene-library.ts'
import type { LensFrames } from '../sources/video-source.ts'

/** Position in the video: files and start time of the segment, and the frame number in it. */
interface Place {
  readonly files: Readonly<Record<string, string>>
  readonly segmentStart: number
  readonly frame: number
}

/** Selects the files of a segment that hold the frames of a lens. */
export type Lens = (segment: scenes.Segment) => Readonly<Record<string, string>>

/** Time by which a segment is loaded before it starts, ms. */
const AHEAD_MS = 2500
/**
 * Maximum difference between playback and the wall clock, ms. Beyond it (sleep, stop, clock change), playback jumps to
 * the wall clock.
 */
const JUMP_MS = 1000

export interface LoopParts {
  readonly library: SceneLibrary
  readonly plan: CameraPlan
  readonly clock: ProviderClock
  readonly lens: Lens
  readonly rendition: string
  /** True to keep the current segment in memory while no one watches, so that the next viewer starts immediately. */
  readonly kept: boolean
}

/**
 * Plays one rendition of a virtual camera. The frame depends only on the wall clock, so nothing runs while no one
 * watches, nothing drifts, and all renditions show the same moment.
 */
export class LoopPictures implements LensFrames {
  private readonly library: SceneLibrary
  private readonly plan: CameraPlan
  private readonly clock: ProviderClock
  private readonly lens: Lens
  private readonly interval: number
  private readonly rendition: string
  private readonly kept: boolean
  private readonly watchers = new Set<(unit: AccessUnit) => void>()
  /** The current segment and the next one. */
  private readonly loaded = new Map<string, SceneSegment | 'loading'>()
  private timer: NodeJS.Timeout | undefined
  private units: AccessUnit[] = []
  private place: Place | undefined
  /** Time of the next frame, ms UTC. */
  private due = 0
  private running = false

  constructor({ library, plan, clock, lens, rendition, kept: isRetained }: LoopParts) {
    this.library = library
    this.plan = plan
    this.clock = clock
    this.lens = lens
    this.rendition = rendition
    this.kept = isRetained
    this.interval = 1000 / plan.input.fps
  }

  start(): void {
    this.running = true
    if (this.watchers.size > 0) this.resume()
  }

  /** Loads the current segment for a future viewer. */
  prepare(): void {
    this.load(this.placeAt(this.clock.now()))
  }

  stop(): void {
    this.running = false
    this.pause()
    this.units = []
  }

  group(): readonly AccessUnit[] {
    if (this.running && this.timer === undefined) this.units = this.groupAt(this.clock.now())
    return this.units
  }

  watch(onUnit: (unit: AccessUnit) => void): () => void {
    this.watchers.add(onUnit)
    if (this.running && this.timer === undefined) this.resume()
    return () => {
      this.watchers.delete(onUnit)
      if (this.watchers.size === 0) this.pause()
    }
  }

  private pause(): void {
    clearTimeout(this.timer)
    this.timer = undefined
    if (this.kept) return
    this.units = []
    this.loaded.clear()
  }

  private resume(): void {
    const now = this.clock.now()
    const place = this.placeAt(now)
    this.load(place)
    this.units = this.groupAt(now)
    this.due = place.segmentStart + (place.frame + 1) * this.interval
    this.schedule()
  }

  private schedule(): void {
    this.timer = setTimeout(() => this.tick(), Math.max(0, this.due - this.clock.now()))
  }

  private tick(): void {
    const now = this.clock.now()
    if (Math.abs(now - this.due) > JUMP_MS) {
      this.resume()
      // Viewers have missed frames and need a keyframe first.
      this.units = []
      return
    }
    while (this.due <= now + 1) {
      const place = this.placeAt(this.due + this.interval / 2)
      this.show(place)
      this.due = place.segmentStart + (place.frame + 1) * this.interval
    }
    this.schedule()
  }

  private show(place: Place): void {
    if (place.frame % this.library.manifest.gop === 0) this.atKeyframe(place)
    const unit = this.unitAt(place)
    // A frame whose keyframe is missing cannot be decoded: the image freezes until the next keyframe.
    if (!unit || (this.units.length === 0 && !unit.keyframe)) {
      this.units = []
      return
    }
    if (unit.keyframe) this.units = []
    this.units.push(unit)
    for (const watcher of this.watchers) watcher(unit)
  }

  private atKeyframe(place: Place): void {
    const next = this.planned(place.segmentStart + place.frame * this.interval + AHEAD_MS)
    this.load(next)
    const keep = [place, next].map(({ files }) => renditionFile(files, this.rendition))
    for (const file of this.loaded.keys()) if (!keep.includes(file)) this.loaded.delete(file)
  }

  /**
   * Returns the position at a time. Reads the day schedule only at keyframes, once a second, because segments start and
   * end there.
   */
  private placeAt(at: number): Place {
    const { gop } = this.library.manifest
    const cached = this.place
    const frame = cached ? Math.floor((at - cached.segmentStart) / this.interval + 1e-6) : -1
    if (cached && Math.floor(frame / gop) === Math.floor(cached.frame / gop)) return { ...cached, frame }
    this.place = this.planned(at)
    return this.place
  }

  private planned(at: number): Place {
    const { scene, input } = this.plan
    const picture = pictureAt(input, at)
    const files = this.lens(selectSegment(this.library, scene, picture))
    return { files, segmentStart: picture.segmentStart, frame: picture.frame }
  }

  private groupAt(at: number): AccessUnit[] {
    const place = this.placeAt(at)
    this.load(place)
    const units: AccessUnit[] = []
    for (let frame = place.frame - (place.frame % this.library.manifest.gop); frame <= place.frame; frame++) {
      const unit = this.unitAt({ ...place, frame })
      if (unit) units.push(unit)
    }
    return units[0]?.keyframe ? units : []
  }

  /** Returns the frame at this position; undefined while its segment is loading. */
  private unitAt(place: Place): AccessUnit | undefined {
    const segment = this.loaded.get(renditionFile(place.files, this.rendition))
    const picture = typeof segment === 'object' ? segment[place.frame] : undefined
    return picture && { ...picture, pts: place.segmentStart + place.frame * this.interval }
  }

  private load(place: Place): void {
    const file = renditionFile(place.files, this.rendition)
    if (this.loaded.has(file)) return
    this.loaded.set(file, 'loading')
    this.library.segment(file).then(
      (segment) => this.loaded.has(file) && this.loaded.set(file, segment),
      () => this.loaded.delete(file),
    )
  }
}

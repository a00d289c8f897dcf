import { pictureAt } from '../../scenes/day-plan.ts'
import type { AccessUnit } from '../h264/annex-b.ts'
import type { CameraPlan, Clock } from '../plan.ts'
import type * as scenes from '../../scenes/manifest.ts'
import { renditionFile, segmentOf, type SceneLibrary, type Segment } from '../scene-library.ts'
import { isHeard, LoopSound } from './loop-sound.ts'
import type { AudioPacket, Source } from './source.ts'

/** Which picture of which segment. */
interface Place {
  readonly files: Readonly<Record<string, string>>
  readonly segmentStart: number
  readonly frame: number
}

/** Which files of a segment hold the pictures of a lens. */
export type Lens = (segment: scenes.Segment) => Readonly<Record<string, string>>
const MAIN: Lens = ({ files }) => files
/** The second lens of a dual camera. */
export const INSET: Lens = ({ files, inset }) => inset?.files ?? files

/** How long before it is on a segment is read, in ms. */
const AHEAD_MS = 2500
/** Further off than this (asleep, stopped, clock set) the source goes on from where the wall clock is. */
const JUMP_MS = 1000

/**
 * A virtual camera: which picture is on at which moment is a function of the wall clock, so that nothing runs while
 * nobody watches, and nothing drifts.
 */
export class LoopSource implements Source {
  private readonly library: SceneLibrary
  private readonly plan: CameraPlan
  private readonly clock: Clock
  private readonly lens: Lens
  private readonly interval: number
  private readonly sound: LoopSound | undefined
  private readonly watchers = new Set<(unit: AccessUnit) => void>()
  /** The segment that is on and the next one. */
  private readonly loaded = new Map<string, Segment | 'loading'>()
  private timer: NodeJS.Timeout | undefined
  private rendition: string
  private wanted: string
  private units: AccessUnit[] = []
  private place: Place | undefined
  /** The moment of the next picture. */
  private due = 0
  private running = false

  constructor(library: SceneLibrary, plan: CameraPlan, clock: Clock, lens: Lens = MAIN) {
    this.library = library
    this.plan = plan
    this.clock = clock
    this.lens = lens
    this.sound = lens === MAIN && isHeard(plan) ? new LoopSound(library, plan, clock) : undefined
    this.interval = 1000 / plan.input.fps
    this.rendition = plan.input.scene.renditions[0] ?? ''
    this.wanted = this.rendition
  }

  /** Loads what is on now, so that the first viewer does not wait for the disk. */
  start(): void {
    this.running = true
    this.sound?.start()
    this.load(this.placeAt(this.clock.now()))
    if (this.watchers.size > 0) this.resume()
  }

  stop(): void {
    this.running = false
    this.sound?.stop()
    this.pause()
    this.units = []
  }

  get watchAudio(): Source['watchAudio'] {
    const { sound } = this
    return sound && ((onPacket: (packet: AudioPacket) => void) => sound.watch(onPacket))
  }

  setRendition(name: string): void {
    if (!this.plan.input.scene.renditions.includes(name)) return
    this.wanted = name
    this.load(this.placeAt(this.clock.now()))
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
      // Whoever watches has missed pictures and needs a keyframe first.
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
    // A picture whose keyframe was missed is of no use: still until the next keyframe.
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
    if (
      this.wanted !== this.rendition &&
      typeof this.loaded.get(renditionFile(place.files, this.wanted)) === 'object'
    ) {
      this.rendition = this.wanted
    }
    const keep = new Set(
      [place, next].flatMap((one) => [this.wanted, this.rendition].map((name) => renditionFile(one.files, name))),
    )
    for (const file of this.loaded.keys()) if (!keep.has(file)) this.loaded.delete(file)
  }

  /** The plan is asked once a second, at keyframes: segments begin and end there. */
  private placeAt(at: number): Place {
    const { gop } = this.library.manifest
    const known = this.place
    const frame = known ? Math.floor((at - known.segmentStart) / this.interval + 1e-6) : -1
    if (known && Math.floor(frame / gop) === Math.floor(known.frame / gop)) return { ...known, frame }
    this.place = this.planned(at)
    return this.place
  }

  private planned(at: number): Place {
    const { scene, input } = this.plan
    const picture = pictureAt(input, at)
    const files = this.lens(segmentOf(this.library, scene, picture))
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

  /** Undefined while the segment is being read. */
  private unitAt(place: Place): AccessUnit | undefined {
    const segment = this.loaded.get(renditionFile(place.files, this.rendition))
    const picture = typeof segment === 'object' ? segment[place.frame] : undefined
    return picture && { ...picture, pts: place.segmentStart + place.frame * this.interval }
  }

  private load(place: Place): void {
    const file = renditionFile(place.files, this.wanted)
    if (this.loaded.has(file)) return
    this.loaded.set(file, 'loading')
    this.library.segment(file).then(
      (segment) => this.loaded.set(file, segment),
      () => this.loaded.delete(file),
    )
  }
}

import type { AccessUnit } from '../media/h264/annex-b.ts'
import type { LensFrames, Source } from '../sources/video-source.ts'
import { SharedSubscription } from '../sources/shared-subscription.ts'

/**
 * Interval between the frames of a GOP that is replayed after a swap, ms: all of them must fit before the next live
 * frame.
 */
const STEP_MS = 1

/**
 * The two lenses of a dual-lens camera. Both views swap at the same moment for all viewers: each view continues with
 * the newest GOP of its new lens, so viewers wait for no keyframe. The inset has the lowest rendition only.
 */
export class DualSource implements Source {
  readonly inset: LensFrames
  private readonly lenses: readonly [Source, Source]
  private readonly main: Place
  private readonly small: Place
  private readonly better = new Map<string, Place>()
  private swapped = false

  constructor(first: Source, second: Source) {
    this.lenses = [first, second]
    this.main = new Place([first, second])
    this.small = new Place([second, first])
    this.inset = this.small
  }

  swap(swapped: boolean): void {
    this.swapped = swapped
    for (const place of [this.main, this.small, ...this.better.values()]) place.swap(swapped)
  }

  start(): void {
    for (const lens of this.lenses) lens.start()
  }

  stop(): void {
    for (const lens of this.lenses) lens.stop()
  }

  group(): readonly AccessUnit[] {
    return this.main.group()
  }

  watch(onUnit: (unit: AccessUnit) => void): () => void {
    return this.main.watch(onUnit)
  }

  /** The camera has one microphone, regardless of the swap. */
  get watchAudio(): Source['watchAudio'] {
    return this.lenses[0].watchAudio
  }

  rendition(name: string): LensFrames {
    const [first, second] = this.lenses
    const cached = this.better.get(name)
    if (cached) return cached
    if (first.rendition(name) === first) return this
    const place = new Place([first.rendition(name), second.rendition(name)])
    place.swap(this.swapped)
    this.better.set(name, place)
    return place
  }
}

/** One view of a dual-lens camera: passes on the first of two lenses, or the second one while swapped. */
class Place implements LensFrames {
  private readonly lenses: readonly [LensFrames, LensFrames]
  private source: LensFrames
  private readonly watchers = new SharedSubscription(() => this.source.watch((unit) => this.show(unit)))
  private waiting = false
  private lastPts = -Infinity

  constructor(lenses: readonly [LensFrames, LensFrames]) {
    this.lenses = lenses
    this.source = lenses[0]
  }

  group(): readonly AccessUnit[] {
    return this.source.group()
  }

  watch(onUnit: (unit: AccessUnit) => void): () => void {
    return this.watchers.add(onUnit)
  }

  swap(swapped: boolean): void {
    const source = this.lenses[swapped ? 1 : 0]
    if (source === this.source) return
    this.source = source
    if (!this.watchers.again()) return
    const group = source.group()
    this.waiting = group.length === 0
    const newest = Math.max(group.at(-1)?.pts ?? 0, this.lastPts + group.length * STEP_MS)
    group.forEach((unit, i) => this.show({ ...unit, pts: newest - (group.length - 1 - i) * STEP_MS }))
  }

  /** Passes a frame to the viewers. After a switch to another lens, the first frame must be a keyframe. */
  private show(unit: AccessUnit): void {
    if (this.waiting && !unit.keyframe) return
    this.waiting = false
    this.lastPts = unit.pts
    this.watchers.give(unit)
  }
}

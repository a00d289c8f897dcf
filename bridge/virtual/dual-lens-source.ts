import type { AccessUnit } from '../media/h264/annex-b.ts'
import type { Pictures, Source } from '../sources/video-source.ts'
import { SharedSubscription } from '../sources/shared-subscription.ts'

/** Distance of the pictures that lead to the present one: all of them fit before the next. */
const STEP_MS = 1

/**
 * The two pictures of a dual camera. They change places for all who watch in the same moment: each place goes on with the
 * newest group of its new picture, so that nobody waits for a keyframe. The small picture has the lowest rendition only.
 */
export class DualSource implements Source {
  readonly inset: Pictures
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

  /** There is one microphone, whichever picture is large. */
  get watchAudio(): Source['watchAudio'] {
    return this.lenses[0].watchAudio
  }

  rendition(name: string): Pictures {
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

/** Where one picture is shown: of the first of two lenses, or of the other once they are swapped. */
class Place implements Pictures {
  private readonly lenses: readonly [Pictures, Pictures]
  private source: Pictures
  private readonly watchers = new SharedSubscription(() => this.source.watch((unit) => this.show(unit)))
  private waiting = false
  private lastPts = -Infinity

  constructor(lenses: readonly [Pictures, Pictures]) {
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

  /** The first picture of another lens is a keyframe. */
  private show(unit: AccessUnit): void {
    if (this.waiting && !unit.keyframe) return
    this.waiting = false
    this.lastPts = unit.pts
    this.watchers.give(unit)
  }
}

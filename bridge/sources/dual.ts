import type { AccessUnit } from '../h264/annex-b.ts'
import type { Pictures, Source } from './source.ts'

/** Distance of the pictures that lead to the present one: all of them fit before the next. */
const STEP_MS = 1

/**
 * The two pictures of a dual camera. They change places for all who watch in the same moment: each place goes on with the
 * newest group of its new picture, so that nobody waits for a keyframe.
 */
export class DualSource implements Source {
  readonly inset: Pictures
  private readonly lenses: readonly [Source, Source]
  private readonly main: Place
  private readonly small: Place

  constructor(first: Source, second: Source) {
    this.lenses = [first, second]
    this.main = new Place(first)
    this.small = new Place(second)
    this.inset = this.small
  }

  swap(swapped: boolean): void {
    const [first, second] = this.lenses
    this.main.turnTo(swapped ? second : first)
    this.small.turnTo(swapped ? first : second)
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

  setRendition(name: string): void {
    for (const lens of this.lenses) lens.setRendition(name)
  }
}

/** Where one picture is shown, whichever it is. */
class Place implements Pictures {
  private source: Pictures
  private readonly watchers = new Set<(unit: AccessUnit) => void>()
  private leave: (() => void) | undefined
  private waiting = false
  private lastPts = -Infinity

  constructor(source: Pictures) {
    this.source = source
  }

  group(): readonly AccessUnit[] {
    return this.source.group()
  }

  watch(onUnit: (unit: AccessUnit) => void): () => void {
    this.watchers.add(onUnit)
    this.leave ??= this.follow()
    return () => {
      this.watchers.delete(onUnit)
      if (this.watchers.size > 0) return
      this.leave?.()
      this.leave = undefined
    }
  }

  turnTo(source: Pictures): void {
    if (source === this.source) return
    this.source = source
    if (!this.leave) return
    this.leave()
    this.leave = this.follow()
    const group = source.group()
    this.waiting = group.length === 0
    const newest = Math.max(group.at(-1)?.pts ?? 0, this.lastPts + group.length * STEP_MS)
    group.forEach((unit, i) => this.show({ ...unit, pts: newest - (group.length - 1 - i) * STEP_MS }))
  }

  private follow(): () => void {
    return this.source.watch((unit) => this.show(unit))
  }

  /** The first picture of another lens is a keyframe. */
  private show(unit: AccessUnit): void {
    if (this.waiting && !unit.keyframe) return
    this.waiting = false
    this.lastPts = unit.pts
    for (const watcher of this.watchers) watcher(unit)
  }
}

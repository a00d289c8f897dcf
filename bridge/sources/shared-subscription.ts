import type { AccessUnit } from '../media/h264/annex-b.ts'

/** Who watches pictures: their source is followed from the first who comes to the last who goes. */
export class SharedSubscription {
  private readonly all = new Set<(unit: AccessUnit) => void>()
  private readonly follow: () => () => void
  private leave: (() => void) | undefined

  /** `follow` begins with the source and answers what ends it. */
  constructor(follow: () => () => void) {
    this.follow = follow
  }

  /** Gives `onUnit` every further picture until the answer is called. */
  add(onUnit: (unit: AccessUnit) => void): () => void {
    this.all.add(onUnit)
    this.leave ??= this.follow()
    return () => {
      this.all.delete(onUnit)
      if (this.all.size > 0) return
      this.leave?.()
      this.leave = undefined
    }
  }

  /** Leaves the source and follows anew; false, and nothing is done, while nobody watches. */
  again(): boolean {
    if (!this.leave) return false
    this.leave()
    this.leave = this.follow()
    return true
  }

  give(unit: AccessUnit): void {
    for (const watcher of this.all) watcher(unit)
  }
}

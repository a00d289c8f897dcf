import type { AccessUnit } from '../media/h264/annex-b.ts'

/**
 * Shares one subscription to a source among its viewers. The subscription starts with the first viewer and ends with
 * the last.
 */
export class SharedSubscription {
  private readonly all = new Set<(unit: AccessUnit) => void>()
  private readonly follow: () => () => void
  private leave: (() => void) | undefined

  /** follow: subscribes to the source and returns the function that unsubscribes. */
  constructor(follow: () => () => void) {
    this.follow = follow
  }

  /** Passes each new frame to `onUnit`. Returns a function that unsubscribes. */
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

  /** Subscribes to the source again. Returns false, without effect, if there are no viewers. */
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

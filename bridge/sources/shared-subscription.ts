import type { AccessUnit } from '../media/h264/annex-b.ts'

/**
 * Shares one subscription to a source among its viewers. The subscription starts with the first viewer and ends with
 * the last.
 */
export class SharedSubscription {
  readonly #watchers = new Set<(unit: AccessUnit) => void>()
  readonly #subscribe: () => () => void
  #unsubscribe: (() => void) | undefined

  /** `subscribe`: subscribes to the source and returns a function that unsubscribes. */
  constructor(subscribe: () => () => void) {
    this.#subscribe = subscribe
  }

  /** Passes each new frame to `onUnit`. Returns a function that unsubscribes. */
  add(onUnit: (unit: AccessUnit) => void): () => void {
    this.#watchers.add(onUnit)
    this.#unsubscribe ??= this.#subscribe()
    return () => {
      this.#watchers.delete(onUnit)
      if (this.#watchers.size > 0) return
      this.#unsubscribe?.()
      this.#unsubscribe = undefined
    }
  }

  /** Subscribes to the source again. Returns false, without effect, if there are no viewers. */
  resubscribe(): boolean {
    if (!this.#unsubscribe) return false
    this.#unsubscribe()
    this.#unsubscribe = this.#subscribe()
    return true
  }

  publish(unit: AccessUnit): void {
    for (const watcher of this.#watchers) watcher(unit)
  }
}

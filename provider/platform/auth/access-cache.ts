/** Maximum age of a cached value. Bounds the effect of a change that reached D1 in an unforeseen way. */
const MAX_AGE_MS = 10 * 60_000
/** Time after which a change that did not end no longer blocks the cache. A write to D1 takes less time. */
const CHANGE_TIMEOUT_MS = 30_000
/** Maximum number of cached values, so that an account with many sign-ins does not fill the object's memory. */
const MAX_VALUES = 200

interface CachedValue {
  readonly value: Promise<unknown>
  readonly expiresAt: number
}

/**
 * Read-through cache of an account's rights in D1, in the memory of the account's object. While a change is open, each
 * read bypasses the cache. A read that began before a change never fills the cache after it.
 */
export class AccessCache {
  readonly #values = new Map<string, CachedValue>()
  /** Open changes with the time (ms UTC) at which they expire. */
  readonly #changes = new Map<string, number>()
  readonly #now: () => number

  constructor(now: () => number) {
    this.#now = now
  }

  startChange(id: string): void {
    this.#changes.set(id, this.#now() + CHANGE_TIMEOUT_MS)
    this.#values.clear()
  }

  endChange(id: string): void {
    this.#changes.delete(id)
    this.#values.clear()
  }

  /** Returns the cached value of `key`, or the value that `load` returns. Does not cache null and errors. */
  async read<T>(key: string, load: () => Promise<T>): Promise<T> {
    const now = this.#now()
    for (const [id, expiresAt] of this.#changes) if (expiresAt <= now) this.#changes.delete(id)
    if (this.#changes.size > 0) return await load()
    const cached = this.#values.get(key)
    if (cached && cached.expiresAt > now) return (await cached.value) as T
    const entry = { value: load(), expiresAt: now + MAX_AGE_MS }
    this.#store(key, entry)
    let value: T | null = null
    try {
      value = await entry.value
      return value
    } finally {
      if (value === null && this.#values.get(key) === entry) this.#values.delete(key)
    }
  }

  #store(key: string, entry: CachedValue): void {
    this.#values.delete(key)
    this.#values.set(key, entry)
    const [oldest] = this.#values.keys()
    if (this.#values.size > MAX_VALUES && oldest !== undefined) this.#values.delete(oldest)
  }
}

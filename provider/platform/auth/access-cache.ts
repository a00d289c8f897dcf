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

/** Open changes by id, with the time (ms UTC) at which they expire. */
export type OpenChanges = ReadonlyMap<string, number>

/** Durable copy of the open changes, so that a restart of the object does not forget them. */
export interface ChangeStorage {
  load(): OpenChanges
  /** Replaces the stored changes. An empty map leaves nothing stored. */
  save(changes: OpenChanges): void
}

/**
 * Read-through cache of an account's rights in D1, in the memory of the account's object. While a change is open, each
 * read bypasses the cache. A read that began before a change never fills the cache after it.
 */
export class AccessCache {
  readonly #values = new Map<string, CachedValue>()
  readonly #storage: ChangeStorage
  /** Null until the first use, so that objects without a cache do not read their storage. */
  #changes: Map<string, number> | null = null
  readonly #now: () => number

  constructor(storage: ChangeStorage, now: () => number) {
    this.#storage = storage
    this.#now = now
  }

  startChange(id: string): void {
    const changes = this.#loadChanges()
    changes.set(id, this.#now() + CHANGE_TIMEOUT_MS)
    this.#storage.save(changes)
    this.#values.clear()
  }

  endChange(id: string): void {
    const changes = this.#loadChanges()
    if (changes.delete(id)) this.#storage.save(changes)
    this.#values.clear()
  }

  /** Returns true while a change is open. Ends changes that have expired. */
  hasOpenChanges(): boolean {
    const [changes, now] = [this.#loadChanges(), this.#now()]
    const expired = [...changes].filter(([, expiresAt]) => expiresAt <= now)
    for (const [id] of expired) changes.delete(id)
    if (expired.length > 0) this.#storage.save(changes)
    return changes.size > 0
  }

  /** Returns the cached value of `key`, or the value that `load` returns. Does not cache null and errors. */
  async read<T>(key: string, load: () => Promise<T>): Promise<T> {
    const now = this.#now()
    if (this.hasOpenChanges()) return await load()
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

  #loadChanges(): Map<string, number> {
    return (this.#changes ??= new Map(this.#storage.load()))
  }

  #store(key: string, entry: CachedValue): void {
    this.#values.delete(key)
    this.#values.set(key, entry)
    const [oldest] = this.#values.keys()
    if (this.#values.size > MAX_VALUES && oldest !== undefined) this.#values.delete(oldest)
  }
}

import { TokenBucket, type TokenBucketLimits } from './token-bucket.ts'

/** Maximum number of buckets before full ones are discarded. */
const BUCKETS_MAX = 5000

/**
 * Rate limiter with one token bucket per key, in memory of one isolate. It stops floods before they reach the exact but
 * costly counters in storage. Because each key has its own bucket, no account can use up the limit of another account.
 */
export class KeyedRateLimiter {
  readonly #bucketLimits: TokenBucketLimits
  readonly #buckets = new Map<string, TokenBucket>()

  constructor(limits: TokenBucketLimits) {
    this.#bucketLimits = limits
  }

  /**
   * Consumes `amount` for `key` and returns 0. If too little is left, returns the milliseconds until the bucket has
   * enough. `now` in ms UTC.
   */
  consume(key: string, now: number, amount = 1): number {
    const bucket = this.#buckets.get(key) ?? this.#createBucket(key, now)
    return bucket.consume(now, amount) ? 0 : bucket.getWaitMs(now, amount)
  }

  #createBucket(key: string, now: number): TokenBucket {
    if (this.#buckets.size >= BUCKETS_MAX) this.#discardFullBuckets(now)
    const bucket = new TokenBucket(this.#bucketLimits, now)
    this.#buckets.set(key, bucket)
    return bucket
  }

  /** Discards full buckets. If too many buckets remain, discards all buckets, because a client is inventing keys. */
  #discardFullBuckets(now: number): void {
    for (const [key, bucket] of this.#buckets)
      if (bucket.getWaitMs(now, this.#bucketLimits.burst) === 0) this.#buckets.delete(key)
    if (this.#buckets.size >= BUCKETS_MAX) this.#buckets.clear()
  }
}

import { TokenBucket, type TokenBucketLimits } from './token-bucket.ts'
import { KeyedRateLimiter } from './rate-limiter.ts'

/**
 * Rate limiter that divides capacity fairly. Each key has its own bucket. Requests that exceed this bucket use one
 * bucket that all keys share. So one user can use all spare capacity, but cannot use up the share of another user.
 * Buckets live in the memory of one isolate.
 */
export class FairShareLimiter {
  readonly #keyedLimiter: KeyedRateLimiter
  readonly #sharedLimits: TokenBucketLimits
  #sharedBucket: TokenBucket | null = null

  constructor(limits: { readonly each: TokenBucketLimits; readonly all: TokenBucketLimits }) {
    this.#keyedLimiter = new KeyedRateLimiter(limits.each)
    this.#sharedLimits = limits.all
  }

  /**
   * Consumes `amount` for `key` and returns 0. If both buckets have too little left, returns the milliseconds until the
   * key's own bucket has enough. `now` in ms UTC.
   */
  consume(key: string, now: number, amount = 1): number {
    const waitMs = this.#keyedLimiter.consume(key, now, amount)
    if (waitMs === 0) return 0
    this.#sharedBucket ??= new TokenBucket(this.#sharedLimits, now)
    return this.#sharedBucket.consume(now, amount) ? 0 : waitMs
  }
}

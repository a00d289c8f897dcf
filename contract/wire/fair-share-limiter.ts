import { TokenBucket, type Allowance } from './token-bucket.ts'
import { KeyedRateLimiter } from './rate-limiter.ts'

/**
 * Fair-share limiter for the work of one thread: each key has its own bucket, and requests beyond it draw from one
 * shared bucket. A single user may use all spare capacity, and under load each user still gets their share. Its state
 * is in the memory of one isolate.
 */
export class FairShareLimiter {
  private readonly each: KeyedRateLimiter
  private readonly all: Allowance
  private store: TokenBucket | null = null

  constructor(allowances: { readonly each: Allowance; readonly all: Allowance }) {
    this.each = new KeyedRateLimiter(allowances.each)
    this.all = allowances.all
  }

  /**
   * Consumes `amount` for `key` and returns 0. If too little is left, returns the milliseconds until the key's own
   * bucket has enough. `now` in ms UTC.
   */
  consume(key: string, now: number, amount = 1): number {
    const waitMs = this.each.consume(key, now, amount)
    if (waitMs === 0) return 0
    this.store ??= new TokenBucket(this.all, now)
    return this.store.consume(now, amount) ? 0 : waitMs
  }
}

import { TokenBucket, type Allowance } from './token-bucket.ts'

/** Maximum number of buckets before full ones are discarded. */
const KEPT_MAX = 5000

/**
 * Rate limiter with one token bucket per key, in memory of one isolate. It protects exact but costly counters from
 * floods, and stops one account from using the time of all others.
 */
export class KeyedRateLimiter {
  private readonly allowance: Allowance
  private readonly budgets = new Map<string, TokenBucket>()

  constructor(allowance: Allowance) {
    this.allowance = allowance
  }

  /**
   * Consumes `amount` for `key` and returns 0. If too little is left, returns the milliseconds until the bucket has
   * enough. `now` in ms UTC.
   */
  consume(key: string, now: number, amount = 1): number {
    const budget = this.budgets.get(key) ?? this.open(key, now)
    return budget.consume(now, amount) ? 0 : budget.wait(now, amount)
  }

  private open(key: string, now: number): TokenBucket {
    if (this.budgets.size >= KEPT_MAX) this.discardFullBuckets(now)
    const fresh = new TokenBucket(this.allowance, now)
    this.budgets.set(key, fresh)
    return fresh
  }

  /** Discards full buckets. If there are still too many, a client is inventing keys, and all buckets are discarded. */
  private discardFullBuckets(now: number): void {
    for (const [key, budget] of this.budgets) if (budget.wait(now, this.allowance.burst) === 0) this.budgets.delete(key)
    if (this.budgets.size >= KEPT_MAX) this.budgets.clear()
  }
}

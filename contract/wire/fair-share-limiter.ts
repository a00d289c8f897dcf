import { TokenBucket, type Allowance } from './token-bucket.ts'
import { KeyedRateLimiter } from './rate-limiter.ts'

/**
 * What one thread can do, shared out: each always has an allowance of their own, and what goes beyond it all take from one
 * store. Alone one may do a lot; in a crowd everybody still gets something. In memory of one isolate.
 */
export class FairShareLimiter {
  private readonly each: KeyedRateLimiter
  private readonly all: Allowance
  private store: TokenBucket | null = null

  constructor(allowances: { readonly each: Allowance; readonly all: Allowance }) {
    this.each = new KeyedRateLimiter(allowances.each)
    this.all = allowances.all
  }

  /** Takes so much for `who`; answers 0, or the milliseconds until their own allowance has that much. `now` in ms UTC. */
  consume(key: string, now: number, amount = 1): number {
    const waitMs = this.each.consume(key, now, amount)
    if (waitMs === 0) return 0
    this.store ??= new TokenBucket(this.all, now)
    return this.store.consume(now, amount) ? 0 : waitMs
  }
}

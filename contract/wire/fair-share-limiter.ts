import { TokenBucket, type Allowance } from './token-bucket.ts'
import { KeyedRateLimiter } from './rate-limiter.ts'

/**
 * Fair-share limiter for the work of one thread: each key has its own bucket, and requests beyond it draw from one
 * shared bucket. A single user may do a lot; under load each still gets a share. In memory of one isolate.
 */
export class FairShareLimiter {
  private readonly each: KeyedRateLimiter
  private readonly all: Allowance
  private store: TokenBucket | null = null

  constructor(allowances: { readonly each: Allowance; readonly all: Allowance }) {
    this.each = new KeyedRateLimiter(allowances.each)
    this.all = allowances.all
  }

  /** Consumes `amount` for `key`. Returns 0, or the milliseconds until the key's own bucket has it. `now` in ms UTC. */
  consume(key: string, now: number, amount = 1): number {
    const waitMs = this.each.consume(key, now, amount)
    if (waitMs === 0) return 0
    this.store ??= new TokenBucket(this.all, now)
    return this.store.consume(now, amount) ? 0 : waitMs
  }
}

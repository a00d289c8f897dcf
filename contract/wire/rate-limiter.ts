import { TokenBucket, type Allowance } from './token-bucket.ts'

/** Budgets kept before those that are full again are thrown away. */
const KEPT_MAX = 5000

/**
 * How often each of many may do something dear, in memory of one isolate: it keeps a flood away from what counts exactly and
 * costs more, and one account from taking the time of all others.
 */
export class KeyedRateLimiter {
  private readonly allowance: Allowance
  private readonly budgets = new Map<string, TokenBucket>()

  constructor(allowance: Allowance) {
    this.allowance = allowance
  }

  /** Takes so much for `who`; answers 0, or the milliseconds until there is that much. `now` in ms UTC. */
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

  /** If none is full again somebody is making up names: all begin anew. */
  private discardFullBuckets(now: number): void {
    for (const [key, budget] of this.budgets) if (budget.wait(now, this.allowance.burst) === 0) this.budgets.delete(key)
    if (this.budgets.size >= KEPT_MAX) this.budgets.clear()
  }
}

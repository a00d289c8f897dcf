import { Budget, type Allowance } from './token-bucket.ts'

/** Budgets kept before those that are full again are thrown away. */
const KEPT_MAX = 5000

/**
 * How often each of many may do something dear, in memory of one isolate: it keeps a flood away from what counts exactly and
 * costs more, and one account from taking the time of all others.
 */
export class Pace {
  private readonly allowance: Allowance
  private readonly budgets = new Map<string, Budget>()

  constructor(allowance: Allowance) {
    this.allowance = allowance
  }

  /** Takes so much for `who`; answers 0, or the milliseconds until there is that much. `now` in ms UTC. */
  take(who: string, now: number, amount = 1): number {
    const budget = this.budgets.get(who) ?? this.open(who, now)
    return budget.take(now, amount) ? 0 : budget.wait(now, amount)
  }

  private open(who: string, now: number): Budget {
    if (this.budgets.size >= KEPT_MAX) this.sweep(now)
    const fresh = new Budget(this.allowance, now)
    this.budgets.set(who, fresh)
    return fresh
  }

  /** If none is full again somebody is making up names: all begin anew. */
  private sweep(now: number): void {
    for (const [who, budget] of this.budgets) if (budget.wait(now, this.allowance.burst) === 0) this.budgets.delete(who)
    if (this.budgets.size >= KEPT_MAX) this.budgets.clear()
  }
}

export interface Allowance {
  readonly burst: number
  readonly perSecond: number
}

/**
 * Token bucket that starts full and refills evenly. It lives in memory only, so a Durable Object starts with a full
 * bucket after hibernation.
 */
export class TokenBucket {
  private readonly allowance: Allowance
  private left: number
  private at: number

  /** `now` in ms. */
  constructor(allowance: Allowance, now: number) {
    this.allowance = allowance
    this.left = allowance.burst
    this.at = now
  }

  /** Consumes `amount` tokens at `now` (ms); returns false, and consumes nothing, if too few are left. */
  consume(now: number, amount = 1): boolean {
    this.fill(now)
    if (this.left < amount) return false
    this.left -= amount
    return true
  }

  /** Returns the wait in ms from `now` until `amount` tokens are available; 0 if they are available now. */
  wait(now: number, amount = 1): number {
    this.fill(now)
    return Math.max(0, Math.ceil(((amount - this.left) / this.allowance.perSecond) * 1000))
  }

  private fill(now: number): void {
    const { burst, perSecond } = this.allowance
    this.left = Math.min(burst, this.left + (Math.max(0, now - this.at) / 1000) * perSecond)
    this.at = Math.max(this.at, now)
  }
}

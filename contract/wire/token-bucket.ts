export interface TokenBucketLimits {
  readonly burst: number
  readonly perSecond: number
}

/**
 * Token bucket that starts full and refills evenly. It lives in memory only, so a Durable Object starts with a full
 * bucket after hibernation.
 */
export class TokenBucket {
  readonly #limits: TokenBucketLimits
  #tokens: number
  #refilledAt: number

  /** `now` in ms. */
  constructor(limits: TokenBucketLimits, now: number) {
    this.#limits = limits
    this.#tokens = limits.burst
    this.#refilledAt = now
  }

  /** Consumes `amount` tokens at `now` (ms); returns false, and consumes nothing, if too few are left. */
  consume(now: number, amount = 1): boolean {
    this.#refill(now)
    if (this.#tokens < amount) return false
    this.#tokens -= amount
    return true
  }

  /** Returns the wait in ms from `now` until `amount` tokens are available; 0 if they are available now. */
  getWaitMs(now: number, amount = 1): number {
    this.#refill(now)
    return Math.max(0, Math.ceil(((amount - this.#tokens) / this.#limits.perSecond) * 1000))
  }

  #refill(now: number): void {
    const { burst, perSecond } = this.#limits
    this.#tokens = Math.min(burst, this.#tokens + (Math.max(0, now - this.#refilledAt) / 1000) * perSecond)
    this.#refilledAt = Math.max(this.#refilledAt, now)
  }
}

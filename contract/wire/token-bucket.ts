/** How much is allowed at once, and how much a second once that is used up. */
export interface Allowance {
  readonly burst: number
  readonly perSecond: number
}

/** A token bucket: full at first, filled again evenly. In memory only; an object that has slept begins with a full one. */
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

  /** Takes so much at `now`, ms; false when there is less, and then takes nothing. */
  consume(now: number, amount = 1): boolean {
    this.fill(now)
    if (this.left < amount) return false
    this.left -= amount
    return true
  }

  /** Time from `now` until so much can be taken, ms; 0: at once. */
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

import { half } from './tax.ts'

/** Paid period: `paid` cents before tax, coupon included; times in ms UTC. */
export interface PaidPeriod {
  readonly paid: number
  readonly from: number
  readonly until: number
}

/**
 * Returns the price of the unused time of a period at `now`, in cents, computed by the second and rounded half up. A
 * started second counts as used.
 *
 * | paid | left of 30 days | unused |
 * | --- | --- | --- |
 * | 897 | 16 days | 478 |
 * | 897 | 30 days | 897 |
 * | 897 | none | 0 |
 */
export function unusedCents({ paid, from, until }: PaidPeriod, now: number): number {
  const whole = Math.floor((until - from) / 1000)
  const left = Math.min(whole, Math.max(0, Math.floor((until - now) / 1000)))
  return whole > 0 ? half(paid * left, whole) : 0
}

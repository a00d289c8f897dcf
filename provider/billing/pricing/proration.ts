import { divideHalfUp } from './tax.ts'

/** Paid period. `paid`: cents before tax and after a coupon. Times are ms UTC. */
export interface PaidPeriod {
  readonly paid: number
  readonly from: number
  readonly until: number
}

/**
 * Returns the price of the unused time of a period at `now` in cents, rounded half up. The time is counted in whole
 * seconds, and a started second counts as used.
 *
 * | paid | left of 30 days | unused |
 * | --- | --- | --- |
 * | 897 | 16 days | 478 |
 * | 897 | 30 days | 897 |
 * | 897 | none | 0 |
 */
export function computeUnusedCents({ paid, from, until }: PaidPeriod, now: number): number {
  const totalSeconds = Math.floor((until - from) / 1000)
  const remainingSeconds = Math.min(totalSeconds, Math.max(0, Math.floor((until - now) / 1000)))
  return totalSeconds > 0 ? divideHalfUp(paid * remainingSeconds, totalSeconds) : 0
}

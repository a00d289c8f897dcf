import type { SubscriptionRecord } from './record-schemas.ts'

/** What no subscription has from the beginning. */
export const UNTOUCHED = { paused: null, leaving: null, extended: 0 } as const

/** The subscription before it was cancelled; one that was cancelled before such a thing was kept is as it is. */
export const staying = (one: SubscriptionRecord): SubscriptionRecord =>
  one.leaving
    ? { ...one, status: 'active', until: one.leaving.until, scheduled: one.leaving.scheduled, leaving: null }
    : one

/** The subscription with its pause ended at `now` at the latest: its dates move by what was paused, to the millisecond. */
export function unpaused(one: SubscriptionRecord, now: number): SubscriptionRecord {
  if (one.paused === null) return one
  const early = Math.max(0, one.paused.until - Math.max(now, one.paused.from))
  return { ...movedBy(one, 0 - early), paused: null }
}

/** Its running period begins and ends so much later (ms); periods are counted from its new end. */
export const movedBy = (one: SubscriptionRecord, by: number): SubscriptionRecord =>
  by === 0 ? one : { ...one, from: one.from + by, until: one.until + by, anchor: one.until + by, months: 0 }

/** What a change of the subscription starts from: neither cancelled nor paused. */
export const standing = (one: SubscriptionRecord, now: number): SubscriptionRecord => unpaused(staying(one), now)

import type { SubscriptionRecord } from './record-schemas.ts'

/** What no subscription has from the beginning. */
export const DEFAULT_SUBSCRIPTION_FIELDS = { paused: null, leaving: null, extended: 0 } as const

/** The subscription before it was cancelled; one that was cancelled before such a thing was kept is as it is. */
export const withoutCancellation = (subscription: SubscriptionRecord): SubscriptionRecord =>
  subscription.leaving
    ? {
        ...subscription,
        status: 'active',
        until: subscription.leaving.until,
        scheduled: subscription.leaving.scheduled,
        leaving: null,
      }
    : subscription

/** The subscription with its pause ended at `now` at the latest: its dates move by what was paused, to the millisecond. */
export function withoutPause(subscription: SubscriptionRecord, now: number): SubscriptionRecord {
  if (subscription.paused === null) return subscription
  const early = Math.max(0, subscription.paused.until - Math.max(now, subscription.paused.from))
  return { ...shiftPeriod(subscription, 0 - early), paused: null }
}

/** Its running period begins and ends so much later (ms); periods are counted from its new end. */
export const shiftPeriod = (subscription: SubscriptionRecord, by: number): SubscriptionRecord =>
  by === 0
    ? subscription
    : {
        ...subscription,
        from: subscription.from + by,
        until: subscription.until + by,
        anchor: subscription.until + by,
        months: 0,
      }

/** What a change of the subscription starts from: neither cancelled nor paused. */
export const activeSubscription = (subscription: SubscriptionRecord, now: number): SubscriptionRecord =>
  withoutPause(withoutCancellation(subscription), now)

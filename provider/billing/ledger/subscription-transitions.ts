import type { SubscriptionRecord } from './record-schemas.ts'

export const DEFAULT_SUBSCRIPTION_FIELDS = { paused: null, leaving: null, extended: 0 } as const

/** Returns the subscription as before its cancellation. Unchanged if the earlier state was not stored. */
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

/**
 * Returns the subscription with its pause ended, at `now` at the latest. The dates of the subscription are moved only
 * by the time that it was paused, to the millisecond.
 */
export function withoutPause(subscription: SubscriptionRecord, now: number): SubscriptionRecord {
  if (subscription.paused === null) return subscription
  const early = Math.max(0, subscription.paused.until - Math.max(now, subscription.paused.from))
  return { ...shiftPeriod(subscription, 0 - early), paused: null }
}

/** Moves the current period by `by` ms; later periods count from its new end. */
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

/** Returns the subscription without cancellation and pause, as the start of a change. */
export const activeSubscription = (subscription: SubscriptionRecord, now: number): SubscriptionRecord =>
  withoutPause(withoutCancellation(subscription), now)

import type { SubscriptionRecord } from './record-schemas.ts'

export const DEFAULT_SUBSCRIPTION_FIELDS = { paused: null, leaving: null, extended: 0 } as const

/** Returns the subscription as it was before its cancellation; unchanged if it is not canceled. */
export const removeCancellation = (subscription: SubscriptionRecord): SubscriptionRecord =>
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
 * Returns the subscription with its pause ended at `now`, or at the planned end if that is earlier. Its dates stay
 * shifted only by the time that the pause actually lasted.
 */
export function removePause(subscription: SubscriptionRecord, now: number): SubscriptionRecord {
  if (subscription.paused === null) return subscription
  const early = Math.max(0, subscription.paused.until - Math.max(now, subscription.paused.from))
  return { ...shiftPeriod(subscription, 0 - early), paused: null }
}

/** Shifts the current period by `shiftMs`. Later periods are counted from the new end of this period. */
export const shiftPeriod = (subscription: SubscriptionRecord, shiftMs: number): SubscriptionRecord =>
  shiftMs === 0
    ? subscription
    : {
        ...subscription,
        from: subscription.from + shiftMs,
        until: subscription.until + shiftMs,
        anchor: subscription.until + shiftMs,
        months: 0,
      }

/** Returns the subscription without its cancellation and pause, as the base of a plan change. */
export const toActiveSubscription = (subscription: SubscriptionRecord, now: number): SubscriptionRecord =>
  removePause(removeCancellation(subscription), now)

import { getPlan } from '../../../contract/billing/plan-catalog.ts'
import { addMonths, countMonthsInPeriod } from '../pricing/billing-period.ts'
import { computePrice, type PlanSelection } from '../pricing/price.ts'
import { addTax } from '../pricing/quote.ts'
import type { LedgerStore } from './ledger-store.ts'
import { toSubscriptionReminder, putReminder } from './reminders.ts'
import { addToOutbox } from './outbox.ts'
import type { SubscriptionRecord } from './record-schemas.ts'
import { getDeclineTime, retryTimes } from './renewal-retries.ts'
import { DAY_MS, HOUR_MS } from '../../../contract/time-units.ts'

const PAST_DUE_GRACE_MS = 14 * DAY_MS

export const isCameraPlan = ({ sku }: Pick<SubscriptionRecord, 'sku'>): boolean => (getPlan(sku).tier ?? 0) > 0

/**
 * Returns the time at which access ends unless the plan renews, ms UTC: the end of the period or, for a past-due plan,
 * 14 days after the first decline.
 */
export const getAccessEnd = (subscription: SubscriptionRecord): number =>
  subscription.status === 'past_due' ? getDeclineTime(subscription) + PAST_DUE_GRACE_MS : subscription.until

export const hasAccess = (subscription: SubscriptionRecord, now: number): boolean =>
  !subscription.over && (subscription.status === 'active' || getAccessEnd(subscription) > now)

/**
 * Returns true if the plan renews: its channel is `web`, it has not ended, and it is active or past due. Does not check
 * whether a plan with free months has a payment method.
 */
export const willRenew = (subscription: SubscriptionRecord): boolean =>
  subscription.channel === 'web' &&
  !subscription.over &&
  (subscription.status === 'active' || subscription.status === 'past_due')

/** Extra time after the end of access in which the last retry may still collect a payment. */
const LATE_PAYMENT_MS = HOUR_MS

/**
 * Returns true if it is too late to collect a payment. With an open invoice, access must have ended over an hour ago.
 * Otherwise, the whole next period must have passed.
 */
export const isPaymentTooLate = (subscription: SubscriptionRecord, now: number): boolean =>
  subscription.overdue ? now > getAccessEnd(subscription) + LATE_PAYMENT_MS : getNextPeriodEnd(subscription) <= now

/** Returns the time of the subscription's next step, ms UTC; null if it has ended. */
export function getNextDueTime(subscription: SubscriptionRecord): number | null {
  if (subscription.over) return null
  if (subscription.paused) return subscription.paused.until
  return subscription.overdue ? (retryTimes(subscription)[0] ?? getAccessEnd(subscription)) : getAccessEnd(subscription)
}

/** Returns the plan for the next period: the scheduled plan or, without one, the current plan. */
export function getNextSelection(subscription: SubscriptionRecord): PlanSelection {
  const { sku, period, quantity } = subscription.scheduled ?? subscription
  return { sku, period, quantity }
}

/** Returns the end of the period after the current one, ms UTC. */
export const getNextPeriodEnd = (subscription: SubscriptionRecord): number =>
  addMonths(subscription.anchor, subscription.months + countMonthsInPeriod(getNextSelection(subscription).period))

/**
 * Returns the time (ms UTC) and total (cents, with tax) of the next charge, before the balance is applied; null if
 * there is none.
 */
export function getNextCharge(
  store: LedgerStore,
  subscription: SubscriptionRecord,
  basisPoints: number,
): { at: number; total: number } | null {
  if (!willRenew(subscription) || (subscription.free && findDefaultMethod(store) === null)) return null
  const open = subscription.overdue && store.get('invoice', subscription.overdue.bill)
  return {
    at: open ? (getNextDueTime(subscription) ?? subscription.until) : subscription.until,
    total: open ? open.total : addTax(computePrice(getNextSelection(subscription)), basisPoints),
  }
}

export const findDefaultMethod = (store: LedgerStore) =>
  store.listRecords('method').find(({ is_default }) => is_default) ?? null

/** Stores a subscription and its reminder, and publishes the subscription. */
export function putSubscription(store: LedgerStore, entry: number, subscription: SubscriptionRecord): void {
  store.put(entry, 'subscription', subscription.subscription_id, subscription, getNextDueTime(subscription))
  putReminder(store, subscription.subscription_id, toSubscriptionReminder(subscription))
  addToOutbox(store, { kind: 'subscription', id: subscription.subscription_id })
}

/**
 * Returns the running web subscription of the same kind as `sku` (camera plan or home monitoring); null if there is
 * none.
 */
export function findRunningWebSubscription(
  store: LedgerStore,
  sku: SubscriptionRecord['sku'],
  now: number,
): SubscriptionRecord | null {
  const isSameKind = (subscription: SubscriptionRecord) => isCameraPlan(subscription) === isCameraPlan({ sku })
  return (
    store
      .listRecords('subscription')
      .find(
        (subscription) => subscription.channel === 'web' && hasAccess(subscription, now) && isSameKind(subscription),
      ) ?? null
  )
}

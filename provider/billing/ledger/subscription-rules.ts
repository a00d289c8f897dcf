import { getPlan } from '../../../contract/billing/plan-catalog.ts'
import { addMonths, monthsInPeriod } from '../pricing/billing-period.ts'
import { priceFor, type PlanSelection } from '../pricing/price.ts'
import { withTax } from '../pricing/quote.ts'
import type { LedgerStore } from './ledger-store.ts'
import { toSubscriptionNotice, putNotice } from './reminders.ts'
import { toOutbox } from './outbox.ts'
import type { SubscriptionRecord } from './record-schemas.ts'
import { declinedAt, retryTimes } from './renewal-retries.ts'
import { DAY_MS, HOUR_MS } from '../../../contract/time-units.ts'

const GRACE_MS = 14 * DAY_MS

export const isCameraPlan = ({ sku }: Pick<SubscriptionRecord, 'sku'>): boolean => (getPlan(sku).tier ?? 0) > 0

/** Returns the time at which access ends, ms UTC. */
export const accessEndsAt = (subscription: SubscriptionRecord): number =>
  subscription.status === 'past_due' ? declinedAt(subscription) + GRACE_MS : subscription.until

export const isLive = (subscription: SubscriptionRecord, now: number): boolean =>
  !subscription.over && (subscription.status === 'active' || accessEndsAt(subscription) > now)

/** Returns true if the plan will be charged again: bought here and not ending. */
export const renews = (subscription: SubscriptionRecord): boolean =>
  subscription.channel === 'web' &&
  !subscription.over &&
  (subscription.status === 'active' || subscription.status === 'past_due')

/** Time after the end of access in which the last retry may still collect a payment. */
const LATE_MS = HOUR_MS

/**
 * Returns true if it is too late to collect a payment: the grace days of the open invoice, or the whole period to pay,
 * have ended.
 */
export const isTooLate = (subscription: SubscriptionRecord, now: number): boolean =>
  subscription.overdue ? now > accessEndsAt(subscription) + LATE_MS : nextUntil(subscription) <= now

/** Returns the next due time, ms UTC; null if the subscription has ended. */
export function nextDueAt(subscription: SubscriptionRecord): number | null {
  if (subscription.over) return null
  if (subscription.paused) return subscription.paused.until
  return subscription.overdue ? (retryTimes(subscription)[0] ?? accessEndsAt(subscription)) : accessEndsAt(subscription)
}

/** Returns the plan that applies from the next period on: the scheduled one, else the current one. */
export function nextSelection(subscription: SubscriptionRecord): PlanSelection {
  const { sku, period, quantity } = subscription.scheduled ?? subscription
  return { sku, period, quantity }
}

/** Returns the end of the period after the current one, ms UTC. */
export const nextUntil = (subscription: SubscriptionRecord): number =>
  addMonths(subscription.anchor, subscription.months + monthsInPeriod(nextSelection(subscription).period))

/** Returns the next charge with tax, before any balance; null if there is none. */
export function nextCharge(
  book: LedgerStore,
  subscription: SubscriptionRecord,
  basisPoints: number,
): { at: number; total: number } | null {
  if (!renews(subscription) || (subscription.free && defaultMethod(book) === null)) return null
  const open = subscription.overdue && book.get('invoice', subscription.overdue.bill)
  return {
    at: open ? (nextDueAt(subscription) ?? subscription.until) : subscription.until,
    total: open ? open.total : withTax(priceFor(nextSelection(subscription)), basisPoints),
  }
}

export const defaultMethod = (book: LedgerStore) => book.all('method').find(({ is_default }) => is_default) ?? null

/** Stores a subscription and its reminder, and publishes it. */
export function putSubscription(book: LedgerStore, entry: number, subscription: SubscriptionRecord): void {
  book.put(entry, 'subscription', subscription.subscription_id, subscription, nextDueAt(subscription))
  putNotice(book, subscription.subscription_id, toSubscriptionNotice(subscription))
  toOutbox(book, { kind: 'subscription', id: subscription.subscription_id })
}

/**
 * Returns the running subscription that was bought here and is of the same kind as `sku`: a camera plan, or home
 * monitoring; null if there is none.
 */
export function ownRunning(book: LedgerStore, sku: SubscriptionRecord['sku'], now: number): SubscriptionRecord | null {
  const isSameKind = (subscription: SubscriptionRecord) => isCameraPlan(subscription) === isCameraPlan({ sku })
  return (
    book
      .all('subscription')
      .find(
        (subscription) => subscription.channel === 'web' && isLive(subscription, now) && isSameKind(subscription),
      ) ?? null
  )
}

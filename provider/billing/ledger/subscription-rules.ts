import { getPlan } from '../../../contract/billing/plan-catalog.ts'
import { addMonths, DAY_MS, monthsInPeriod } from '../pricing/billing-period.ts'
import { priceFor, type PlanSelection } from '../pricing/price.ts'
import { withTax } from '../pricing/quote.ts'
import type { LedgerStore } from './ledger-store.ts'
import { toSubscriptionNotice, putNotice } from './reminders.ts'
import { toOutbox } from './outbox.ts'
import type { SubscriptionRecord } from './record-schemas.ts'

/** Days after the end of what is paid at which a declined renewal is asked for again; after the last one it is over. */
export const RETRY_DAYS = [1, 3, 7, 14] as const
const GRACE_MS = 14 * DAY_MS

export const isCameraPlan = ({ sku }: Pick<SubscriptionRecord, 'sku'>): boolean => (getPlan(sku).tier ?? 0) > 0

/** When a renewal was declined first, ms UTC. */
const declinedAt = ({ overdue, until }: SubscriptionRecord): number => overdue?.since ?? until

/** When a declined renewal is asked for again, the next time first, ms UTC. */
export const retryTimes = (subscription: SubscriptionRecord): number[] =>
  RETRY_DAYS.slice((subscription.overdue?.tries ?? 1) - 1).map((days) => declinedAt(subscription) + days * DAY_MS)

/** Until when it gives anything, ms UTC. */
export const accessEndsAt = (subscription: SubscriptionRecord): number =>
  subscription.status === 'past_due' ? declinedAt(subscription) + GRACE_MS : subscription.until

export const isLive = (subscription: SubscriptionRecord, now: number): boolean =>
  !subscription.over && (subscription.status === 'active' || accessEndsAt(subscription) > now)

/** Whether it is charged again: bought here, and not to end. */
export const renews = (subscription: SubscriptionRecord): boolean =>
  subscription.channel === 'web' &&
  !subscription.over &&
  (subscription.status === 'active' || subscription.status === 'past_due')

/** The last try may come so much later; after that nothing is charged for what is over. */
const LATE_MS = 3_600_000

/** Whether what is due of it is not to be asked for any more: its days of grace are over, or the whole period that it is for. */
export const isTooLate = (subscription: SubscriptionRecord, now: number): boolean =>
  subscription.overdue ? now > accessEndsAt(subscription) + LATE_MS : nextUntil(subscription) <= now

/** When it is to be looked at again, ms UTC. */
export function nextDueAt(subscription: SubscriptionRecord): number | null {
  if (subscription.over) return null
  if (subscription.paused) return subscription.paused.until
  return subscription.overdue ? (retryTimes(subscription)[0] ?? accessEndsAt(subscription)) : accessEndsAt(subscription)
}

/** What it is from its next period on. */
export function nextSelection(subscription: SubscriptionRecord): PlanSelection {
  const { sku, period, quantity } = subscription.scheduled ?? subscription
  return { sku, period, quantity }
}

/** The end of the period after the running one. */
export const nextUntil = (subscription: SubscriptionRecord): number =>
  addMonths(subscription.anchor, subscription.months + monthsInPeriod(nextSelection(subscription).period))

/** The next charge with tax, before any balance; null: there is none. */
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

/** Keeps a subscription as an entry leaves it, and has it told to those who read it. */
export function putSubscription(book: LedgerStore, entry: number, subscription: SubscriptionRecord): void {
  book.put(entry, 'subscription', subscription.subscription_id, subscription, nextDueAt(subscription))
  putNotice(book, subscription.subscription_id, toSubscriptionNotice(subscription))
  toOutbox(book, { kind: 'subscription', id: subscription.subscription_id })
}

/** What was bought here, runs, and is of the same kind: a camera plan, or home monitoring. */
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

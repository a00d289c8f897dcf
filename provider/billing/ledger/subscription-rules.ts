import { planOf } from '../../../contract/billing/plan-catalog.ts'
import { addMonths, DAY_MS, monthsOf } from '../pricing/billing-period.ts'
import { priceOf, type Sold } from '../pricing/price.ts'
import { withTax } from '../pricing/quote.ts'
import type { Book } from './ledger-store.ts'
import { noticeOf, putNotice } from './reminders.ts'
import { toOutbox } from './outbox.ts'
import type { SubscriptionRecord } from './record-schemas.ts'

/** Days after the end of what is paid at which a declined renewal is asked for again; after the last one it is over. */
export const RETRY_DAYS = [1, 3, 7, 14] as const
const GRACE_MS = 14 * DAY_MS

export const isCameraPlan = ({ sku }: Pick<SubscriptionRecord, 'sku'>): boolean => (planOf(sku).tier ?? 0) > 0

/** When a renewal was declined first, ms UTC. */
const declinedAt = ({ overdue, until }: SubscriptionRecord): number => overdue?.since ?? until

/** When a declined renewal is asked for again, the next time first, ms UTC. */
export const triesOf = (one: SubscriptionRecord): number[] =>
  RETRY_DAYS.slice((one.overdue?.tries ?? 1) - 1).map((days) => declinedAt(one) + days * DAY_MS)

/** Until when it gives anything, ms UTC. */
export const givesUntil = (one: SubscriptionRecord): number =>
  one.status === 'past_due' ? declinedAt(one) + GRACE_MS : one.until

export const isLive = (one: SubscriptionRecord, now: number): boolean =>
  !one.over && (one.status === 'active' || givesUntil(one) > now)

/** Whether it is charged again: bought here, and not to end. */
export const renews = (one: SubscriptionRecord): boolean =>
  one.channel === 'web' && !one.over && (one.status === 'active' || one.status === 'past_due')

/** The last try may come so much later; after that nothing is charged for what is over. */
const LATE_MS = 3_600_000

/** Whether what is due of it is not to be asked for any more: its days of grace are over, or the whole period that it is for. */
export const isTooLate = (one: SubscriptionRecord, now: number): boolean =>
  one.overdue ? now > givesUntil(one) + LATE_MS : nextUntil(one) <= now

/** When it is to be looked at again, ms UTC. */
export function dueOf(one: SubscriptionRecord): number | null {
  if (one.over) return null
  if (one.paused) return one.paused.until
  return one.overdue ? (triesOf(one)[0] ?? givesUntil(one)) : givesUntil(one)
}

/** What it is from its next period on. */
export function targetOf(one: SubscriptionRecord): Sold {
  const { sku, period, quantity } = one.scheduled ?? one
  return { sku, period, quantity }
}

/** The end of the period after the running one. */
export const nextUntil = (one: SubscriptionRecord): number =>
  addMonths(one.anchor, one.months + monthsOf(targetOf(one).period))

/** The next charge with tax, before any balance; null: there is none. */
export function nextCharge(
  book: Book,
  one: SubscriptionRecord,
  basisPoints: number,
): { at: number; total: number } | null {
  if (!renews(one) || (one.free && defaultMethod(book) === null)) return null
  const open = one.overdue && book.get('invoice', one.overdue.bill)
  return {
    at: open ? (dueOf(one) ?? one.until) : one.until,
    total: open ? open.total : withTax(priceOf(targetOf(one)), basisPoints),
  }
}

export const defaultMethod = (book: Book) => book.all('method').find(({ is_default }) => is_default) ?? null

/** Keeps a subscription as an entry leaves it, and has it told to those who read it. */
export function putSubscription(book: Book, entry: number, one: SubscriptionRecord): void {
  book.put(entry, 'subscription', one.subscription_id, one, dueOf(one))
  putNotice(book, one.subscription_id, noticeOf(one))
  toOutbox(book, { kind: 'subscription', id: one.subscription_id })
}

/** What was bought here, runs, and is of the same kind: a camera plan, or home monitoring. */
export function ownRunning(book: Book, sku: SubscriptionRecord['sku'], now: number): SubscriptionRecord | null {
  const isSameKind = (one: SubscriptionRecord) => isCameraPlan(one) === isCameraPlan({ sku })
  return book.all('subscription').find((one) => one.channel === 'web' && isLive(one, now) && isSameKind(one)) ?? null
}

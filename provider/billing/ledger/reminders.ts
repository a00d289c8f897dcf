import type { LedgerStore } from './ledger-store.ts'
import type { MethodRecord, NoticeRecord, SubscriptionRecord } from './record-schemas.ts'
import { DAY_MS } from '../../../contract/time-units.ts'

const LEAD_TIME_MS = { trial_ends: 3 * DAY_MS, renewal_ahead: 30 * DAY_MS, card_ends: 30 * DAY_MS } as const

type Reminder = Pick<NoticeRecord, 'what' | 'at'> | null

/** Returns the next reminder of a subscription; null if there is none. */
export function toSubscriptionReminder(subscription: SubscriptionRecord): Reminder {
  if (subscription.over || subscription.channel !== 'web' || subscription.paused) return null
  const kind = subscription.status === 'trial' ? 'trial_ends' : isAnnual(subscription) ? 'renewal_ahead' : null
  return kind && { what: kind, at: subscription.until - LEAD_TIME_MS[kind] }
}

const isAnnual = ({ status, period, scheduled, free }: SubscriptionRecord) =>
  status === 'active' && !free && (scheduled ?? { period }).period === 'annual'

/** Returns the reminder that a card expires, due 30 days before the expiry; null if the method does not expire. */
export const toMethodReminder = ({ ends }: Pick<MethodRecord, 'ends'>): Reminder =>
  ends && { what: 'card_ends', at: Date.UTC(ends.year, ends.month, 1) - LEAD_TIME_MS.card_ends }

/**
 * Stores the next reminder of the subscription or payment method `id`; null deletes the stored one. Never repeats a
 * reminder that was sent.
 */
export function putReminder(book: LedgerStore, id: string, notice: Reminder): void {
  const stored = book.get('notice', id)
  if (stored && stored.what === notice?.what && stored.at === notice.at) return
  if (notice) book.put(0, 'notice', id, { id, ...notice }, notice.at)
  else if (stored) book.deleteRecord(0, 'notice', id)
}

/** Marks a reminder as sent. The record stays, without a due time. */
export const markReminderSent = (book: LedgerStore, notice: NoticeRecord): void => {
  book.put(0, 'notice', notice.id, notice)
}

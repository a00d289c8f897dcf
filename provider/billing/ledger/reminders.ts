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
export function putReminder(store: LedgerStore, id: string, reminder: Reminder): void {
  const stored = store.get('notice', id)
  if (stored && stored.what === reminder?.what && stored.at === reminder.at) return
  if (reminder) store.put(0, 'notice', id, { id, ...reminder }, reminder.at)
  else if (stored) store.deleteRecord(0, 'notice', id)
}

/** Marks a reminder as sent. The record stays, without a due time. */
export const markReminderSent = (store: LedgerStore, reminder: NoticeRecord): void => {
  store.put(0, 'notice', reminder.id, reminder)
}

import type { LedgerStore } from './ledger-store.ts'
import type { MethodRecord, NoticeRecord, SubscriptionRecord } from './record-schemas.ts'
import { DAY_MS } from '../../../contract/time-units.ts'

/** Lead time of each reminder. */
const AHEAD_MS = { trial_ends: 3 * DAY_MS, renewal_ahead: 30 * DAY_MS, card_ends: 30 * DAY_MS } as const

type Notice = Pick<NoticeRecord, 'what' | 'at'> | null

/** Returns the next reminder of a subscription; null if there is none. */
export function toSubscriptionNotice(subscription: SubscriptionRecord): Notice {
  if (subscription.over || subscription.channel !== 'web' || subscription.paused) return null
  const kind = subscription.status === 'trial' ? 'trial_ends' : isAnnual(subscription) ? 'renewal_ahead' : null
  return kind && { what: kind, at: subscription.until - AHEAD_MS[kind] }
}

const isAnnual = ({ status, period, scheduled, free }: SubscriptionRecord) =>
  status === 'active' && !free && (scheduled ?? { period }).period === 'annual'

/** Returns a reminder 30 days before a card expires. */
export const noticeOfMethod = ({ ends }: Pick<MethodRecord, 'ends'>): Notice =>
  ends && { what: 'card_ends', at: Date.UTC(ends.year, ends.month, 1) - AHEAD_MS.card_ends }

/**
 * Stores the next reminder of the subscription or payment method `id`; null deletes it. A reminder that was already
 * sent is not sent again.
 */
export function putNotice(book: LedgerStore, id: string, notice: Notice): void {
  const stored = book.get('notice', id)
  if (stored && stored.what === notice?.what && stored.at === notice.at) return
  if (notice) book.put(0, 'notice', id, { id, ...notice }, notice.at)
  else if (stored) book.drop(0, 'notice', id)
}

/** Marks a reminder as sent: it stays stored, without a due time. */
export const noticeGiven = (book: LedgerStore, notice: NoticeRecord): void => {
  book.put(0, 'notice', notice.id, notice)
}

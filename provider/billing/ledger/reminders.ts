import { DAY_MS } from '../pricing/billing-period.ts'
import type { Book } from './ledger-store.ts'
import type { MethodRecord, NoticeRecord, SubscriptionRecord } from './record-schemas.ts'

/** How long before it happens somebody is told. */
const AHEAD_MS = { trial_ends: 3 * DAY_MS, renewal_ahead: 30 * DAY_MS, card_ends: 30 * DAY_MS } as const

type Notice = Pick<NoticeRecord, 'what' | 'at'> | null

/** What its people are to be told of a subscription before it happens; null: nothing. */
export function noticeOf(one: SubscriptionRecord): Notice {
  if (one.over || one.channel !== 'web' || one.paused) return null
  const what = one.status === 'trial' ? 'trial_ends' : isAnnual(one) ? 'renewal_ahead' : null
  return what && { what, at: one.until - AHEAD_MS[what] }
}

const isAnnual = ({ status, period, scheduled, free }: SubscriptionRecord) =>
  status === 'active' && !free && (scheduled ?? { period }).period === 'annual'

/** A month before a card ends. */
export const noticeOfMethod = ({ ends }: Pick<MethodRecord, 'ends'>): Notice =>
  ends && { what: 'card_ends', at: Date.UTC(ends.year, ends.month, 1) - AHEAD_MS.card_ends }

/** Keeps what is to be said next of `id`; what was said already is not said again. */
export function putNotice(book: Book, id: string, notice: Notice): void {
  const known = book.get('notice', id)
  if (known && known.what === notice?.what && known.at === notice.at) return
  if (notice) book.put(0, 'notice', id, { id, ...notice }, notice.at)
  else if (known) book.drop(0, 'notice', id)
}

/** It was said: it stays known, and is not due again. */
export const noticeGiven = (book: Book, one: NoticeRecord): void => {
  book.put(0, 'notice', one.id, one)
}

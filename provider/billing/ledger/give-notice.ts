import type { Book } from './ledger-store.ts'
import type { LedgerContext } from './ledger-context.ts'
import { upcomingCharges } from './payment-methods.ts'
import { noticeGiven } from './reminders.ts'
import type { NoticeRecord } from './record-schemas.ts'
import { nextCharge, targetOf } from './subscription-rules.ts'
import { tell } from './billing-notifications.ts'

/** Says everything of which it is time at `now`. Inside a transaction. */
export function giveNotices(ctx: LedgerContext, now: number): void {
  for (const { record } of ctx.book.due('notice', now)) {
    if (record.what === 'card_ends') cardEnds(ctx, record, now)
    else planAhead(ctx, record, now)
    noticeGiven(ctx.book, record)
  }
}

function planAhead({ book, taxBasisPoints }: LedgerContext, { id, what }: NoticeRecord, now: number): void {
  const one = book.get('subscription', id)
  if (one === null || one.until <= now) return
  const key = `${id} ${one.until}`
  if (what === 'trial_ends') {
    tell(book, what, key, now, { sku: one.sku, at: one.until })
    return
  }
  const next = nextCharge(book, one, taxBasisPoints)
  if (next) tell(book, what, key, now, { ...targetOf(one), ...next, ...defaultOf(book) })
}

function defaultOf(book: Book) {
  const method = book.all('method').find(({ is_default }) => is_default)
  return { brand: method?.brand ?? '', last_four: method?.last_four ?? '' }
}

/** Only where a charge would fail by it. */
function cardEnds({ book, taxBasisPoints }: LedgerContext, { id }: NoticeRecord, now: number): void {
  const method = book.get('method', id)
  const charge = upcomingCharges(book, taxBasisPoints).find((one) => one.method_id === id && one.would_fail)
  if (!method?.ends || !charge) return
  const { brand, last_four, ends } = method
  tell(book, 'card_ends', `${id} ${ends.year}`, now, { brand, last_four, ...ends, charge_at: charge.at })
}

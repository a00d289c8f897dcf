import { HIDDEN_DAYS } from '../../../contract/billing/cancellation.ts'
import type { MessageKind } from '../../../contract/account/notifications.ts'
import { DAY_MS } from '../pricing/billing-period.ts'
import type { Book } from './ledger-store.ts'
import { toOutbox } from './outbox.ts'
import type { InvoiceRecord, SubscriptionRecord } from './record-schemas.ts'
import { givesUntil, triesOf } from './subscription-rules.ts'

/** What its people are told of a book, by mail and on their page; the key names it for good. */

const skuOf = ({ lines }: InvoiceRecord) => lines[0]?.sku ?? 'free'

/** Where a bill is paid, or a credit note written. */
export function tellBill(book: Book, bill: InvoiceRecord, now: number): void {
  const { kind, total, at, method } = bill
  if (bill.state !== 'paid' || total === 0) return
  tell(book, 'bill', bill.bill, now, {
    ...{ bill: bill.bill, kind, total, sku: skuOf(bill), at },
    ...{ brand: method?.brand ?? '', last_four: method?.last_four ?? '' },
  })
}

/** A plan has ended, whoever wanted it; `deleted_at`: when what it kept is gone. */
export function tellEnd(book: Book, { subscription_id, sku, until }: SubscriptionRecord, now: number): void {
  tell(book, 'plan_ended', `${subscription_id} ${until}`, now, {
    sku,
    at: until,
    deleted_at: now + HIDDEN_DAYS * DAY_MS,
  })
}

export function tellFailure(book: Book, one: SubscriptionRecord, now: number): void {
  const open = one.overdue && book.get('invoice', one.overdue.bill)
  if (!open || !one.overdue) return
  const { tries, code, method } = one.overdue
  tell(book, 'charge_failed', `${open.bill} ${tries}`, now, {
    ...{ sku: one.sku, total: open.total, code, brand: method?.brand ?? '', last_four: method?.last_four ?? '' },
    ...{ next_try: triesOf(one)[0] ?? givesUntil(one), until: givesUntil(one) },
  })
}

/** The bank has returned a refund for good: `cents` of this credit note are on the balance. */
export function tellRefundFailed(book: Book, note: InvoiceRecord, cents: number, now: number): void {
  const { brand = '', last_four = '' } = note.method ?? {}
  const facts = { bill: note.bill, total: cents, sku: skuOf(note), at: now, brand, last_four }
  tell(book, 'refund_failed', `${note.bill} ${now}`, now, facts)
}

export function tell(
  book: Book,
  what: MessageKind,
  key: string,
  at: number,
  facts: Readonly<Record<string, string | number>>,
): void {
  if (book.count('quiet') === 0) toOutbox(book, { kind: 'message', what, key, at, facts })
}

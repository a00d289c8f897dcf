import { SOFT_DELETE_DAYS } from '../../../contract/billing/cancellation.ts'
import type { NotificationKind } from '../../../contract/account/notifications.ts'
import type { LedgerStore } from './ledger-store.ts'
import { addToOutbox } from './outbox.ts'
import type { InvoiceRecord, SubscriptionRecord } from './record-schemas.ts'
import { retryTimes } from './renewal-retries.ts'
import { getAccessEnd } from './subscription-rules.ts'
import { DAY_MS } from '../../../contract/time-units.ts'

/**
 * Queues notifications about plans, invoices and refunds. The key identifies a notification, so that a repeated
 * delivery has no effect.
 */

const getInvoiceSku = ({ lines }: InvoiceRecord) => lines[0]?.sku ?? 'free'

export function queueInvoiceNotification(book: LedgerStore, bill: InvoiceRecord, now: number): void {
  const { kind, total, at, method } = bill
  if (bill.state !== 'paid' || total === 0) return
  queueNotification(book, 'bill', bill.bill, now, {
    bill: bill.bill,
    kind,
    total,
    sku: getInvoiceSku(bill),
    at,
    brand: method?.brand ?? '',
    last_four: method?.last_four ?? '',
  })
}

/**
 * Queues the notification that a plan has ended. `deleted_at`: time at which events that only this plan retained are
 * deleted.
 */
export function queuePlanEndedNotification(
  book: LedgerStore,
  { subscription_id, sku, until }: SubscriptionRecord,
  now: number,
): void {
  queueNotification(book, 'plan_ended', `${subscription_id} ${until}`, now, {
    sku,
    at: until,
    deleted_at: now + SOFT_DELETE_DAYS * DAY_MS,
  })
}

export function queueChargeFailedNotification(book: LedgerStore, subscription: SubscriptionRecord, now: number): void {
  const open = subscription.overdue && book.get('invoice', subscription.overdue.bill)
  if (!open || !subscription.overdue) return
  const { tries, code, method } = subscription.overdue
  queueNotification(book, 'charge_failed', `${open.bill} ${tries}`, now, {
    sku: subscription.sku,
    total: open.total,
    code,
    brand: method?.brand ?? '',
    last_four: method?.last_four ?? '',
    next_try: retryTimes(subscription)[0] ?? getAccessEnd(subscription),
    until: getAccessEnd(subscription),
  })
}

/**
 * Queues the notification that the bank has permanently returned a refund. `cents` of the credit note went to the
 * balance instead.
 */
export function queueRefundFailedNotification(
  book: LedgerStore,
  note: InvoiceRecord,
  cents: number,
  now: number,
): void {
  const { brand = '', last_four = '' } = note.method ?? {}
  const facts = { bill: note.bill, total: cents, sku: getInvoiceSku(note), at: now, brand, last_four }
  queueNotification(book, 'refund_failed', `${note.bill} ${now}`, now, facts)
}

export function queueNotification(
  book: LedgerStore,
  kind: NotificationKind,
  key: string,
  at: number,
  facts: Readonly<Record<string, string | number>>,
): void {
  if (book.getCounter('quiet') === 0) addToOutbox(book, { kind: 'message', what: kind, key, at, facts })
}

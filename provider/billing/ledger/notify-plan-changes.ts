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

export function queueInvoiceNotification(store: LedgerStore, invoice: InvoiceRecord, now: number): void {
  const { kind, total, at, method } = invoice
  if (invoice.state !== 'paid' || total === 0) return
  queueNotification(store, 'bill', invoice.bill, now, {
    bill: invoice.bill,
    kind,
    total,
    sku: getInvoiceSku(invoice),
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
  store: LedgerStore,
  { subscription_id, sku, until }: SubscriptionRecord,
  now: number,
): void {
  queueNotification(store, 'plan_ended', `${subscription_id} ${until}`, now, {
    sku,
    at: until,
    deleted_at: now + SOFT_DELETE_DAYS * DAY_MS,
  })
}

export function queueChargeFailedNotification(store: LedgerStore, subscription: SubscriptionRecord, now: number): void {
  const openInvoice = subscription.overdue && store.get('invoice', subscription.overdue.bill)
  if (!openInvoice || !subscription.overdue) return
  const { tries, code, method } = subscription.overdue
  queueNotification(store, 'charge_failed', `${openInvoice.bill} ${tries}`, now, {
    sku: subscription.sku,
    total: openInvoice.total,
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
  store: LedgerStore,
  creditNote: InvoiceRecord,
  cents: number,
  now: number,
): void {
  const { brand = '', last_four = '' } = creditNote.method ?? {}
  const facts = { bill: creditNote.bill, total: cents, sku: getInvoiceSku(creditNote), at: now, brand, last_four }
  queueNotification(store, 'refund_failed', `${creditNote.bill} ${now}`, now, facts)
}

export function queueNotification(
  store: LedgerStore,
  kind: NotificationKind,
  key: string,
  at: number,
  facts: Readonly<Record<string, string | number>>,
): void {
  if (store.getCounter('quiet') === 0) addToOutbox(store, { kind: 'message', what: kind, key, at, facts })
}

import type { Order } from '../../../contract/billing/purchase.ts'
import type { LedgerError } from './ledger-calls.ts'
import { listOpenCharges } from './pending-charges.ts'
import type { LedgerContext } from './ledger-context.ts'
import { hashBody, storeIdempotentResult } from './idempotency-keys.ts'
import { findChangeableSubscription, type SubscriptionVersion } from './cancel-subscription.ts'
import type { ChargeRecord } from './record-schemas.ts'
import { createIntentUsedError, isLedgerError, createOtherCurrencyError, createLedgerError } from './errors.ts'
import { createRenewalCharge, recordRenewal, computeRenewalDue } from './renewals.ts'
import { getNextCharge } from './subscription-rules.ts'

export interface OpenInvoicePaymentRequest extends SubscriptionVersion {
  readonly intent: string
  readonly methodId: string
}

export interface OpenInvoicePaymentResult {
  readonly state: 'done'
  readonly subscription_id: string
  readonly paid: number
}

export type OpenInvoicePaymentStart =
  LedgerError | OpenInvoicePaymentResult | { readonly state: 'charge'; readonly charge_id: string }

/**
 * Starts the payment of an open invoice, or joins the payment that its idempotency key has started. Must run inside a
 * transaction.
 */
export function startOpenInvoicePayment(
  ctx: LedgerContext,
  request: OpenInvoicePaymentRequest,
  now: number,
): OpenInvoicePaymentStart {
  const { book } = ctx
  const hash = hashBody(['pay open', request.subscription_id, request.methodId])
  const stored = book.get('intent', request.intent)
  if (stored && stored.hash !== hash) return createIntentUsedError()
  if (stored && stored.answer !== null) return stored.answer as OpenInvoicePaymentStart
  const ownCharge = listOpenCharges(book).find(({ intent }) => intent === request.intent)
  if (ownCharge) return { state: 'charge', charge_id: ownCharge.charge_id }
  const subscription = findChangeableSubscription(book, request, now)
  if (isLedgerError(subscription)) return subscription
  if (book.hasOtherCurrency()) return createOtherCurrencyError()
  if (subscription.overdue === null) return createLedgerError('stale', 409, 'There’s nothing left to pay.')
  const method = book.get('method', request.methodId)
  if (method === null) return createLedgerError('no_method', 409, 'Choose a payment method.')
  const { subscription_id } = subscription
  const job = { kind: 'renewal' as const, subscription_id, at: subscription.until, asked: true }
  const due = computeRenewalDue(ctx, subscription)
  if (due === 0) {
    recordRenewal(ctx, job, null, now)
    const result = { state: 'done' as const, subscription_id, paid: 0 }
    storeIdempotentResult(book, request.intent, { hash, answer: result }, now)
    return result
  }
  storeIdempotentResult(book, request.intent, { hash, answer: null }, now)
  return { state: 'charge', charge_id: createRenewalCharge(ctx, { job, due, method, intent: request.intent }, now) }
}

/**
 * Returns the order for the renewal that a charge has paid, for clients that poll its task. Returns null if the charge
 * is not booked or pays no renewal.
 */
export function toPaidInvoiceOrder({ book, taxBasisPoints }: LedgerContext, charge: ChargeRecord): Order | null {
  const { job } = charge
  const subscription = job.kind === 'renewal' ? book.get('subscription', job.subscription_id) : null
  if (subscription === null || charge.state !== 'booked') return null
  const method = book.get('method', charge.method_id)
  const bill = book
    .listRecords('invoice')
    .findLast((bill) => bill.subscription_id === subscription.subscription_id && bill.paid > 0)
  return {
    order_id: charge.charge_id,
    subscription_id: subscription.subscription_id,
    bill: bill?.bill ?? '',
    paid: charge.cents,
    method: method && { brand: method.brand, last_four: method.last_four, name: method.name },
    at: charge.asked_at,
    sku: subscription.sku,
    period: subscription.period,
    quantity: subscription.quantity,
    starts_at: subscription.from,
    is_later: false,
    is_trial: false,
    next: getNextCharge(book, subscription, taxBasisPoints),
  }
}

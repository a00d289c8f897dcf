import type { Order } from '../../../contract/billing/purchase.ts'
import type { LedgerError } from './ledger-calls.ts'
import { openCharges } from './pending-charges.ts'
import type { LedgerContext } from './ledger-context.ts'
import { hashBody, storeIdempotentResult } from './idempotency-keys.ts'
import { changeable, type SubscriptionVersion } from './cancel-subscription.ts'
import type { ChargeRecord } from './record-schemas.ts'
import { intentUsed, isRefused, otherCurrency, ledgerError } from './errors.ts'
import { createRenewalCharge, bookRenewal, dueOfRenewal } from './renewals.ts'
import { nextCharge } from './subscription-rules.ts'

/** Request to pay the open invoice of a failed renewal with a chosen payment method. */
export interface PayOpenAsk extends SubscriptionVersion {
  readonly intent: string
  readonly methodId: string
}

export interface PaidOpen {
  readonly state: 'done'
  readonly subscription_id: string
  readonly paid: number
}

export type BegunOpen = LedgerError | PaidOpen | { readonly state: 'charge'; readonly charge_id: string }

/** Starts the payment, or joins the one of the same idempotency key. One transaction. */
export function startOpenInvoicePayment(ctx: LedgerContext, ask: PayOpenAsk, now: number): BegunOpen {
  const { book } = ctx
  const hash = hashBody(['pay open', ask.subscription_id, ask.methodId])
  const stored = book.get('intent', ask.intent)
  if (stored && stored.hash !== hash) return intentUsed()
  if (stored && stored.answer !== null) return stored.answer as BegunOpen
  const own = openCharges(book).find(({ intent }) => intent === ask.intent)
  if (own) return { state: 'charge', charge_id: own.charge_id }
  const subscription = changeable(book, ask, now)
  if (isRefused(subscription)) return subscription
  if (book.isOfOtherCurrency()) return otherCurrency()
  if (subscription.overdue === null) return ledgerError('stale', 409, 'Nothing is open any more.')
  const method = book.get('method', ask.methodId)
  if (method === null) return ledgerError('no_method', 409, 'Choose how to pay.')
  const { subscription_id } = subscription
  const job = { kind: 'renewal' as const, subscription_id, at: subscription.until, asked: true }
  const due = dueOfRenewal(ctx, subscription)
  if (due === 0) {
    bookRenewal(ctx, job, null, now)
    const answer = { state: 'done' as const, subscription_id, paid: 0 }
    storeIdempotentResult(book, ask.intent, { hash, answer }, now)
    return answer
  }
  storeIdempotentResult(book, ask.intent, { hash, answer: null }, now)
  return { state: 'charge', charge_id: createRenewalCharge(ctx, { job, due, method, intent: ask.intent }, now) }
}

/**
 * Returns the order for the period that a charge has paid, for clients that poll the charge's task; null if the charge
 * is not booked or pays no renewal.
 */
export function orderOfOpen({ book, taxBasisPoints }: LedgerContext, charge: ChargeRecord): Order | null {
  const { job } = charge
  const subscription = job.kind === 'renewal' ? book.get('subscription', job.subscription_id) : null
  if (subscription === null || charge.state !== 'booked') return null
  const method = book.get('method', charge.method_id)
  const bill = book
    .all('invoice')
    .findLast((bill) => bill.subscription_id === subscription.subscription_id && bill.paid > 0)
  return {
    ...{
      order_id: charge.charge_id,
      subscription_id: subscription.subscription_id,
      bill: bill?.bill ?? '',
      paid: charge.cents,
    },
    method: method && { brand: method.brand, last_four: method.last_four, name: method.name },
    ...{
      at: charge.asked_at,
      sku: subscription.sku,
      period: subscription.period,
      quantity: subscription.quantity,
      starts_at: subscription.from,
    },
    ...{ is_later: false, is_trial: false, next: nextCharge(book, subscription, taxBasisPoints) },
  }
}

import type { Order } from '../../../contract/billing/purchase.ts'
import type { Refused } from './ledger-calls.ts'
import { openCharges } from './pending-charges.ts'
import type { LedgerContext } from './ledger-context.ts'
import { hashOf, remember } from './idempotency-keys.ts'
import { changeable, type Known } from './cancellation.ts'
import type { ChargeRecord } from './record-schemas.ts'
import { intentUsed, isRefused, otherCurrency, refuse } from './errors.ts'
import { askRenewal, bookRenewal, dueOfRenewal } from './renewals.ts'
import { nextCharge } from './subscription-rules.ts'

/** What a failed renewal has left open is to be paid with a method of one's choice. */
export interface PayOpenAsk extends Known {
  readonly intent: string
  readonly methodId: string
}

export interface PaidOpen {
  readonly state: 'done'
  readonly subscription_id: string
  readonly paid: number
}

export type BegunOpen = Refused | PaidOpen | { readonly state: 'charge'; readonly charge_id: string }

/** Begins to pay, or joins what the intent has begun. One transaction. */
export function beginPayOpen(ctx: LedgerContext, ask: PayOpenAsk, now: number): BegunOpen {
  const { book } = ctx
  const hash = hashOf(['pay open', ask.subscription_id, ask.methodId])
  const known = book.get('intent', ask.intent)
  if (known && known.hash !== hash) return intentUsed()
  if (known && known.answer !== null) return known.answer as BegunOpen
  const own = openCharges(book).find(({ intent }) => intent === ask.intent)
  if (own) return { state: 'charge', charge_id: own.charge_id }
  const one = changeable(book, ask, now)
  if (isRefused(one)) return one
  if (book.isOfOtherCurrency()) return otherCurrency()
  if (one.overdue === null) return refuse('stale', 409, 'Nothing is open any more.')
  const method = book.get('method', ask.methodId)
  if (method === null) return refuse('no_method', 409, 'Choose how to pay.')
  const { subscription_id } = one
  const job = { kind: 'renewal' as const, subscription_id, at: one.until, asked: true }
  const due = dueOfRenewal(ctx, one)
  if (due === 0) {
    bookRenewal(ctx, job, null, now)
    const answer = { state: 'done' as const, subscription_id, paid: 0 }
    remember(book, ask.intent, { hash, answer }, now)
    return answer
  }
  remember(book, ask.intent, { hash, answer: null }, now)
  return { state: 'charge', charge_id: askRenewal(ctx, { job, due, method, intent: ask.intent }, now) }
}

/** What was paid so, as who follows its task is told: the order of the period that it pays for. Null: it is not paid, or no such charge. */
export function orderOfOpen({ book, taxBasisPoints }: LedgerContext, charge: ChargeRecord): Order | null {
  const { job } = charge
  const one = job.kind === 'renewal' ? book.get('subscription', job.subscription_id) : null
  if (one === null || charge.state !== 'booked') return null
  const method = book.get('method', charge.method_id)
  const bill = book.all('invoice').findLast((bill) => bill.subscription_id === one.subscription_id && bill.paid > 0)
  return {
    ...{ order_id: charge.charge_id, subscription_id: one.subscription_id, bill: bill?.bill ?? '', paid: charge.cents },
    method: method && { brand: method.brand, last_four: method.last_four, name: method.name },
    ...{ at: charge.asked_at, sku: one.sku, period: one.period, quantity: one.quantity, starts_at: one.from },
    ...{ is_later: false, is_trial: false, next: nextCharge(book, one, taxBasisPoints) },
  }
}

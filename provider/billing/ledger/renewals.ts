import type { MoneyLine } from '../../../contract/billing/purchase.ts'
import { planLine, computeSums } from '../pricing/quote.ts'
import { putCharge, waiting } from './pending-charges.ts'
import type { LedgerContext } from './ledger-context.ts'
import { addBill, payBill } from './invoices.ts'
import { voidOverdue } from './void-invoice.ts'
import { billed, settled } from './postings.ts'
import type { ChargeRecord, MethodRecord, RecordOf, SubscriptionRecord } from './record-schemas.ts'
import { addMonths } from '../pricing/billing-period.ts'
import { RETRY_DAYS } from './renewal-retries.ts'
import { endLeft } from './cancel-subscription.ts'
import { setDefaultPaymentMethod } from './payment-methods.ts'
import { endPause } from './pause-subscription.ts'
import { queuePlanEndedNotification, queueChargeFailedNotification } from './notify-plan-changes.ts'
import {
  defaultMethod,
  accessEndsAt,
  isTooLate,
  nextUntil,
  putSubscription,
  nextSelection,
} from './subscription-rules.ts'

type RenewalJob = Extract<ChargeRecord['job'], { kind: 'renewal' }>

/**
 * Processes the step that is due for one subscription: end of a pause, renewal, retry, or end of the subscription.
 * Returns the id of the charge to process, or null. Runs in one transaction.
 */
export function renew(ctx: LedgerContext, subscription: SubscriptionRecord, now: number): string | null {
  const { book } = ctx
  if (subscription.paused) {
    endPause(book, subscription, subscription.paused.until)
    return null
  }
  if (book.isEnded() || endsNow(ctx, subscription, now)) return finish(ctx, subscription, now)
  const job: RenewalJob = {
    kind: 'renewal',
    subscription_id: subscription.subscription_id,
    at: subscription.until,
    asked: false,
  }
  const isElsewhere = subscription.channel !== 'web' || ctx.gateway === null
  if (isElsewhere && !subscription.overdue) return renewElsewhere(ctx, subscription, now)
  if (!subscription.overdue && isTooLate(subscription, now)) return waive(ctx, subscription, now)
  if (book.isOfOtherCurrency()) throw new Error(`The ledger is in ${book.currency}, and CURRENCY is another one.`)
  const due = dueOfRenewal(ctx, subscription)
  const method = isElsewhere ? null : defaultMethod(book)
  if (due === 0 && !isElsewhere) bookRenewal(ctx, job, null, now)
  else if (method === null) declineRenewal(ctx, job, null, now)
  else {
    const intent = `renewal ${subscription.subscription_id} ${subscription.until} ${subscription.overdue?.tries ?? 0}`
    return createRenewalCharge(ctx, { job, due, method, intent }, now)
  }
  return null
}

/** Returns the cents to collect for the next period or the open invoice, after the balance has paid its part. */
export const dueOfRenewal = (ctx: LedgerContext, subscription: SubscriptionRecord): number =>
  computeSums(linesFor(ctx, subscription), ctx.book.balance()).due

/** Waives the charge for a period that ended before it could be charged, because the provider was down. */
function waive({ book }: LedgerContext, subscription: SubscriptionRecord, now: number): null {
  putSubscription(book, book.enter('waived', subscription.subscription_id, now), {
    ...{
      ...subscription,
      ...nextSelection(subscription),
      scheduled: null,
      free: false,
      paid: 0,
      revision: subscription.revision + 1,
    },
    ...{ from: subscription.until, until: nextUntil(subscription), months: monthsAfter(subscription) },
  })
  return null
}

/**
 * Returns true if a subscription ends instead of renewing: it is canceled, unpaid in another channel, unpaid for too
 * long, a free trial, or free months without a payment method.
 */
function endsNow({ book }: LedgerContext, subscription: SubscriptionRecord, now: number): boolean {
  if (subscription.status === 'past_due') return subscription.overdue === null || isTooLate(subscription, now)
  if (subscription.status === 'cancelled' || subscription.status === 'trial') return true
  return subscription.free && defaultMethod(book) === null
}

function finish(ctx: LedgerContext, subscription: SubscriptionRecord, now: number): null {
  const { book } = ctx
  if (subscription.leaving) {
    endLeft(ctx, subscription, now)
    return null
  }
  voidOverdue(book, subscription, now)
  const entry = book.enter('end', subscription.subscription_id, now)
  const status = subscription.status === 'trial' ? subscription.status : ('cancelled' as const)
  const until = Math.min(accessEndsAt(subscription), Math.max(subscription.until, now))
  const after = {
    ...subscription,
    status,
    until,
    scheduled: null,
    overdue: null,
    over: true,
    revision: subscription.revision + 1,
  }
  putSubscription(book, entry, after)
  queuePlanEndedNotification(book, after, now)
  return null
}

/**
 * Renews a subscription without a charge: plans from another channel are charged there, and without a gateway nothing
 * is charged.
 */
function renewElsewhere({ book }: LedgerContext, subscription: SubscriptionRecord, now: number): null {
  const { sku, period, quantity } = nextSelection(subscription)
  const entry = book.enter('elsewhere', subscription.subscription_id, now)
  putSubscription(book, entry, {
    ...{ ...subscription, sku, period, quantity, scheduled: null, paid: 0 },
    ...{
      from: subscription.until,
      until: nextUntil(subscription),
      months: monthsAfter(subscription),
      revision: subscription.revision + 1,
    },
  })
  return null
}

const monthsAfter = (subscription: SubscriptionRecord) =>
  subscription.months + (nextSelection(subscription).period === 'monthly' ? 1 : 12)

/**
 * Returns the line items to charge: those of the open invoice after a failed attempt, else those of the next period.
 */
function linesFor({ book, taxBasisPoints }: LedgerContext, subscription: SubscriptionRecord): MoneyLine[] {
  const open = subscription.overdue && book.get('invoice', subscription.overdue.bill)
  return open
    ? [...open.lines]
    : [planLine(nextSelection(subscription), subscription.until, nextUntil(subscription), taxBasisPoints)]
}

interface RenewalChargeRequest {
  readonly job: RenewalJob
  readonly due: number
  readonly method: Pick<MethodRecord, 'token' | 'method_id'>
  readonly intent: string
}

export function createRenewalCharge(
  { book, newId }: LedgerContext,
  request: RenewalChargeRequest,
  now: number,
): string {
  const { job, due, method, intent } = request
  const charge_id = newId('order')
  const { token, method_id } = method
  putCharge(book, {
    ...{ charge_id, intent, state: 'written', begun_at: now, cents: due, currency: book.currency, token, method_id },
    ...{ heard: true, parked: false, stuck: false, asked_at: now },
    ...{ charge: null, job, declined: null },
  })
  return charge_id
}

/** Records a paid renewal: the amount of `charge` (null: none), and the rest from the balance. */
export function bookRenewal(ctx: LedgerContext, job: RenewalJob, charge: ChargeRecord | null, now: number): void {
  const { book } = ctx
  const { subscription_id, at, asked: isRequested } = job
  const cash = charge?.cents ?? 0
  const subscription = book.get('subscription', subscription_id)
  if (subscription === null || subscription.until !== at)
    throw new Error('The period of a renewal is not the next one.')
  const lines = linesFor(ctx, subscription)
  const { subtotal, total } = computeSums(lines, 0)
  const open = subscription.overdue && book.get('invoice', subscription.overdue.bill)
  const bill = open ? [] : billed(lines)
  const entry = book.enter('renewal', subscription_id, now, [...bill, ...settled(total, cash)])
  const method = charge && book.get('method', charge.method_id)
  const paid = open
    ? payBill(book, entry, open, { paid: cash, method }, now)
    : addBill(book, entry, { kind: 'invoice', subscription_id, lines, paid: cash, state: 'paid', method }, now)
  const { sku, period, quantity } = nextSelection(subscription)
  putSubscription(book, entry, {
    ...{
      ...subscription,
      sku,
      period,
      quantity,
      status: 'active',
      scheduled: null,
      overdue: null,
      free: false,
      paid: subtotal,
    },
    ...{
      from: subscription.until,
      until: nextUntil(subscription),
      months: monthsAfter(subscription),
      revision: subscription.revision + 1,
    },
  })
  if (isRequested && charge) {
    book.put(entry, 'order', charge.charge_id, toOrder(subscription, charge, paid.bill, now))
    setDefaultPaymentMethod(book, charge.method_id, now)
  }
}

function toOrder(subscription: SubscriptionRecord, charge: ChargeRecord, bill: string, now: number): RecordOf<'order'> {
  const { charge_id, intent, cents } = charge
  return {
    ...{
      order_id: charge_id,
      intent,
      subscription_id: subscription.subscription_id,
      bill,
      paid: cents,
      method: null,
      at: now,
    },
    ...nextSelection(subscription),
    ...{ starts_at: subscription.until, is_later: false, is_trial: false, next: null },
  }
}

export interface RenewalFailure {
  readonly code: string
  readonly method: MethodRecord | null
}

/**
 * Records a declined renewal. It is retried on `RETRY_DAYS`, then the subscription ends. `why` null: there is no
 * payment method.
 */
export function declineRenewal(ctx: LedgerContext, job: RenewalJob, why: RenewalFailure | null, now: number): void {
  const { subscription_id } = job
  const { book } = ctx
  const subscription = book.get('subscription', subscription_id)
  if (subscription === null) return
  const tries = (subscription.overdue?.tries ?? 0) + 1
  if (tries > RETRY_DAYS.length) {
    finish(ctx, subscription, now)
    return
  }
  const lines = linesFor(ctx, subscription)
  const entry = book.enter('declined', subscription_id, now, subscription.overdue ? [] : billed(lines))
  const bill =
    subscription.overdue?.bill ??
    addBill(book, entry, { kind: 'invoice', subscription_id, lines, paid: 0, state: 'open' }, now).bill
  const { sku, period, quantity } = nextSelection(subscription)
  const method = why?.method ? toMethodSummary(why.method) : null
  const after: SubscriptionRecord = {
    ...{ ...subscription, sku, period, quantity, scheduled: null, free: false, status: 'past_due', paid: 0 },
    ...{
      overdue: { bill, tries, since: subscription.overdue?.since ?? now, code: why?.code ?? '', method },
      revision: subscription.revision + 1,
    },
  }
  putSubscription(book, entry, after)
  queueChargeFailedNotification(book, after, now)
}

const toMethodSummary = ({ brand, last_four, name }: MethodRecord) => ({ brand, last_four, name })

/** Returns the next subscription that is due at `now`; skips those that wait for a charge. */
export function nextToRenew({ book }: LedgerContext, now: number): SubscriptionRecord | null {
  const left = waiting(book)
  return book.due('subscription', now).find(({ record }) => !left.includes(record.subscription_id))?.record ?? null
}

/**
 * Returns the number of months from `anchor` to the first period end after `now`. A period that ended long ago thus
 * continues without a charge.
 */
export function firstUntil(anchor: number, step: number, now: number): number {
  let months = 0
  while (addMonths(anchor, months) <= now) months += step
  return months
}

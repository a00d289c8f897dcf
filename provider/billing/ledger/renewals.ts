import type { MoneyLine } from '../../../contract/billing/purchase.ts'
import { buildPlanLine, computeSums } from '../pricing/quote.ts'
import { putCharge, listBlockedSubscriptionIds } from './pending-charges.ts'
import type { LedgerContext } from './ledger-context.ts'
import { addInvoice, markInvoicePaid } from './invoices.ts'
import { voidOpenInvoice } from './void-invoice.ts'
import { buildInvoicePostings, buildSettlementPostings } from './postings.ts'
import type { ChargeRecord, MethodRecord, RecordOf, SubscriptionRecord } from './record-schemas.ts'
import { addMonths } from '../pricing/billing-period.ts'
import { RETRY_DAYS } from './renewal-retries.ts'
import { endCanceledSubscription } from './cancel-subscription.ts'
import { setDefaultPaymentMethod } from './payment-methods.ts'
import { endPause } from './pause-subscription.ts'
import { queuePlanEndedNotification, queueChargeFailedNotification } from './notify-plan-changes.ts'
import {
  findDefaultMethod,
  getAccessEnd,
  isPaymentTooLate,
  getNextPeriodEnd,
  putSubscription,
  getNextSelection,
} from './subscription-rules.ts'

type RenewalJob = Extract<ChargeRecord['job'], { kind: 'renewal' }>

/**
 * Processes the due step of a subscription: end of a pause, renewal, retry, or end. Returns the id of a charge to
 * process, or null. Must run inside a transaction.
 */
export function processDueSubscription(
  ctx: LedgerContext,
  subscription: SubscriptionRecord,
  now: number,
): string | null {
  const { book } = ctx
  if (subscription.paused) {
    endPause(book, subscription, subscription.paused.until)
    return null
  }
  if (book.isEnded() || shouldEnd(ctx, subscription, now)) return endSubscription(ctx, subscription, now)
  const job: RenewalJob = {
    kind: 'renewal',
    subscription_id: subscription.subscription_id,
    at: subscription.until,
    asked: false,
  }
  const isChargedElsewhere = subscription.channel !== 'web' || ctx.gateway === null
  if (isChargedElsewhere && !subscription.overdue) return renewWithoutCharge(ctx, subscription, now)
  if (!subscription.overdue && isPaymentTooLate(subscription, now)) return waivePeriod(ctx, subscription, now)
  if (book.hasOtherCurrency())
    throw new Error(`The ledger is in ${book.currency}, but CURRENCY is set to another currency.`)
  const due = computeRenewalDue(ctx, subscription)
  const method = isChargedElsewhere ? null : findDefaultMethod(book)
  if (due === 0 && !isChargedElsewhere) recordRenewal(ctx, job, null, now)
  else if (method === null) recordDeclinedRenewal(ctx, job, null, now)
  else {
    const intent = `renewal ${subscription.subscription_id} ${subscription.until} ${subscription.overdue?.tries ?? 0}`
    return createRenewalCharge(ctx, { job, due, method, intent }, now)
  }
  return null
}

/** Returns the cents to collect for the next period or the open invoice, after the balance has paid its part. */
export const computeRenewalDue = (ctx: LedgerContext, subscription: SubscriptionRecord): number =>
  computeSums(getRenewalLines(ctx, subscription), ctx.book.getBalance()).due

/** Waives the charge for a period that ended before the provider could charge it. */
function waivePeriod({ book }: LedgerContext, subscription: SubscriptionRecord, now: number): null {
  putSubscription(book, book.addEntry('waived', subscription.subscription_id, now), {
    ...subscription,
    ...getNextSelection(subscription),
    scheduled: null,
    free: false,
    paid: 0,
    revision: subscription.revision + 1,
    from: subscription.until,
    until: getNextPeriodEnd(subscription),
    months: getNextMonthCount(subscription),
  })
  return null
}

/**
 * Returns true if a subscription ends instead of renewing. It is canceled, a trial, free without a payment method, past
 * due for too long, or past due in another channel.
 */
function shouldEnd({ book }: LedgerContext, subscription: SubscriptionRecord, now: number): boolean {
  if (subscription.status === 'past_due') return subscription.overdue === null || isPaymentTooLate(subscription, now)
  if (subscription.status === 'cancelled' || subscription.status === 'trial') return true
  return subscription.free && findDefaultMethod(book) === null
}

function endSubscription(ctx: LedgerContext, subscription: SubscriptionRecord, now: number): null {
  const { book } = ctx
  if (subscription.leaving) {
    endCanceledSubscription(ctx, subscription, now)
    return null
  }
  voidOpenInvoice(book, subscription, now)
  const entry = book.addEntry('end', subscription.subscription_id, now)
  const status = subscription.status === 'trial' ? subscription.status : ('cancelled' as const)
  const until = Math.min(getAccessEnd(subscription), Math.max(subscription.until, now))
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

/** Renews a subscription without a charge: another channel charges it, or there is no payment gateway. */
function renewWithoutCharge({ book }: LedgerContext, subscription: SubscriptionRecord, now: number): null {
  const entry = book.addEntry('elsewhere', subscription.subscription_id, now)
  putSubscription(book, entry, {
    ...subscription,
    ...getNextSelection(subscription),
    scheduled: null,
    paid: 0,
    from: subscription.until,
    until: getNextPeriodEnd(subscription),
    months: getNextMonthCount(subscription),
    revision: subscription.revision + 1,
  })
  return null
}

const getNextMonthCount = (subscription: SubscriptionRecord) =>
  subscription.months + (getNextSelection(subscription).period === 'monthly' ? 1 : 12)

function getRenewalLines({ book, taxBasisPoints }: LedgerContext, subscription: SubscriptionRecord): MoneyLine[] {
  const open = subscription.overdue && book.get('invoice', subscription.overdue.bill)
  return open
    ? [...open.lines]
    : [
        buildPlanLine(
          getNextSelection(subscription),
          subscription.until,
          getNextPeriodEnd(subscription),
          taxBasisPoints,
        ),
      ]
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
    charge_id,
    intent,
    state: 'written',
    begun_at: now,
    cents: due,
    currency: book.currency,
    token,
    method_id,
    heard: true,
    parked: false,
    stuck: false,
    asked_at: now,
    charge: null,
    job,
    declined: null,
  })
  return charge_id
}

/**
 * Records a paid renewal. The balance pays the part that `charge` has not paid; without a charge, it pays everything.
 */
export function recordRenewal(ctx: LedgerContext, job: RenewalJob, charge: ChargeRecord | null, now: number): void {
  const { book } = ctx
  const { subscription_id, at, asked: isRequested } = job
  const cash = charge?.cents ?? 0
  const subscription = book.get('subscription', subscription_id)
  if (subscription === null || subscription.until !== at) throw new Error("The renewal isn't for the next period.")
  const lines = getRenewalLines(ctx, subscription)
  const { subtotal, total } = computeSums(lines, 0)
  const openInvoice = subscription.overdue && book.get('invoice', subscription.overdue.bill)
  const postings = openInvoice ? [] : buildInvoicePostings(lines)
  const entry = book.addEntry('renewal', subscription_id, now, [...postings, ...buildSettlementPostings(total, cash)])
  const method = charge && book.get('method', charge.method_id)
  const paidInvoice = openInvoice
    ? markInvoicePaid(book, entry, openInvoice, { paid: cash, method }, now)
    : addInvoice(book, entry, { kind: 'invoice', subscription_id, lines, paid: cash, state: 'paid', method }, now)
  putSubscription(book, entry, {
    ...subscription,
    ...getNextSelection(subscription),
    status: 'active',
    scheduled: null,
    overdue: null,
    free: false,
    paid: subtotal,
    from: subscription.until,
    until: getNextPeriodEnd(subscription),
    months: getNextMonthCount(subscription),
    revision: subscription.revision + 1,
  })
  if (isRequested && charge) {
    book.put(entry, 'order', charge.charge_id, toOrder(subscription, charge, paidInvoice.bill, now))
    setDefaultPaymentMethod(book, charge.method_id, now)
  }
}

function toOrder(subscription: SubscriptionRecord, charge: ChargeRecord, bill: string, now: number): RecordOf<'order'> {
  const { charge_id, intent, cents } = charge
  return {
    order_id: charge_id,
    intent,
    subscription_id: subscription.subscription_id,
    bill,
    paid: cents,
    method: null,
    at: now,
    ...getNextSelection(subscription),
    starts_at: subscription.until,
    is_later: false,
    is_trial: false,
    next: null,
  }
}

export interface RenewalFailure {
  readonly code: string
  readonly method: MethodRecord | null
}

/**
 * Records a declined renewal and schedules a retry. After the last of `RETRY_DAYS`, ends the subscription. `failure` is
 * null without a payment method.
 */
export function recordDeclinedRenewal(
  ctx: LedgerContext,
  job: RenewalJob,
  failure: RenewalFailure | null,
  now: number,
): void {
  const { subscription_id } = job
  const { book } = ctx
  const subscription = book.get('subscription', subscription_id)
  if (subscription === null) return
  const tries = (subscription.overdue?.tries ?? 0) + 1
  if (tries > RETRY_DAYS.length) {
    endSubscription(ctx, subscription, now)
    return
  }
  const lines = getRenewalLines(ctx, subscription)
  const entry = book.addEntry('declined', subscription_id, now, subscription.overdue ? [] : buildInvoicePostings(lines))
  const bill =
    subscription.overdue?.bill ??
    addInvoice(book, entry, { kind: 'invoice', subscription_id, lines, paid: 0, state: 'open' }, now).bill
  const method = failure?.method ? toMethodSummary(failure.method) : null
  const after: SubscriptionRecord = {
    ...subscription,
    ...getNextSelection(subscription),
    scheduled: null,
    free: false,
    status: 'past_due',
    paid: 0,
    overdue: { bill, tries, since: subscription.overdue?.since ?? now, code: failure?.code ?? '', method },
    revision: subscription.revision + 1,
  }
  putSubscription(book, entry, after)
  queueChargeFailedNotification(book, after, now)
}

const toMethodSummary = ({ brand, last_four, name }: MethodRecord) => ({ brand, last_four, name })

/** Returns the next subscription that is due at `now`. Skips subscriptions that a charge blocks. */
export function findNextDueSubscription({ book }: LedgerContext, now: number): SubscriptionRecord | null {
  const blockedIds = listBlockedSubscriptionIds(book)
  return (
    book.listDue('subscription', now).find(({ record }) => !blockedIds.includes(record.subscription_id))?.record ?? null
  )
}

/** Returns the months from `anchor` to the first period end after `now`, so that past periods are not charged. */
export function countMonthsToNextEnd(anchor: number, stepMonths: number, now: number): number {
  let months = 0
  while (addMonths(anchor, months) <= now) months += stepMonths
  return months
}

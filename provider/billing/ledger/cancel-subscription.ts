import type { CancelReason, CancellationTiming, CancellationOption } from '../../../contract/billing/cancellation.ts'
import type { MoneyLine } from '../../../contract/billing/purchase.ts'
import { isFullRefund, computeUnusedMonths } from '../pricing/unused-time.ts'
import { addMonths } from '../pricing/billing-period.ts'
import { computeUnitPrice } from '../pricing/price.ts'
import { computeSums } from '../pricing/quote.ts'
import { computeTax } from '../pricing/tax.ts'
import type { LedgerError } from './ledger-calls.ts'
import type { LedgerStore } from './ledger-store.ts'
import { hasChargeInProgress } from './pending-charges.ts'
import type { LedgerContext } from './ledger-context.ts'
import { negateLines, voidOpenInvoice } from './void-invoice.ts'
import type { InvoiceRecord, SubscriptionRecord } from './record-schemas.ts'
import { createAccountDeletedError, createBusyError, isLedgerError, createLedgerError } from './errors.ts'
import { issueRefund, planRefund } from './refunds.ts'
import { toActiveSubscription, removeCancellation } from './subscription-transitions.ts'
import { isCameraPlan, hasAccess, putSubscription, willRenew } from './subscription-rules.ts'
import { queuePlanEndedNotification } from './notify-plan-changes.ts'

export interface SubscriptionVersion {
  readonly subscription_id: string
  readonly revision: number
}

/** Returns the subscription if the account may change it now; otherwise the error. */
export function findChangeableSubscription(
  store: LedgerStore,
  { subscription_id, revision }: SubscriptionVersion,
  now: number,
): SubscriptionRecord | LedgerError {
  if (store.isEnded()) return createAccountDeletedError()
  const subscription = store.get('subscription', subscription_id)
  if (subscription === null || !hasAccess(subscription, now)) return createLedgerError(404, 404)
  if (subscription.channel !== 'web') return createLedgerError(403, 403, 'Change this plan where you bought it.')
  if (subscription.revision !== revision)
    return createLedgerError('stale', 409, 'This plan has changed since you opened this page. Reload the page.')
  return hasChargeInProgress(store) ? createBusyError() : subscription
}

/**
 * Returns the options to cancel a plan, the option with the highest refund first; an error if the plan cannot be
 * canceled. Changes nothing.
 */
export function listCancellationOptions(
  ctx: LedgerContext,
  subscriptionId: string,
  now: number,
): readonly CancellationOption[] | LedgerError {
  const subscription = ctx.book.get('subscription', subscriptionId)
  if (subscription === null || !hasAccess(subscription, now)) return createLedgerError(404, 404)
  if (subscription.channel !== 'web') return createLedgerError(403, 403, 'Cancel this plan where you bought it.')
  if (subscription.status === 'trial' || subscription.status === 'cancelled')
    return createLedgerError('ends', 409, 'This plan ends automatically. There’s nothing to cancel.')
  return buildCancellationOptions(ctx, toActiveSubscription(subscription, now), now)
}

function buildCancellationOptions(
  ctx: LedgerContext,
  subscription: SubscriptionRecord,
  now: number,
): CancellationOption[] {
  if (subscription.status === 'past_due') return [buildCancellationOption(ctx, subscription, 'now', now, [])]
  const end = buildCancellationOption(ctx, subscription, 'end', subscription.until, [])
  const paid = listPaidInvoices(ctx.book, subscription)
  if (
    isFullRefund(findFirstPaymentTime(ctx.book, subscription, paid), now) &&
    !hadWholeRefund(ctx.book, subscription, now)
  )
    return [
      buildCancellationOption(ctx, subscription, 'now', now, negateLines(paid.flatMap(({ lines }) => lines))),
      end,
    ]
  if (subscription.period !== 'annual' || subscription.free) return [end]
  const { ends_at, months, back } = computeUnusedMonths(subscription, now)
  if (months === 0 || back === 0) return [end]
  return [
    {
      ...buildCancellationOption(ctx, subscription, 'month_end', ends_at, [
        buildUnusedMonthsLine(ctx, subscription, ends_at, back),
      ]),
      months,
    },
    end,
  ]
}

/**
 * An account gets at most one full refund per plan family (camera plans, home monitoring) within this number of months
 * (OPEN-178).
 */
const WHOLE_REFUND_MONTHS = 12

function hadWholeRefund(store: LedgerStore, subscription: SubscriptionRecord, now: number): boolean {
  const isSamePlanFamily = (other: SubscriptionRecord) => isCameraPlan(other) === isCameraPlan(subscription)
  return store
    .listRecords('subscription')
    .filter(isSamePlanFamily)
    .some(
      ({ leaving }) =>
        leaving?.way === 'now' && leaving.lines.length > 0 && now < addMonths(leaving.at, WHOLE_REFUND_MONTHS),
    )
}

function listPaidInvoices(store: LedgerStore, { subscription_id }: SubscriptionRecord) {
  const isOwn = (bill: { kind: string; state: string; subscription_id: string | null }) =>
    bill.kind === 'invoice' && bill.state === 'paid' && bill.subscription_id === subscription_id
  return store.listRecords('invoice').filter(isOwn)
}

/**
 * Returns the time of the subscription's first payment, ms UTC; null if there was none. Includes payments by card,
 * payments by balance, and payments from before the ledger existed.
 */
function findFirstPaymentTime(
  { sql }: LedgerStore,
  subscription: SubscriptionRecord,
  invoices: readonly InvoiceRecord[],
): number | null {
  const openingEntries = sql.exec(
    "SELECT 1 AS one FROM entries WHERE kind = 'opening' AND subject = ? LIMIT 1",
    subscription.subscription_id,
  )
  if (openingEntries.toArray().length > 0) return subscription.since
  const paid = invoices.filter(({ total }) => total > 0).map(({ at, paid_at }) => paid_at ?? at)
  return paid.length === 0 ? null : Math.min(...paid)
}

function buildUnusedMonthsLine(
  { taxBasisPoints }: LedgerContext,
  subscription: SubscriptionRecord,
  from: number,
  refundCents: number,
): MoneyLine {
  const { sku, period, quantity, until } = subscription
  return {
    kind: 'unused',
    sku,
    period,
    quantity,
    unit: computeUnitPrice(subscription),
    amount: 0 - refundCents,
    tax: computeTax(0 - refundCents, taxBasisPoints),
    from,
    to: until,
  }
}

function buildCancellationOption(
  { book }: LedgerContext,
  subscription: SubscriptionRecord,
  timing: CancellationTiming,
  ends_at: number,
  lines: MoneyLine[],
): CancellationOption {
  const { subtotal, tax, total } = computeSums(lines, 0)
  const isOwed = total < 0
  const cents = isOwed ? 0 - total : 0
  const refund = planRefund(book, subscription.subscription_id, cents, isOwed && timing === 'now')
  const { to_method, to_balance, from_balance, parts } = refund
  const paidBy = parts[0] && book.get('method', parts[0].charge.method_id)
  const method = paidBy ? { brand: paidBy.brand, last_four: paidBy.last_four, name: paidBy.name } : null
  return {
    way: timing,
    ends_at,
    lines: isOwed ? lines : [],
    method,
    months: 0,
    to_method,
    to_balance,
    from_balance,
    ...(isOwed ? { subtotal, tax, total } : { subtotal: 0, tax: 0, total: 0 }),
  }
}

export interface CancellationResult {
  readonly subscription_id: string
  readonly ends_at: number
  readonly to_method: number
  readonly to_balance: number
  readonly bill: string
}

/**
 * Cancels a plan with the option `way`. Returns an error if the plan cannot be changed or this option is not available.
 * Must run inside a transaction.
 */
export function applyCancellation(
  ctx: LedgerContext,
  version: SubscriptionVersion,
  { way: timing, reason }: { readonly way: CancellationTiming; readonly reason: CancelReason | null },
  now: number,
): CancellationResult | LedgerError {
  const subscription = findChangeableSubscription(ctx.book, version, now)
  if (isLedgerError(subscription)) return subscription
  const options = listCancellationOptions(ctx, version.subscription_id, now)
  if (isLedgerError(options)) return options
  const chosen = options.find((each) => each.way === timing)
  if (!chosen)
    return createLedgerError('stale', 409, 'This cancellation option is no longer available. Reload the page.')
  return cancelWithOption(ctx, subscription, { chosen, reason }, now)
}

function cancelWithOption(
  ctx: LedgerContext,
  subscription: SubscriptionRecord,
  { chosen, reason }: { readonly chosen: CancellationOption; readonly reason: CancelReason | null },
  now: number,
): CancellationResult {
  const before = toActiveSubscription(subscription, now)
  const leaving = {
    at: now,
    way: chosen.way,
    reason,
    until: before.until,
    scheduled: before.scheduled,
    lines: chosen.lines,
    to_method: chosen.to_method,
    to_balance: chosen.to_balance,
  }
  const after = { ...before, status: 'cancelled' as const, until: chosen.ends_at, scheduled: null, leaving }
  const { to_method, to_balance, ends_at } = chosen
  const result = { subscription_id: subscription.subscription_id, ends_at, to_method, to_balance }
  if (chosen.way === 'now')
    return { ...result, bill: endCanceledSubscription(ctx, { ...after, overdue: before.overdue }, now) }
  const entry = ctx.book.addEntry('cancelled', subscription.subscription_id, now)
  putSubscription(ctx.book, entry, { ...after, revision: subscription.revision + 1 })
  return { ...result, bill: '' }
}

/** Ends a canceled plan with its promised refund. Returns the number of the credit note; '' without one. */
export function endCanceledSubscription(ctx: LedgerContext, subscription: SubscriptionRecord, now: number): string {
  const { book } = ctx
  voidOpenInvoice(book, subscription, now)
  const lines = subscription.leaving?.lines ?? []
  const bill =
    lines.length > 0
      ? issueRefund(ctx, subscription, { lines, isWhole: subscription.leaving?.way === 'now' }, now).bill
      : ''
  const entry = book.addEntry('end', subscription.subscription_id, now)
  const ended = {
    ...subscription,
    until: Math.min(subscription.until, now),
    scheduled: null,
    overdue: null,
    over: true,
  }
  putSubscription(book, entry, { ...ended, revision: subscription.revision + 1 })
  queuePlanEndedNotification(book, ended, now)
  return bill
}

/**
 * Cancels all running web plans except free trials, each with the option that refunds most. Also replaces an existing
 * cancellation if its refund is lower. Changes nothing while a charge is pending. Must run inside a transaction.
 */
export function cancelAllSubscriptions(ctx: LedgerContext, now: number): void {
  if (hasChargeInProgress(ctx.book)) return
  for (const subscription of ctx.book.listRecords('subscription')) {
    if (!hasAccess(subscription, now) || subscription.channel !== 'web' || subscription.status === 'trial') continue
    const [best] = buildCancellationOptions(ctx, toActiveSubscription(subscription, now), now)
    const promised = subscription.leaving ? subscription.leaving.to_method + subscription.leaving.to_balance : -1
    if (best && (willRenew(subscription) || best.to_method + best.to_balance > promised))
      cancelWithOption(ctx, subscription, { chosen: best, reason: subscription.leaving?.reason ?? null }, now)
  }
}

/**
 * Undoes a pending cancellation. Returns the error `stale` if the plan is not canceled. Must run inside a transaction.
 */
export function undoCancellation(ctx: LedgerContext, version: SubscriptionVersion, now: number) {
  const { book } = ctx
  const subscription = findChangeableSubscription(book, version, now)
  if (isLedgerError(subscription)) return subscription
  if (subscription.status !== 'cancelled') return createLedgerError('stale', 409, 'This plan isn’t canceled.')
  const entry = book.addEntry('undone', subscription.subscription_id, now)
  const after = { ...removeCancellation(subscription), status: 'active' as const, revision: subscription.revision + 1 }
  putSubscription(book, entry, after)
  return { subscription_id: subscription.subscription_id, renews_at: after.until }
}

import type { CancelReason, CancellationTiming, LeavingWay } from '../../../contract/billing/cancellation.ts'
import type { MoneyLine } from '../../../contract/billing/purchase.ts'
import { isWholeRefund, unusedMonths } from '../pricing/unused-time.ts'
import { addMonths } from '../pricing/billing-period.ts'
import { unitPriceFor } from '../pricing/price.ts'
import { computeSums } from '../pricing/quote.ts'
import { taxFor } from '../pricing/tax.ts'
import type { LedgerError } from './ledger-calls.ts'
import type { LedgerStore } from './ledger-store.ts'
import { isBusy } from './pending-charges.ts'
import type { LedgerContext } from './ledger-context.ts'
import { negateLines, voidOverdue } from './void-invoice.ts'
import type { InvoiceRecord, SubscriptionRecord } from './record-schemas.ts'
import { accountGone, busy, isRefused, ledgerError } from './errors.ts'
import { issueRefund, planRefund } from './refunds.ts'
import { activeSubscription, withoutCancellation } from './subscription-transitions.ts'
import { isCameraPlan, isLive, putSubscription, renews } from './subscription-rules.ts'
import { queuePlanEndedNotification } from './notify-plan-changes.ts'

export interface SubscriptionVersion {
  readonly subscription_id: string
  readonly revision: number
}

/** Returns the subscription if the account may change it now, else the error. */
export function changeable(
  book: LedgerStore,
  { subscription_id, revision }: SubscriptionVersion,
  now: number,
): SubscriptionRecord | LedgerError {
  if (book.isEnded()) return accountGone()
  const subscription = book.get('subscription', subscription_id)
  if (subscription === null || !isLive(subscription, now)) return ledgerError(404, 404)
  if (subscription.channel !== 'web') return ledgerError(403, 403, 'This plan is changed where it was bought.')
  if (subscription.revision !== revision) return ledgerError('stale', 409, 'The plan has changed in the meantime.')
  return isBusy(book) ? busy() : subscription
}

/** Returns the options to cancel a plan, the primary one first. Changes nothing. */
export function cancellationOptions(
  ctx: LedgerContext,
  subscriptionId: string,
  now: number,
): readonly LeavingWay[] | LedgerError {
  const subscription = ctx.book.get('subscription', subscriptionId)
  if (subscription === null || !isLive(subscription, now)) return ledgerError(404, 404)
  if (subscription.channel !== 'web') return ledgerError(403, 403, 'This plan is cancelled where it was bought.')
  if (subscription.status === 'trial' || subscription.status === 'cancelled')
    return ledgerError('ends', 409, 'This plan ends by itself.')
  return waysFor(ctx, activeSubscription(subscription, now), now)
}

function waysFor(ctx: LedgerContext, subscription: SubscriptionRecord, now: number): LeavingWay[] {
  if (subscription.status === 'past_due') return [way(ctx, subscription, 'now', now, [])]
  const end = way(ctx, subscription, 'end', subscription.until, [])
  const paid = paidBills(ctx.book, subscription)
  if (isWholeRefund(firstPaid(ctx.book, subscription, paid), now) && !hadWholeRefund(ctx.book, subscription, now))
    return [way(ctx, subscription, 'now', now, negateLines(paid.flatMap(({ lines }) => lines))), end]
  if (subscription.period !== 'annual' || subscription.free) return [end]
  const { ends_at, months, back } = unusedMonths(subscription, now)
  if (months === 0 || back === 0) return [end]
  return [
    { ...way(ctx, subscription, 'month_end', ends_at, [monthsLine(ctx, subscription, ends_at, back)]), months },
    end,
  ]
}

/**
 * Within this number of months, an account gets at most one full refund per plan family: camera plans, or home
 * monitoring (OPEN-178).
 */
const WHOLE_REFUND_MONTHS = 12

function hadWholeRefund(book: LedgerStore, subscription: SubscriptionRecord, now: number): boolean {
  const isFamily = (other: SubscriptionRecord) => isCameraPlan(other) === isCameraPlan(subscription)
  return book
    .all('subscription')
    .filter(isFamily)
    .some(
      ({ leaving }) =>
        leaving?.way === 'now' && leaving.lines.length > 0 && now < addMonths(leaving.at, WHOLE_REFUND_MONTHS),
    )
}

function paidBills(book: LedgerStore, { subscription_id }: SubscriptionRecord) {
  const isOwn = (bill: { kind: string; state: string; subscription_id: string | null }) =>
    bill.kind === 'invoice' && bill.state === 'paid' && bill.subscription_id === subscription_id
  return book.all('invoice').filter(isOwn)
}

/**
 * Returns the time of the subscription's first payment, ms UTC; null if there was none. Payments by card, by balance
 * and from before the ledger existed count.
 */
function firstPaid(
  { sql }: LedgerStore,
  subscription: SubscriptionRecord,
  bills: readonly InvoiceRecord[],
): number | null {
  const opened = sql.exec(
    "SELECT 1 AS one FROM entries WHERE kind = 'opening' AND subject = ? LIMIT 1",
    subscription.subscription_id,
  )
  if (opened.toArray().length > 0) return subscription.since
  const paid = bills.filter(({ total }) => total > 0).map(({ at, paid_at }) => paid_at ?? at)
  return paid.length === 0 ? null : Math.min(...paid)
}

function monthsLine(
  { taxBasisPoints }: LedgerContext,
  subscription: SubscriptionRecord,
  from: number,
  back: number,
): MoneyLine {
  const { sku, period, quantity, until } = subscription
  return {
    ...{ kind: 'unused', sku, period, quantity, unit: unitPriceFor(subscription), amount: 0 - back },
    ...{ tax: taxFor(0 - back, taxBasisPoints), from, to: until },
  }
}

function way(
  { book }: LedgerContext,
  subscription: SubscriptionRecord,
  name: CancellationTiming,
  ends_at: number,
  lines: MoneyLine[],
): LeavingWay {
  const { subtotal, tax, total } = computeSums(lines, 0)
  const isOwed = total < 0
  const cents = isOwed ? 0 - total : 0
  const refund = planRefund(book, subscription.subscription_id, cents, isOwed && name === 'now')
  const { to_method, to_balance, from_balance, parts } = refund
  const paidBy = parts[0] && book.get('method', parts[0].charge.method_id)
  const method = paidBy ? { brand: paidBy.brand, last_four: paidBy.last_four, name: paidBy.name } : null
  return {
    ...{ way: name, ends_at, lines: isOwed ? lines : [], method, months: 0, to_method, to_balance, from_balance },
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

/** Cancels a plan. Runs inside a transaction. */
export function applyCancellation(
  ctx: LedgerContext,
  version: SubscriptionVersion,
  { way: name, reason }: { readonly way: CancellationTiming; readonly reason: CancelReason | null },
  now: number,
): CancellationResult | LedgerError {
  const subscription = changeable(ctx.book, version, now)
  if (isRefused(subscription)) return subscription
  const ways = cancellationOptions(ctx, version.subscription_id, now)
  if (isRefused(ways)) return ways
  const chosen = ways.find((each) => each.way === name)
  if (!chosen) return ledgerError('stale', 409, 'The plan cannot be left in this way any more.')
  return leaveIn(ctx, subscription, { chosen, reason }, now)
}

/** Cancels a plan with the chosen option. Runs inside a transaction. */
function leaveIn(
  ctx: LedgerContext,
  subscription: SubscriptionRecord,
  { chosen, reason }: { readonly chosen: LeavingWay; readonly reason: CancelReason | null },
  now: number,
): CancellationResult {
  const before = activeSubscription(subscription, now)
  const leaving = {
    ...{ at: now, way: chosen.way, reason, until: before.until, scheduled: before.scheduled, lines: chosen.lines },
    ...{ to_method: chosen.to_method, to_balance: chosen.to_balance },
  }
  const after = { ...before, status: 'cancelled' as const, until: chosen.ends_at, scheduled: null, leaving }
  const { to_method, to_balance, ends_at } = chosen
  const answer = { subscription_id: subscription.subscription_id, ends_at, to_method, to_balance }
  if (chosen.way === 'now') return { ...answer, bill: endLeft(ctx, { ...after, overdue: before.overdue }, now) }
  const entry = ctx.book.enter('cancelled', subscription.subscription_id, now)
  putSubscription(ctx.book, entry, { ...after, revision: subscription.revision + 1 })
  return { ...answer, bill: '' }
}

/** Ends a canceled plan with its promised refund. Returns the number of the credit note; '' without one. */
export function endLeft(ctx: LedgerContext, subscription: SubscriptionRecord, now: number): string {
  const { book } = ctx
  voidOverdue(book, subscription, now)
  const lines = subscription.leaving?.lines ?? []
  const bill =
    lines.length > 0
      ? issueRefund(ctx, subscription, { lines, isWhole: subscription.leaving?.way === 'now' }, now).bill
      : ''
  const entry = book.enter('end', subscription.subscription_id, now)
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
 * Cancels every plan with the option that refunds most, including plans that are canceled already. Changes nothing
 * while a charge is pending. Runs inside a transaction.
 */
export function leaveAll(ctx: LedgerContext, now: number): void {
  if (isBusy(ctx.book)) return
  for (const subscription of ctx.book.all('subscription')) {
    if (!isLive(subscription, now) || subscription.channel !== 'web' || subscription.status === 'trial') continue
    const [best] = waysFor(ctx, activeSubscription(subscription, now), now)
    const promised = subscription.leaving ? subscription.leaving.to_method + subscription.leaving.to_balance : -1
    if (best && (renews(subscription) || best.to_method + best.to_balance > promised))
      leaveIn(ctx, subscription, { chosen: best, reason: subscription.leaving?.reason ?? null }, now)
  }
}

/** Undoes a cancellation. Runs inside a transaction. */
export function undoCancellation(ctx: LedgerContext, version: SubscriptionVersion, now: number) {
  const { book } = ctx
  const subscription = changeable(book, version, now)
  if (isRefused(subscription)) return subscription
  if (subscription.status !== 'cancelled') return ledgerError('stale', 409, 'The plan is not cancelled.')
  const entry = book.enter('undone', subscription.subscription_id, now)
  const after = { ...withoutCancellation(subscription), status: 'active' as const, revision: subscription.revision + 1 }
  putSubscription(book, entry, after)
  return { subscription_id: subscription.subscription_id, renews_at: after.until }
}

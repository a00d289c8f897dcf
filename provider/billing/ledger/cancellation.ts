import type { CancelReason, LeaveWay, LeavingWay } from '../../../contract/billing/cancellation.ts'
import type { MoneyLine } from '../../../contract/billing/purchase.ts'
import { isWholeRefund, unusedMonths } from '../pricing/cancellation-refund.ts'
import { addMonths } from '../pricing/billing-period.ts'
import { unitOf } from '../pricing/price.ts'
import { sumsOf } from '../pricing/quote.ts'
import { taxOf } from '../pricing/tax.ts'
import type { Refused } from './ledger-calls.ts'
import type { Book } from './ledger-store.ts'
import { isBusy } from './pending-charges.ts'
import type { LedgerContext } from './ledger-context.ts'
import { given, voidOverdue } from './void-invoice.ts'
import type { InvoiceRecord, SubscriptionRecord } from './record-schemas.ts'
import { accountGone, busy, isRefused, refuse } from './errors.ts'
import { giveBack, planRefund } from './refunds.ts'
import { standing, staying } from './subscription-transitions.ts'
import { isCameraPlan, isLive, putSubscription, renews } from './subscription-rules.ts'
import { tellEnd } from './billing-notifications.ts'

/** A subscription as a page knew it. */
export interface Known {
  readonly subscription_id: string
  readonly revision: number
}

/** What somebody may change of a plan of theirs; or why they may not. */
export function changeable(
  book: Book,
  { subscription_id, revision }: Known,
  now: number,
): SubscriptionRecord | Refused {
  if (book.isEnded()) return accountGone()
  const one = book.get('subscription', subscription_id)
  if (one === null || !isLive(one, now)) return refuse(404, 404)
  if (one.channel !== 'web') return refuse(403, 403, 'This plan is changed where it was bought.')
  if (one.revision !== revision) return refuse('stale', 409, 'The plan has changed in the meantime.')
  return isBusy(book) ? busy() : one
}

/** The ways in which a plan can be left; the first one is what is spoken of. Nothing changes. */
export function waysOf(ctx: LedgerContext, subscriptionId: string, now: number): readonly LeavingWay[] | Refused {
  const one = ctx.book.get('subscription', subscriptionId)
  if (one === null || !isLive(one, now)) return refuse(404, 404)
  if (one.channel !== 'web') return refuse(403, 403, 'This plan is cancelled where it was bought.')
  if (one.status === 'trial' || one.status === 'cancelled') return refuse('ends', 409, 'This plan ends by itself.')
  return waysFor(ctx, standing(one, now), now)
}

function waysFor(ctx: LedgerContext, one: SubscriptionRecord, now: number): LeavingWay[] {
  if (one.status === 'past_due') return [way(ctx, one, 'now', now, [])]
  const end = way(ctx, one, 'end', one.until, [])
  const paid = paidBills(ctx.book, one)
  if (isWholeRefund(firstPaid(ctx.book, one, paid), now) && !hadWholeRefund(ctx.book, one, now))
    return [way(ctx, one, 'now', now, given(paid.flatMap(({ lines }) => lines))), end]
  if (one.period !== 'annual' || one.free) return [end]
  const { ends_at, months, back } = unusedMonths(one, now)
  if (months === 0 || back === 0) return [end]
  return [{ ...way(ctx, one, 'month_end', ends_at, [monthsLine(ctx, one, ends_at, back)]), months }, end]
}

/** Months in which an account has a whole refund once for each plan family: camera plans, or home monitoring (OPEN-178). */
const WHOLE_REFUND_MONTHS = 12

function hadWholeRefund(book: Book, one: SubscriptionRecord, now: number): boolean {
  const isFamily = (other: SubscriptionRecord) => isCameraPlan(other) === isCameraPlan(one)
  return book
    .all('subscription')
    .filter(isFamily)
    .some(
      ({ leaving }) =>
        leaving?.way === 'now' && leaving.lines.length > 0 && now < addMonths(leaving.at, WHOLE_REFUND_MONTHS),
    )
}

function paidBills(book: Book, { subscription_id }: SubscriptionRecord) {
  const isOwn = (bill: { kind: string; state: string; subscription_id: string | null }) =>
    bill.kind === 'invoice' && bill.state === 'paid' && bill.subscription_id === subscription_id
  return book.all('invoice').filter(isOwn)
}

/** When it was first paid for, ms UTC: by card or balance, here or before there was a book; null: never. */
function firstPaid({ sql }: Book, one: SubscriptionRecord, bills: readonly InvoiceRecord[]): number | null {
  const opened = sql.exec(
    "SELECT 1 AS one FROM entries WHERE kind = 'opening' AND subject = ? LIMIT 1",
    one.subscription_id,
  )
  if (opened.toArray().length > 0) return one.since
  const paid = bills.filter(({ total }) => total > 0).map(({ at, paid_at }) => paid_at ?? at)
  return paid.length === 0 ? null : Math.min(...paid)
}

/** The line that gives back whole months. */
function monthsLine({ taxBasisPoints }: LedgerContext, one: SubscriptionRecord, from: number, back: number): MoneyLine {
  const { sku, period, quantity, until } = one
  return {
    ...{ kind: 'unused', sku, period, quantity, unit: unitOf(one), amount: 0 - back },
    ...{ tax: taxOf(0 - back, taxBasisPoints), from, to: until },
  }
}

function way(
  { book }: LedgerContext,
  one: SubscriptionRecord,
  name: LeaveWay,
  ends_at: number,
  lines: MoneyLine[],
): LeavingWay {
  const { subtotal, tax, total } = sumsOf(lines, 0)
  const isOwed = total < 0
  const cents = isOwed ? 0 - total : 0
  const refund = planRefund(book, one.subscription_id, cents, isOwed && name === 'now')
  const { to_method, to_balance, from_balance, parts } = refund
  const paidBy = parts[0] && book.get('method', parts[0].charge.method_id)
  const method = paidBy ? { brand: paidBy.brand, last_four: paidBy.last_four, name: paidBy.name } : null
  return {
    ...{ way: name, ends_at, lines: isOwed ? lines : [], method, months: 0, to_method, to_balance, from_balance },
    ...(isOwed ? { subtotal, tax, total } : { subtotal: 0, tax: 0, total: 0 }),
  }
}

export interface Left {
  readonly subscription_id: string
  readonly ends_at: number
  readonly to_method: number
  readonly to_balance: number
  readonly bill: string
}

/** Leaves a plan. Inside a transaction. */
export function leave(
  ctx: LedgerContext,
  known: Known,
  { way: name, reason }: { readonly way: LeaveWay; readonly reason: CancelReason | null },
  now: number,
): Left | Refused {
  const one = changeable(ctx.book, known, now)
  if (isRefused(one)) return one
  const ways = waysOf(ctx, known.subscription_id, now)
  if (isRefused(ways)) return ways
  const chosen = ways.find((each) => each.way === name)
  if (!chosen) return refuse('stale', 409, 'The plan cannot be left in this way any more.')
  return leaveIn(ctx, one, { chosen, reason }, now)
}

/** Leaves a plan in one of its ways. Inside a transaction. */
function leaveIn(
  ctx: LedgerContext,
  one: SubscriptionRecord,
  { chosen, reason }: { readonly chosen: LeavingWay; readonly reason: CancelReason | null },
  now: number,
): Left {
  const before = standing(one, now)
  const leaving = {
    ...{ at: now, way: chosen.way, reason, until: before.until, scheduled: before.scheduled, lines: chosen.lines },
    ...{ to_method: chosen.to_method, to_balance: chosen.to_balance },
  }
  const after = { ...before, status: 'cancelled' as const, until: chosen.ends_at, scheduled: null, leaving }
  const { to_method, to_balance, ends_at } = chosen
  const answer = { subscription_id: one.subscription_id, ends_at, to_method, to_balance }
  if (chosen.way === 'now') return { ...answer, bill: endLeft(ctx, { ...after, overdue: before.overdue }, now) }
  const entry = ctx.book.enter('cancelled', one.subscription_id, now)
  putSubscription(ctx.book, entry, { ...after, revision: one.revision + 1 })
  return { ...answer, bill: '' }
}

/** Ends a plan that was left: what was promised comes back. Answers the number of the credit note, ''. */
export function endLeft(ctx: LedgerContext, one: SubscriptionRecord, now: number): string {
  const { book } = ctx
  voidOverdue(book, one, now)
  const lines = one.leaving?.lines ?? []
  const bill = lines.length > 0 ? giveBack(ctx, one, { lines, isWhole: one.leaving?.way === 'now' }, now).bill : ''
  const entry = book.enter('end', one.subscription_id, now)
  const ended = { ...one, until: Math.min(one.until, now), scheduled: null, overdue: null, over: true }
  putSubscription(book, entry, { ...ended, revision: one.revision + 1 })
  tellEnd(book, ended, now)
  return bill
}

/**
 * Leaves every plan in the way that refunds most, plans that are cancelled already included. While a charge is under way
 * nothing changes. Inside a transaction.
 */
export function leaveAll(ctx: LedgerContext, now: number): void {
  if (isBusy(ctx.book)) return
  for (const one of ctx.book.all('subscription')) {
    if (!isLive(one, now) || one.channel !== 'web' || one.status === 'trial') continue
    const [best] = waysFor(ctx, standing(one, now), now)
    const promised = one.leaving ? one.leaving.to_method + one.leaving.to_balance : -1
    if (best && (renews(one) || best.to_method + best.to_balance > promised))
      leaveIn(ctx, one, { chosen: best, reason: one.leaving?.reason ?? null }, now)
  }
}

/** Takes a cancellation back. Inside a transaction. */
export function stay(ctx: LedgerContext, known: Known, now: number) {
  const { book } = ctx
  const one = changeable(book, known, now)
  if (isRefused(one)) return one
  if (one.status !== 'cancelled') return refuse('stale', 409, 'The plan is not cancelled.')
  const entry = book.enter('undone', one.subscription_id, now)
  const after = { ...staying(one), status: 'active' as const, revision: one.revision + 1 }
  putSubscription(book, entry, after)
  return { subscription_id: one.subscription_id, renews_at: after.until }
}

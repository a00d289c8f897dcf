import type { MoneyLine } from '../../contract/purchase.ts'
import { planLine, sumsOf } from '../money/quote.ts'
import { putCharge, waiting } from './charges.ts'
import type { LedgerContext } from './context.ts'
import { addBill, payBill } from './invoices.ts'
import { voidOverdue } from './overdue.ts'
import { billed, settled } from './postings.ts'
import type { ChargeRecord, MethodRecord, SubscriptionRecord } from './records.ts'
import { addMonths } from '../money/period.ts'
import { defaultMethod, givesUntil, nextUntil, putSubscription, RETRY_DAYS, targetOf } from './subscriptions.ts'

export type RenewalJob = Extract<ChargeRecord['job'], { kind: 'renewal' }>

/**
 * Does what is due of one subscription: its renewal, another try at it, or its end. Answers a charge that is to be taken on.
 * One transaction.
 */
export function renew(ctx: LedgerContext, one: SubscriptionRecord, now: number): string | null {
  const { book } = ctx
  if (book.isEnded() || endsNow(ctx, one)) return finish(ctx, one, now)
  const job: RenewalJob = { kind: 'renewal', subscription_id: one.subscription_id, at: one.until }
  const isElsewhere = one.channel !== 'web' || ctx.gateway === null
  if (isElsewhere && !one.overdue) return renewElsewhere(ctx, one, now)
  const { due } = sumsOf(linesFor(ctx, one), book.balance())
  const method = isElsewhere ? null : defaultMethod(book)
  if (due === 0 && !isElsewhere) bookRenewal(ctx, job, { cash: 0, method: null }, now)
  else if (method === null) declineRenewal(ctx, job, now)
  else return ask(ctx, one, { job, due, token: method.token, method_id: method.method_id }, now)
  return null
}

/** By itself: what is cancelled, what another channel was not paid for, free days, and free months that nobody has a method for. */
function endsNow({ book }: LedgerContext, one: SubscriptionRecord): boolean {
  if (one.status === 'past_due') return one.overdue === null
  if (one.status === 'cancelled' || one.status === 'trial') return true
  return one.free && defaultMethod(book) === null
}

function finish({ book }: LedgerContext, one: SubscriptionRecord, now: number): null {
  voidOverdue(book, one, now)
  const entry = book.enter('end', one.subscription_id, now)
  const status = one.status === 'trial' ? one.status : ('cancelled' as const)
  const until = Math.min(givesUntil(one), Math.max(one.until, now))
  const after = { ...one, status, until, scheduled: null, overdue: null, over: true, revision: one.revision + 1 }
  putSubscription(book, entry, after)
  return null
}

/** Whoever sold it collects for it; where nothing is sold, nobody does. */
function renewElsewhere({ book }: LedgerContext, one: SubscriptionRecord, now: number): null {
  const { sku, period, quantity } = targetOf(one)
  const entry = book.enter('elsewhere', one.subscription_id, now)
  putSubscription(book, entry, {
    ...{ ...one, sku, period, quantity, scheduled: null, paid: 0 },
    ...{ from: one.until, until: nextUntil(one), months: monthsAfter(one), revision: one.revision + 1 },
  })
  return null
}

const monthsAfter = (one: SubscriptionRecord) => one.months + (targetOf(one).period === 'monthly' ? 1 : 12)

/** The bill of the next period: the open one, where it was tried before. */
function linesFor({ book, taxBasisPoints }: LedgerContext, one: SubscriptionRecord): MoneyLine[] {
  const open = one.overdue && book.get('invoice', one.overdue.bill)
  return open ? [...open.lines] : [planLine(targetOf(one), one.until, nextUntil(one), taxBasisPoints)]
}

interface Asked {
  readonly job: RenewalJob
  readonly due: number
  readonly token: string
  readonly method_id: string
}

function ask({ book, newId }: LedgerContext, one: SubscriptionRecord, asked: Asked, now: number): string {
  const { job, due, token, method_id } = asked
  const charge_id = newId('order')
  putCharge(book, {
    ...{
      charge_id,
      intent: `renewal ${one.subscription_id} ${one.until} ${one.overdue?.tries ?? 0}`,
      state: 'written',
    },
    ...{ begun_at: now, cents: due, token, method_id, heard: true, parked: false, stuck: false, asked_at: now },
    ...{ charge: null, job, declined: null },
  })
  return charge_id
}

/** Writes a renewal that was paid: `cash` collected from `method`, the rest from the balance. */
export function bookRenewal(
  ctx: LedgerContext,
  { subscription_id, at }: RenewalJob,
  { cash, method }: { cash: number; method: MethodRecord | null },
  now: number,
): void {
  const { book } = ctx
  const one = book.get('subscription', subscription_id)
  if (one === null || one.until !== at) throw new Error('The period of a renewal is not the next one.')
  const lines = linesFor(ctx, one)
  const { subtotal, total } = sumsOf(lines, 0)
  const open = one.overdue && book.get('invoice', one.overdue.bill)
  const bill = open ? [] : billed(lines)
  const entry = book.enter('renewal', subscription_id, now, [...bill, ...settled(total, cash)])
  if (open) payBill(book, entry, open, { paid: cash, method }, now)
  else addBill(book, entry, { kind: 'invoice', subscription_id, lines, paid: cash, state: 'paid', method }, now)
  const { sku, period, quantity } = targetOf(one)
  putSubscription(book, entry, {
    ...{ ...one, sku, period, quantity, status: 'active', scheduled: null, overdue: null, free: false, paid: subtotal },
    ...{ from: one.until, until: nextUntil(one), months: monthsAfter(one), revision: one.revision + 1 },
  })
}

/** A renewal that was declined is tried again on days of its own, and then it is over. */
export function declineRenewal(ctx: LedgerContext, { subscription_id }: RenewalJob, now: number): void {
  const { book } = ctx
  const one = book.get('subscription', subscription_id)
  if (one === null) return
  const tries = (one.overdue?.tries ?? 0) + 1
  if (tries > RETRY_DAYS.length) {
    finish(ctx, one, now)
    return
  }
  const lines = linesFor(ctx, one)
  const entry = book.enter('declined', subscription_id, now, one.overdue ? [] : billed(lines))
  const bill =
    one.overdue?.bill ??
    addBill(book, entry, { kind: 'invoice', subscription_id, lines, paid: 0, state: 'open' }, now).bill
  const { sku, period, quantity } = targetOf(one)
  putSubscription(book, entry, {
    ...{ ...one, sku, period, quantity, scheduled: null, free: false, status: 'past_due', paid: 0 },
    ...{ overdue: { bill, tries }, revision: one.revision + 1 },
  })
}

/** The next subscription of which something is due at `now`; what waits for a charge is left out. */
export function nextToRenew({ book }: LedgerContext, now: number): SubscriptionRecord | null {
  const left = waiting(book)
  return book.due('subscription', now).find(({ record }) => !left.includes(record.subscription_id))?.record ?? null
}

/** Periods that would have ended long ago begin anew, uncharged, at the first end after `now`. */
export function firstUntil(anchor: number, step: number, now: number): number {
  let months = 0
  while (addMonths(anchor, months) <= now) months += step
  return months
}

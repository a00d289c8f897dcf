import type { MoneyLine } from '../../../contract/billing/purchase.ts'
import { planLine, sumsOf } from '../pricing/quote.ts'
import { putCharge, waiting } from './pending-charges.ts'
import type { LedgerContext } from './ledger-context.ts'
import { addBill, payBill } from './invoices.ts'
import { voidOverdue } from './void-invoice.ts'
import { billed, settled } from './postings.ts'
import type { ChargeRecord, MethodRecord, RecordOf, SubscriptionRecord } from './record-schemas.ts'
import { addMonths } from '../pricing/billing-period.ts'
import { endLeft } from './cancellation.ts'
import { chooseMethod } from './payment-methods.ts'
import { endPause } from './pause-subscription.ts'
import { tellEnd, tellFailure } from './billing-notifications.ts'
import {
  defaultMethod,
  givesUntil,
  isTooLate,
  nextUntil,
  putSubscription,
  RETRY_DAYS,
  targetOf,
} from './subscription-rules.ts'

type RenewalJob = Extract<ChargeRecord['job'], { kind: 'renewal' }>

/**
 * Does what is due of one subscription: its renewal, another try at it, or its end. Answers a charge that is to be taken on.
 * One transaction.
 */
export function renew(ctx: LedgerContext, one: SubscriptionRecord, now: number): string | null {
  const { book } = ctx
  if (one.paused) {
    endPause(book, one, one.paused.until)
    return null
  }
  if (book.isEnded() || endsNow(ctx, one, now)) return finish(ctx, one, now)
  const job: RenewalJob = { kind: 'renewal', subscription_id: one.subscription_id, at: one.until, asked: false }
  const isElsewhere = one.channel !== 'web' || ctx.gateway === null
  if (isElsewhere && !one.overdue) return renewElsewhere(ctx, one, now)
  if (!one.overdue && isTooLate(one, now)) return waive(ctx, one, now)
  if (book.isOfOtherCurrency()) throw new Error(`The ledger is in ${book.currency}, and CURRENCY is another one.`)
  const due = dueOfRenewal(ctx, one)
  const method = isElsewhere ? null : defaultMethod(book)
  if (due === 0 && !isElsewhere) bookRenewal(ctx, job, null, now)
  else if (method === null) declineRenewal(ctx, job, null, now)
  else {
    const intent = `renewal ${one.subscription_id} ${one.until} ${one.overdue?.tries ?? 0}`
    return askRenewal(ctx, { job, due, method, intent }, now)
  }
  return null
}

/** What is to be collected for the next period, or is open of it: cents, less what the balance pays. */
export const dueOfRenewal = (ctx: LedgerContext, one: SubscriptionRecord): number =>
  sumsOf(linesFor(ctx, one), ctx.book.balance()).due

/** A period that is over before anybody could ask for it lay within an outage of ours: it was given, and is not charged. */
function waive({ book }: LedgerContext, one: SubscriptionRecord, now: number): null {
  putSubscription(book, book.enter('waived', one.subscription_id, now), {
    ...{ ...one, ...targetOf(one), scheduled: null, free: false, paid: 0, revision: one.revision + 1 },
    ...{ from: one.until, until: nextUntil(one), months: monthsAfter(one) },
  })
  return null
}

/** By itself: what is cancelled, what another channel was not paid for, free days, and free months that nobody has a method for. */
function endsNow({ book }: LedgerContext, one: SubscriptionRecord, now: number): boolean {
  if (one.status === 'past_due') return one.overdue === null || isTooLate(one, now)
  if (one.status === 'cancelled' || one.status === 'trial') return true
  return one.free && defaultMethod(book) === null
}

function finish(ctx: LedgerContext, one: SubscriptionRecord, now: number): null {
  const { book } = ctx
  if (one.leaving) {
    endLeft(ctx, one, now)
    return null
  }
  voidOverdue(book, one, now)
  const entry = book.enter('end', one.subscription_id, now)
  const status = one.status === 'trial' ? one.status : ('cancelled' as const)
  const until = Math.min(givesUntil(one), Math.max(one.until, now))
  const after = { ...one, status, until, scheduled: null, overdue: null, over: true, revision: one.revision + 1 }
  putSubscription(book, entry, after)
  tellEnd(book, after, now)
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
  readonly method: Pick<MethodRecord, 'token' | 'method_id'>
  readonly intent: string
}

/** Writes the charge of a renewal: its id, to be taken on. */
export function askRenewal({ book, newId }: LedgerContext, asked: Asked, now: number): string {
  const { job, due, method, intent } = asked
  const charge_id = newId('order')
  const { token, method_id } = method
  putCharge(book, {
    ...{ charge_id, intent, state: 'written', begun_at: now, cents: due, currency: book.currency, token, method_id },
    ...{ heard: true, parked: false, stuck: false, asked_at: now },
    ...{ charge: null, job, declined: null },
  })
  return charge_id
}

/** Writes a renewal that was paid: what `charge` has collected (null: nothing), the rest from the balance. */
export function bookRenewal(ctx: LedgerContext, job: RenewalJob, charge: ChargeRecord | null, now: number): void {
  const { book } = ctx
  const { subscription_id, at, asked } = job
  const cash = charge?.cents ?? 0
  const one = book.get('subscription', subscription_id)
  if (one === null || one.until !== at) throw new Error('The period of a renewal is not the next one.')
  const lines = linesFor(ctx, one)
  const { subtotal, total } = sumsOf(lines, 0)
  const open = one.overdue && book.get('invoice', one.overdue.bill)
  const bill = open ? [] : billed(lines)
  const entry = book.enter('renewal', subscription_id, now, [...bill, ...settled(total, cash)])
  const method = charge && book.get('method', charge.method_id)
  const paid = open
    ? payBill(book, entry, open, { paid: cash, method }, now)
    : addBill(book, entry, { kind: 'invoice', subscription_id, lines, paid: cash, state: 'paid', method }, now)
  const { sku, period, quantity } = targetOf(one)
  putSubscription(book, entry, {
    ...{ ...one, sku, period, quantity, status: 'active', scheduled: null, overdue: null, free: false, paid: subtotal },
    ...{ from: one.until, until: nextUntil(one), months: monthsAfter(one), revision: one.revision + 1 },
  })
  if (asked && charge) {
    book.put(entry, 'order', charge.charge_id, orderOf(one, charge, paid.bill, now))
    chooseMethod(book, charge.method_id, now)
  }
}

/** What whoever asked for it is told. */
function orderOf(one: SubscriptionRecord, charge: ChargeRecord, bill: string, now: number): RecordOf<'order'> {
  const { charge_id, intent, cents } = charge
  return {
    ...{ order_id: charge_id, intent, subscription_id: one.subscription_id, bill, paid: cents, method: null, at: now },
    ...targetOf(one),
    ...{ starts_at: one.until, is_later: false, is_trial: false, next: null },
  }
}

/** Why a try failed: the code of the refusal, and what it was charged to. */
export interface Why {
  readonly code: string
  readonly method: MethodRecord | null
}

/** A renewal that was declined is tried again on days of its own, and then it is over. `why` null: there is no method. */
export function declineRenewal(ctx: LedgerContext, job: RenewalJob, why: Why | null, now: number): void {
  const { subscription_id } = job
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
  const method = why?.method ? shownOf(why.method) : null
  const after: SubscriptionRecord = {
    ...{ ...one, sku, period, quantity, scheduled: null, free: false, status: 'past_due', paid: 0 },
    ...{
      overdue: { bill, tries, since: one.overdue?.since ?? now, code: why?.code ?? '', method },
      revision: one.revision + 1,
    },
  }
  putSubscription(book, entry, after)
  tellFailure(book, after, now)
}

const shownOf = ({ brand, last_four, name }: MethodRecord) => ({ brand, last_four, name })

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

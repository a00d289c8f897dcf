import type { CouponChange } from '../../../contract/billing/coupons.ts'
import { addMonths, monthsInPeriod } from '../pricing/billing-period.ts'
import { priceFor } from '../pricing/price.ts'
import { buildUnusedTimeLine, withTax } from '../pricing/quote.ts'
import type { CouponUse, LedgerError } from './ledger-calls.ts'
import type { LedgerStore } from './ledger-store.ts'
import { isBusy } from './pending-charges.ts'
import type { LedgerContext } from './ledger-context.ts'
import { addBill } from './invoices.ts'
import { toOutbox } from './outbox.ts'
import { voidOverdue } from './void-invoice.ts'
import { billed, settled } from './postings.ts'
import type { SubscriptionRecord } from './record-schemas.ts'
import { accountGone, busy, ledgerError } from './errors.ts'
import { activeSubscription, DEFAULT_SUBSCRIPTION_FIELDS } from './subscription-transitions.ts'
import { defaultMethod, nextCharge, ownRunning, putSubscription, nextSelection } from './subscription-rules.ts'
import { DAY_MS } from '../../../contract/time-units.ts'

/** Maximum number of invoices in the preview of a credit. */
const BILLS = 3

/** Returns the effects that a coupon would have, one entry per date. Does not use the coupon. */
export function previewCoupon(ctx: LedgerContext, use: CouponUse, now: number): CouponChange[] {
  if (use.kind === 'credit') return creditOn(ctx, use.value)
  if (use.kind === 'bonus') return [{ kind: 'licence', sku: use.sku ?? 'cam-ai', at: now + use.value * DAY_MS }]
  return freeMonths(ctx, use, now)
}

/** Returns an error if the account has used the code: an account uses a code once, from any tab and with any quote. */
export function usedBefore(book: LedgerStore, code: string): LedgerError | null {
  const isSame = (redemption: { code: string }) => redemption.code.toLowerCase() === code.toLowerCase()
  const why = { reason: 'used', sku: null, since: null, until: null }
  return book.all('redemption').some(isSame) ? ledgerError(4101, 409, undefined, why) : null
}

/** Uses a coupon and returns its effects, or the error. Runs inside a transaction. */
export function redeemCouponOption(ctx: LedgerContext, intent: string, use: CouponUse, now: number) {
  const { book } = ctx
  if (book.isEnded()) return accountGone()
  if (isBusy(book)) return busy()
  const used = usedBefore(book, use.code)
  if (used) return used
  const changes = previewCoupon(ctx, use, now)
  const subscription_id = applyCoupon(ctx, use, intent, now)
  return { state: 'done' as const, subscription_id, balance: book.balance(), changes }
}

/** Uses a coupon and returns the subscription that it created; null for a credit. Runs inside a transaction. */
export function applyCoupon(ctx: LedgerContext, use: CouponUse, intent: string, now: number): string | null {
  const { book } = ctx
  const id = use.kind === 'credit' ? addCredit(book, use, now) : createCouponSubscription(ctx, use, now)
  const entry = book.enter('redeemed', use.code, now)
  book.put(entry, 'redemption', use.code, { code: use.code, kind: use.kind, sku: use.sku, value: use.value, at: now })
  toOutbox(book, { kind: 'coupon', code: use.code, intent })
  return id
}

function addCredit(book: LedgerStore, { code, value }: CouponUse, now: number): null {
  book.enter('credit', code, now, [
    ['promotion', value],
    ['balance', 0 - value],
  ])
  return null
}

function createCouponSubscription(ctx: LedgerContext, use: CouponUse, now: number): string {
  const { book } = ctx
  const sku = use.sku ?? 'cam-ai'
  const isBonus = use.kind === 'bonus'
  const before = isBonus ? null : findActiveSubscription(book, sku, now)
  if (before) endNow(ctx, before, now)
  const entry = book.enter(use.kind, use.code, now)
  const months = isBonus ? 0 : use.value
  const subscription_id = ctx.newId('sub')
  if (before?.sku === sku) reassignLicenses(book, entry, before, subscription_id)
  putSubscription(book, entry, {
    ...{ subscription_id, sku, period: 'monthly', quantity: countLicenses(before, sku) },
    channel: isBonus ? 'bonus' : 'web',
    ...{ status: isBonus ? 'trial' : 'active', billing_provider: 'recurring', since: now, anchor: now, months },
    ...{ from: now, until: isBonus ? now + use.value * DAY_MS : addMonths(now, months), paid: 0, free: !isBonus },
    ...{ ...DEFAULT_SUBSCRIPTION_FIELDS, revision: 1, scheduled: null, overdue: null, over: false },
  })
  return subscription_id
}

/**
 * Returns the running subscription of this kind, with cancellation and pause undone; null if there is none. Stores
 * nothing.
 */
function findActiveSubscription(
  book: LedgerStore,
  sku: SubscriptionRecord['sku'],
  now: number,
): SubscriptionRecord | null {
  const subscription = ownRunning(book, sku, now)
  return subscription && activeSubscription(subscription, now)
}

/**
 * Returns the number of licenses for free months: as many as the running subscription has if its plan is the same, else
 * one.
 */
const countLicenses = (before: SubscriptionRecord | null, sku: SubscriptionRecord['sku']): number =>
  before?.sku === sku ? before.quantity : 1

function reassignLicenses(book: LedgerStore, entry: number, before: SubscriptionRecord, subscription_id: string): void {
  for (const license of book.all('licence'))
    if (license.subscription_id === before.subscription_id)
      book.put(entry, 'licence', license.device_id, { ...license, subscription_id })
}

/** Ends a plan before the end of its paid period. The price of the unused time, with its tax, goes to the balance. */
function endNow({ book, taxBasisPoints }: LedgerContext, subscription: SubscriptionRecord, now: number): void {
  voidOverdue(book, subscription, now)
  const line = unused(subscription, taxBasisPoints, now)
  const lines = line ? [line] : []
  const total = line ? line.amount + line.tax : 0
  const { subscription_id } = subscription
  const entry = book.enter('ended', subscription_id, now, [...billed(lines), ...settled(total, 0)])
  if (line) addBill(book, entry, { kind: 'credit_note', subscription_id, lines, paid: 0, state: 'paid' }, now)
  putSubscription(book, entry, {
    ...{
      ...subscription,
      status: 'cancelled',
      until: Math.min(subscription.until, now),
      scheduled: null,
      overdue: null,
      over: true,
    },
    revision: subscription.revision + 1,
  })
}

const unused = (subscription: SubscriptionRecord, basisPoints: number, now: number) =>
  subscription.status === 'past_due' || subscription.status === 'trial'
    ? null
    : buildUnusedTimeLine(subscription, now, basisPoints)

function freeMonths(ctx: LedgerContext, use: CouponUse, now: number): CouponChange[] {
  const { book, taxBasisPoints } = ctx
  const sku = use.sku ?? 'cam-ai'
  const before = findActiveSubscription(book, sku, now)
  const line = before && unused(before, taxBasisPoints, now)
  const back = line ? 0 - line.amount - line.tax : 0
  const until = addMonths(now, use.value)
  const total = withTax(priceFor({ sku, period: 'monthly', quantity: countLicenses(before, sku) }), taxBasisPoints)
  const first = total - Math.min(total, book.balance() + back)
  return [
    ...(before ? [{ kind: 'ends' as const, sku: before.sku, at: now, to_balance: back }] : []),
    { kind: 'free_until', sku, at: until },
    defaultMethod(book) ? { kind: 'then', period: 'monthly', total, first } : { kind: 'ends_by_itself', at: until },
  ]
}

/** Returns the next invoices that a credit of `value` cents would pay, after the existing balance has paid its part. */
function creditOn({ book, taxBasisPoints }: LedgerContext, value: number): CouponChange[] {
  const plans = book.all('subscription').flatMap((subscription) => {
    const next = nextCharge(book, subscription, taxBasisPoints)
    return next ? [{ one: subscription, ...next }] : []
  })
  const bills: CouponChange[] = []
  let [balance, credit] = [book.balance(), value]
  while (plans.length > 0 && credit > 0 && bills.length < BILLS) {
    plans.sort((a, b) => a.at - b.at)
    const [plan] = plans
    if (!plan) break
    const owed = plan.total - Math.min(balance, plan.total)
    const less = Math.min(credit, owed)
    balance -= plan.total - owed
    credit -= less
    if (less > 0) bills.push({ kind: 'bill', at: plan.at, total: owed, less, pay: owed - less })
    const target = nextSelection(plan.one)
    plan.at = addMonths(plan.at, monthsInPeriod(target.period))
    plan.total = withTax(priceFor(target), taxBasisPoints)
  }
  return bills.length > 0 ? bills : [{ kind: 'waits', amount: value }]
}

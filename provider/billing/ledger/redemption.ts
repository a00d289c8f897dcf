import type { CouponChange } from '../../../contract/billing/coupons.ts'
import { addMonths, countMonthsInPeriod } from '../pricing/billing-period.ts'
import { computePrice } from '../pricing/price.ts'
import { buildUnusedTimeLine, addTax } from '../pricing/quote.ts'
import type { CouponUse, LedgerError } from './ledger-calls.ts'
import type { LedgerStore } from './ledger-store.ts'
import { hasChargeInProgress } from './pending-charges.ts'
import type { LedgerContext } from './ledger-context.ts'
import { addInvoice } from './invoices.ts'
import { addToOutbox } from './outbox.ts'
import { voidOpenInvoice } from './void-invoice.ts'
import { buildInvoicePostings, buildSettlementPostings } from './postings.ts'
import type { SubscriptionRecord } from './record-schemas.ts'
import { createAccountDeletedError, createBusyError, createLedgerError } from './errors.ts'
import { toActiveSubscription, DEFAULT_SUBSCRIPTION_FIELDS } from './subscription-transitions.ts'
import {
  findDefaultMethod,
  getNextCharge,
  findRunningWebSubscription,
  putSubscription,
  getNextSelection,
} from './subscription-rules.ts'
import { DAY_MS } from '../../../contract/time-units.ts'

const MAX_PREVIEW_INVOICES = 3

/** Returns the effects of a coupon, one entry per date, without redeeming it. */
export function previewCoupon(ctx: LedgerContext, use: CouponUse, now: number): CouponChange[] {
  if (use.kind === 'credit') return previewCredit(ctx, use.value)
  if (use.kind === 'bonus') return [{ kind: 'licence', sku: use.sku ?? 'cam-ai', at: now + use.value * DAY_MS }]
  return previewFreeMonths(ctx, use, now)
}

/**
 * Returns an error if the account has already used the code; otherwise null. An account can use each code only once.
 */
export function findReuseError(store: LedgerStore, code: string): LedgerError | null {
  const isSame = (redemption: { code: string }) => redemption.code.toLowerCase() === code.toLowerCase()
  const why = { reason: 'used', sku: null, since: null, until: null }
  return store.listRecords('redemption').some(isSame) ? createLedgerError(4101, 409, undefined, why) : null
}

/** Redeems a coupon and returns its effects, or an error. Must run inside a transaction. */
export function redeemCouponOption(ctx: LedgerContext, intent: string, use: CouponUse, now: number) {
  const { book } = ctx
  if (book.isEnded()) return createAccountDeletedError()
  if (hasChargeInProgress(book)) return createBusyError()
  const used = findReuseError(book, use.code)
  if (used) return used
  const changes = previewCoupon(ctx, use, now)
  const subscription_id = applyCoupon(ctx, use, intent, now)
  return { state: 'done' as const, subscription_id, balance: book.getBalance(), changes }
}

/**
 * Redeems a coupon without checks. Returns the id of the new subscription; null for a credit. Must run inside a
 * transaction.
 */
export function applyCoupon(ctx: LedgerContext, use: CouponUse, intent: string, now: number): string | null {
  const { book } = ctx
  const id = use.kind === 'credit' ? addCredit(book, use, now) : createCouponSubscription(ctx, use, now)
  const entry = book.addEntry('redeemed', use.code, now)
  book.put(entry, 'redemption', use.code, { code: use.code, kind: use.kind, sku: use.sku, value: use.value, at: now })
  addToOutbox(book, { kind: 'coupon', code: use.code, intent })
  return id
}

function addCredit(store: LedgerStore, { code, value }: CouponUse, now: number): null {
  store.addEntry('credit', code, now, [
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
  if (before) endSubscriptionEarly(ctx, before, now)
  const entry = book.addEntry(use.kind, use.code, now)
  const months = isBonus ? 0 : use.value
  const subscription_id = ctx.newId('sub')
  if (before?.sku === sku) reassignLicenses(book, entry, before, subscription_id)
  putSubscription(book, entry, {
    subscription_id,
    sku,
    period: 'monthly',
    quantity: countLicenses(before, sku),
    channel: isBonus ? 'bonus' : 'web',
    status: isBonus ? 'trial' : 'active',
    billing_provider: 'recurring',
    since: now,
    anchor: now,
    months,
    from: now,
    until: isBonus ? now + use.value * DAY_MS : addMonths(now, months),
    paid: 0,
    free: !isBonus,
    ...DEFAULT_SUBSCRIPTION_FIELDS,
    revision: 1,
    scheduled: null,
    overdue: null,
    over: false,
  })
  return subscription_id
}

function findActiveSubscription(
  store: LedgerStore,
  sku: SubscriptionRecord['sku'],
  now: number,
): SubscriptionRecord | null {
  const subscription = findRunningWebSubscription(store, sku, now)
  return subscription && toActiveSubscription(subscription, now)
}

/** Returns the number of licenses for free months: that of the running subscription if its plan is the same, else 1. */
const countLicenses = (before: SubscriptionRecord | null, sku: SubscriptionRecord['sku']): number =>
  before?.sku === sku ? before.quantity : 1

function reassignLicenses(
  store: LedgerStore,
  entry: number,
  before: SubscriptionRecord,
  subscription_id: string,
): void {
  for (const license of store.listRecords('licence'))
    if (license.subscription_id === before.subscription_id)
      store.put(entry, 'licence', license.device_id, { ...license, subscription_id })
}

/** Ends a plan before the end of its paid period. Credits the unused time, with its tax, to the balance. */
function endSubscriptionEarly(
  { book, taxBasisPoints }: LedgerContext,
  subscription: SubscriptionRecord,
  now: number,
): void {
  voidOpenInvoice(book, subscription, now)
  const line = buildUnusedTimeCredit(subscription, taxBasisPoints, now)
  const lines = line ? [line] : []
  const total = line ? line.amount + line.tax : 0
  const { subscription_id } = subscription
  const entry = book.addEntry('ended', subscription_id, now, [
    ...buildInvoicePostings(lines),
    ...buildSettlementPostings(total, 0),
  ])
  if (line) addInvoice(book, entry, { kind: 'credit_note', subscription_id, lines, paid: 0, state: 'paid' }, now)
  putSubscription(book, entry, {
    ...subscription,
    status: 'cancelled',
    until: Math.min(subscription.until, now),
    scheduled: null,
    overdue: null,
    over: true,
    revision: subscription.revision + 1,
  })
}

const buildUnusedTimeCredit = (subscription: SubscriptionRecord, basisPoints: number, now: number) =>
  subscription.status === 'past_due' || subscription.status === 'trial'
    ? null
    : buildUnusedTimeLine(subscription, now, basisPoints)

function previewFreeMonths(ctx: LedgerContext, use: CouponUse, now: number): CouponChange[] {
  const { book, taxBasisPoints } = ctx
  const sku = use.sku ?? 'cam-ai'
  const before = findActiveSubscription(book, sku, now)
  const line = before && buildUnusedTimeCredit(before, taxBasisPoints, now)
  const refundCents = line ? 0 - line.amount - line.tax : 0
  const until = addMonths(now, use.value)
  const total = addTax(computePrice({ sku, period: 'monthly', quantity: countLicenses(before, sku) }), taxBasisPoints)
  const first = total - Math.min(total, book.getBalance() + refundCents)
  return [
    ...(before ? [{ kind: 'ends' as const, sku: before.sku, at: now, to_balance: refundCents }] : []),
    { kind: 'free_until', sku, at: until },
    findDefaultMethod(book) ? { kind: 'then', period: 'monthly', total, first } : { kind: 'ends_by_itself', at: until },
  ]
}

/**
 * Returns up to `MAX_PREVIEW_INVOICES` next invoices that a credit of `value` cents would pay, wholly or in part, once
 * the existing balance is used up. If there are none, returns one `waits` entry.
 */
function previewCredit({ book, taxBasisPoints }: LedgerContext, value: number): CouponChange[] {
  const plans = book.listRecords('subscription').flatMap((subscription) => {
    const next = getNextCharge(book, subscription, taxBasisPoints)
    return next ? [{ one: subscription, ...next }] : []
  })
  const bills: CouponChange[] = []
  let [balance, credit] = [book.getBalance(), value]
  while (plans.length > 0 && credit > 0 && bills.length < MAX_PREVIEW_INVOICES) {
    plans.sort((a, b) => a.at - b.at)
    const [plan] = plans
    if (!plan) break
    const owed = plan.total - Math.min(balance, plan.total)
    const less = Math.min(credit, owed)
    balance -= plan.total - owed
    credit -= less
    if (less > 0) bills.push({ kind: 'bill', at: plan.at, total: owed, less, pay: owed - less })
    const target = getNextSelection(plan.one)
    plan.at = addMonths(plan.at, countMonthsInPeriod(target.period))
    plan.total = addTax(computePrice(target), taxBasisPoints)
  }
  return bills.length > 0 ? bills : [{ kind: 'waits', amount: value }]
}

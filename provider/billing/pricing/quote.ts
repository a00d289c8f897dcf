import type { ChangeCode } from '../../../contract/billing/change-codes.ts'
import { QUOTE_LIFETIME_MS, TRIAL_DAYS } from '../../../contract/billing/money.ts'
import type { MoneyLine, Quote } from '../../../contract/billing/purchase.ts'
import { addMonths, countMonthsInPeriod } from './billing-period.ts'
import { computePrice, computeUnitPrice, type PlanSelection } from './price.ts'
import { computeUnusedCents, type PaidPeriod } from './proration.ts'
import { computeTax, divideHalfUp } from './tax.ts'
import { DAY_MS } from '../../../contract/time-units.ts'

export type QuoteTerms = Omit<Quote, 'quote'>

export interface QuoteRequest {
  readonly wanted: PlanSelection
  readonly discount: Discount | null
  readonly isTrial: boolean
  readonly change: ChangeCode | null
  readonly isLater: boolean
  /** True if the order cancels the scheduled change. */
  readonly isUndo?: boolean
  /** Subscription that the order changes; null for a new subscription. */
  readonly changed: (PlanSelection & PaidPeriod) | null
  /** Account balance of the buyer, cents. */
  readonly balance: number
  readonly taxBasisPoints: number
  /** ISO 4217 code. */
  readonly currency: string
  readonly now: number
  /**
   * Start of the new period, ms UTC; `now` by default. For a subscription with an open invoice, the caller can pass the
   * earlier due date of the invoice (order-terms.ts).
   */
  readonly from?: number
}

export type QuoteTotals = Pick<QuoteTerms, 'subtotal' | 'tax' | 'total' | 'balance_used' | 'balance_added' | 'due'>

/**
 * Builds the terms of a quote, with line items for the plan, the coupon and the credit for unused time. A free trial, a
 * change at the end of the period, and an undo cost nothing now.
 */
export function buildTerms(request: QuoteRequest): QuoteTerms {
  const { wanted: selection, changed, now, from = now, taxBasisPoints } = request
  const isFree = request.isLater || request.isTrial || request.isUndo
  const lines = isFree ? [] : buildLines(request)
  const startsAt = request.isLater && changed ? changed.until : from
  const until = request.isTrial ? now + TRIAL_DAYS * DAY_MS : addMonths(from, countMonthsInPeriod(selection.period))
  const nextAt = changed && (request.isLater || request.isUndo) ? changed.until : until
  return {
    mode: changed ? 'update' : 'checkout',
    change: request.change,
    currency: request.currency,
    sku: selection.sku,
    period: selection.period,
    quantity: selection.quantity,
    tax_basis_points: taxBasisPoints,
    as_of: now,
    expires_at: now + QUOTE_LIFETIME_MS,
    starts_at: startsAt,
    is_later: request.isLater,
    is_trial: request.isTrial,
    ...(request.isUndo && { is_undo: true }),
    lines,
    ...computeSums(lines, request.balance),
    next: request.isTrial ? null : { at: nextAt, total: addTax(computePrice(selection), taxBasisPoints) },
  }
}

export const addTax = (amount: number, basisPoints: number): number => amount + computeTax(amount, basisPoints)

/**
 * Returns the totals of the line items. The balance pays a positive total as far as possible. A negative total
 * increases the balance.
 */
export function computeSums(lines: readonly MoneyLine[], balance: number): QuoteTotals {
  const subtotal = lines.reduce((sum, line) => sum + line.amount, 0)
  const tax = lines.reduce((sum, line) => sum + line.tax, 0)
  const total = subtotal + tax
  const used = Math.max(0, Math.min(balance, total))
  const toPay = Math.max(0, total) - used
  return { subtotal, tax, total, balance_used: used, balance_added: Math.max(0, 0 - total), due: toPay }
}

function buildLines({
  wanted: selection,
  discount,
  changed,
  now,
  from = now,
  taxBasisPoints,
}: QuoteRequest): MoneyLine[] {
  const plan = buildPlanLine(selection, from, addMonths(from, countMonthsInPeriod(selection.period)), taxBasisPoints)
  const discountCents = discount ? computeDiscount(plan.amount, discount) : 0
  const lines = [plan]
  if (discount && discountCents > 0)
    lines.push({
      ...plan,
      kind: 'coupon',
      unit: -discountCents,
      amount: -discountCents,
      code: discount.code,
      // The tax is the difference of two rounded taxes, so that rounding never refunds more tax than was charged.
      tax: computeTax(plan.amount - discountCents, taxBasisPoints) - plan.tax,
      ...(discount.kind === 'percent' && { percent: discount.value }),
    })
  const unused = changed && buildUnusedTimeLine(changed, now, taxBasisPoints)
  return unused ? [...lines, unused] : lines
}

export function buildPlanLine(selection: PlanSelection, from: number, to: number, basisPoints: number): MoneyLine {
  const amount = computePrice(selection)
  const { sku, period, quantity } = selection
  return {
    kind: 'plan',
    sku,
    period,
    quantity,
    unit: computeUnitPrice(selection),
    amount,
    tax: computeTax(amount, basisPoints),
    from,
    to,
  }
}

/** Returns the line item that credits the unused time of a period; null if the credit is 0. */
export function buildUnusedTimeLine(
  changed: PlanSelection & PaidPeriod,
  now: number,
  basisPoints: number,
): MoneyLine | null {
  const amount = 0 - computeUnusedCents(changed, now)
  const { sku, period, quantity } = changed
  if (amount === 0) return null
  return {
    kind: 'unused',
    sku,
    period,
    quantity,
    unit: computeUnitPrice(changed),
    amount,
    tax: computeTax(amount, basisPoints),
    from: now,
    to: changed.until,
  }
}

/** Discount on the first invoice. `value`: percent of the plan line, or cents. */
interface Discount {
  readonly code: string
  readonly kind: 'percent' | 'amount'
  readonly value: number
}

/**
 * Returns the cents that a coupon takes off a plan line, rounded half up and at most the whole line.
 *
 * | line | coupon | off |
 * | --- | --- | --- |
 * | 9999 | 20 % | 2000 |
 * | 9999 | 500 | 500 |
 * | 299 | 500 | 299 |
 */
export function computeDiscount(line: number, { kind, value }: Pick<Discount, 'kind' | 'value'>): number {
  const off = kind === 'percent' ? divideHalfUp(line * value, 100) : value
  return Math.min(line, Math.max(0, off))
}

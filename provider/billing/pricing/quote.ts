import type { ChangeCode } from '../../../contract/billing/change-codes.ts'
import { QUOTE_MS, TRIAL_DAYS } from '../../../contract/billing/money.ts'
import type { MoneyLine, Quote } from '../../../contract/billing/purchase.ts'
import { computeDiscount, type Discount } from './discount.ts'
import { addMonths, monthsInPeriod } from './billing-period.ts'
import { priceFor, unitPriceFor, type PlanSelection } from './price.ts'
import { unusedCents, type PaidPeriod } from './proration.ts'
import { taxFor } from './tax.ts'
import { DAY_MS } from '../../../contract/time-units.ts'

export type Terms = Omit<Quote, 'quote'>

export interface QuoteAsk {
  readonly wanted: PlanSelection
  readonly discount: Discount | null
  readonly isTrial: boolean
  readonly change: ChangeCode | null
  readonly isLater: boolean
  /** True if the order cancels the scheduled change. */
  readonly isUndo?: boolean
  /** Subscription to change; null for a new one. */
  readonly changed: (PlanSelection & PaidPeriod) | null
  /** Balance of the buyer, cents. */
  readonly balance: number
  readonly taxBasisPoints: number
  /** ISO code. */
  readonly currency: string
  readonly now: number
  /** Start of the new period, ms UTC; `now` by default. A plan with an open invoice starts on the day that invoice was due. */
  readonly from?: number
}

export type QuoteTotals = Pick<Terms, 'subtotal' | 'tax' | 'total' | 'balance_used' | 'balance_added' | 'due'>

/**
 * Builds the terms of a quote. Line items are in this order: plan, coupon, credit for unused time of the previous plan.
 * Nothing is due if the change is later, starts a free trial, or cancels a scheduled change.
 */
export function buildTerms(ask: QuoteAsk): Terms {
  const { wanted: selection, changed, now, from = now, taxBasisPoints } = ask
  const isFree = ask.isLater || ask.isTrial || ask.isUndo
  const lines = isFree ? [] : buildLines(ask)
  const startsAt = ask.isLater && changed ? changed.until : from
  const until = ask.isTrial ? now + TRIAL_DAYS * DAY_MS : addMonths(from, monthsInPeriod(selection.period))
  const nextAt = changed && (ask.isLater || ask.isUndo) ? changed.until : until
  return {
    ...{ mode: changed ? 'update' : 'checkout', change: ask.change, currency: ask.currency },
    ...{ sku: selection.sku, period: selection.period, quantity: selection.quantity },
    ...{ tax_basis_points: taxBasisPoints, as_of: now, expires_at: now + QUOTE_MS },
    ...{ starts_at: startsAt, is_later: ask.isLater, is_trial: ask.isTrial },
    ...(ask.isUndo && { is_undo: true }),
    lines,
    ...computeSums(lines, ask.balance),
    next: ask.isTrial ? null : { at: nextAt, total: withTax(priceFor(selection), taxBasisPoints) },
  }
}

export const withTax = (amount: number, basisPoints: number): number => amount + taxFor(amount, basisPoints)

/**
 * Returns the sums of the line items. The balance pays as much as it can of a total above 0; a total below 0 is added
 * to the balance.
 */
export function computeSums(lines: readonly MoneyLine[], balance: number): QuoteTotals {
  const subtotal = lines.reduce((sum, line) => sum + line.amount, 0)
  const tax = lines.reduce((sum, line) => sum + line.tax, 0)
  const total = subtotal + tax
  const used = Math.max(0, Math.min(balance, total))
  const toPay = Math.max(0, total) - used
  return { subtotal, tax, total, balance_used: used, balance_added: Math.max(0, 0 - total), due: toPay }
}

function buildLines({ wanted: selection, discount, changed, now, from = now, taxBasisPoints }: QuoteAsk): MoneyLine[] {
  const plan = planLine(selection, from, addMonths(from, monthsInPeriod(selection.period)), taxBasisPoints)
  const off = discount ? computeDiscount(plan.amount, discount) : 0
  const lines = [plan]
  if (discount && off > 0)
    lines.push({
      ...{ ...plan, kind: 'coupon', unit: -off, amount: -off, code: discount.code },
      // Tax of the discounted amount minus tax of the full amount, so that rounding never returns more than was paid.
      tax: taxFor(plan.amount - off, taxBasisPoints) - plan.tax,
      ...(discount.kind === 'percent' && { percent: discount.value }),
    })
  const unused = changed && buildUnusedTimeLine(changed, now, taxBasisPoints)
  return unused ? [...lines, unused] : lines
}

export function planLine(selection: PlanSelection, from: number, to: number, basisPoints: number): MoneyLine {
  const amount = priceFor(selection)
  const { sku, period, quantity } = selection
  return {
    kind: 'plan',
    sku,
    period,
    quantity,
    unit: unitPriceFor(selection),
    amount,
    tax: taxFor(amount, basisPoints),
    from,
    to,
  }
}

/** Returns the line item that credits the unused part of a period; null if there is none. */
export function buildUnusedTimeLine(
  changed: PlanSelection & PaidPeriod,
  now: number,
  basisPoints: number,
): MoneyLine | null {
  const amount = 0 - unusedCents(changed, now)
  const { sku, period, quantity } = changed
  if (amount === 0) return null
  return {
    ...{ kind: 'unused', sku, period, quantity, unit: unitPriceFor(changed), amount, tax: taxFor(amount, basisPoints) },
    ...{ from: now, to: changed.until },
  }
}

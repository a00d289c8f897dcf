import type { ChangeCode } from '../../../contract/billing/change-codes.ts'
import { QUOTE_MS, TRIAL_DAYS } from '../../../contract/billing/money.ts'
import type { MoneyLine, Quote } from '../../../contract/billing/purchase.ts'
import { computeDiscount, type Discount } from './coupon-discount.ts'
import { addMonths, DAY_MS, monthsInPeriod } from './billing-period.ts'
import { priceFor, unitPriceFor, type PlanSelection } from './price.ts'
import { unusedCents, type PaidPeriod } from './proration.ts'
import { taxFor } from './tax.ts'

/** A quote before it is sealed. */
export type Terms = Omit<Quote, 'quote'>

export interface QuoteAsk {
  readonly wanted: PlanSelection
  readonly discount: Discount | null
  readonly isTrial: boolean
  readonly change: ChangeCode | null
  readonly isLater: boolean
  /** What was chosen for the next period is called off. */
  readonly isUndo?: boolean
  /** The subscription that changes; null: a new one. */
  readonly changed: (PlanSelection & PaidPeriod) | null
  /** What the buyer has with us. */
  readonly balance: number
  readonly taxBasisPoints: number
  /** ISO code. */
  readonly currency: string
  readonly now: number
  /** Start of the new period, ms UTC; `now` by default. A plan with an open invoice starts on the day that invoice was due. */
  readonly from?: number
}

/** Sums of lines and how they are paid. */
export type Sums = Pick<Terms, 'subtotal' | 'tax' | 'total' | 'balance_used' | 'balance_added' | 'due'>

/** The order of the lines: the plan, the coupon off it, what is unused of the plan before. Nothing is due for what begins later, or is free. */
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

/** A balance pays what it can of a total above 0, and takes one below. */
export function computeSums(lines: readonly MoneyLine[], balance: number): Sums {
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
      // Tax of what is left, so that rounding never returns more than was paid.
      tax: taxFor(plan.amount - off, taxBasisPoints) - plan.tax,
      ...(discount.kind === 'percent' && { percent: discount.value }),
    })
  const unused = changed && unusedLine(changed, now, taxBasisPoints)
  return unused ? [...lines, unused] : lines
}

/** The line that pays a period. */
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

/** The line that gives back what is unused of a period; null: nothing. */
export function unusedLine(changed: PlanSelection & PaidPeriod, now: number, basisPoints: number): MoneyLine | null {
  const amount = 0 - unusedCents(changed, now)
  const { sku, period, quantity } = changed
  if (amount === 0) return null
  return {
    ...{ kind: 'unused', sku, period, quantity, unit: unitPriceFor(changed), amount, tax: taxFor(amount, basisPoints) },
    ...{ from: now, to: changed.until },
  }
}

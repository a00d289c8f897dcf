import type { MoneyLine } from '../../../contract/billing/purchase.ts'
import type { Posting } from './ledger-store.ts'

/**
 * Returns the postings of line items: revenue of each plan, discounts and tax, balanced by the amount that the buyer
 * owes or is owed.
 */
export function billed(lines: readonly MoneyLine[]): Posting[] {
  const total = lines.reduce((sum, { amount, tax }) => sum + amount + tax, 0)
  const tax = lines.reduce((sum, line) => sum + line.tax, 0)
  const rows = lines.map(({ kind, sku, amount }): Posting => [
    kind === 'coupon' ? 'discount' : `revenue:${sku}`,
    0 - amount,
  ])
  return [['receivable', total], ...rows, ['tax', 0 - tax]]
}

/**
 * Returns the postings that settle a total: `cash` pays its part and the balance pays the rest. An amount owed to the
 * buyer goes to the balance.
 */
export const settled = (total: number, cash: number): Posting[] => [
  ['receivable', 0 - total],
  ['cash', cash],
  ['balance', total - cash],
]

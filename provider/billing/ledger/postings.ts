import type { MoneyLine } from '../../../contract/billing/purchase.ts'
import type { Posting } from './ledger-store.ts'

/** What lines are worth: revenue of their plans, the discount, their tax; owed by the buyer, or to them. */
export function billed(lines: readonly MoneyLine[]): Posting[] {
  const total = lines.reduce((sum, { amount, tax }) => sum + amount + tax, 0)
  const tax = lines.reduce((sum, line) => sum + line.tax, 0)
  const rows = lines.map(({ kind, sku, amount }): Posting => [
    kind === 'coupon' ? 'discount' : `revenue:${sku}`,
    0 - amount,
  ])
  return [['receivable', total], ...rows, ['tax', 0 - tax]]
}

/** What is owed is paid in cash and from the balance; what is owed to the buyer goes there. */
export const settled = (total: number, cash: number): Posting[] => [
  ['receivable', 0 - total],
  ['cash', cash],
  ['balance', total - cash],
]

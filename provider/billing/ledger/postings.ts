import type { MoneyLine } from '../../../contract/billing/purchase.ts'
import type { LedgerPosting } from './ledger-store.ts'

/** Returns the postings of line items: plan revenue, discounts and tax, balanced by the `receivable` account. */
export function buildInvoicePostings(lines: readonly MoneyLine[]): LedgerPosting[] {
  const total = lines.reduce((sum, { amount, tax }) => sum + amount + tax, 0)
  const tax = lines.reduce((sum, line) => sum + line.tax, 0)
  const rows = lines.map(({ kind, sku, amount }): LedgerPosting => [
    kind === 'coupon' ? 'discount' : `revenue:${sku}`,
    0 - amount,
  ])
  return [['receivable', total], ...rows, ['tax', 0 - tax]]
}

/**
 * Returns the postings that settle a total. Cash pays `cash`, and the balance pays the rest; a negative rest is
 * credited to the balance.
 */
export const buildSettlementPostings = (total: number, cash: number): LedgerPosting[] => [
  ['receivable', 0 - total],
  ['cash', cash],
  ['balance', total - cash],
]

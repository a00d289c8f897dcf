import type { MoneyLine } from '../../../contract/billing/purchase.ts'
import type { LedgerStore } from './ledger-store.ts'
import { addInvoice } from './invoices.ts'
import { buildInvoicePostings } from './postings.ts'
import type { SubscriptionRecord } from './record-schemas.ts'

export const negateLines = (lines: readonly MoneyLine[]): MoneyLine[] =>
  lines.map((line) => ({ ...line, unit: 0 - line.unit, amount: 0 - line.amount, tax: 0 - line.tax }))

/** Voids the open invoice of a subscription with a credit note. */
export function voidOpenInvoice(
  book: LedgerStore,
  { subscription_id, overdue }: SubscriptionRecord,
  now: number,
): void {
  const open = overdue && book.get('invoice', overdue.bill)
  if (!open || open.state !== 'open') return
  const lines = negateLines(open.lines)
  const entry = book.addEntry('void', open.bill, now, buildInvoicePostings(lines))
  book.put(entry, 'invoice', open.bill, { ...open, state: 'void' })
  addInvoice(
    book,
    entry,
    { kind: 'credit_note', subscription_id, lines, paid: 0, state: 'void', refers_to: open.bill },
    now,
  )
}

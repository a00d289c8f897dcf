import type { MoneyLine } from '../../../contract/billing/purchase.ts'
import type { LedgerStore } from './ledger-store.ts'
import { addBill } from './invoices.ts'
import { billed } from './postings.ts'
import type { SubscriptionRecord } from './record-schemas.ts'

export const negateLines = (lines: readonly MoneyLine[]): MoneyLine[] =>
  lines.map((line) => ({ ...line, unit: 0 - line.unit, amount: 0 - line.amount, tax: 0 - line.tax }))

/** Voids the open invoice of a subscription with a credit note. */
export function voidOverdue(book: LedgerStore, { subscription_id, overdue }: SubscriptionRecord, now: number): void {
  const open = overdue && book.get('invoice', overdue.bill)
  if (!open || open.state !== 'open') return
  const lines = negateLines(open.lines)
  const entry = book.enter('void', open.bill, now, billed(lines))
  book.put(entry, 'invoice', open.bill, { ...open, state: 'void' })
  addBill(
    book,
    entry,
    { kind: 'credit_note', subscription_id, lines, paid: 0, state: 'void', refers_to: open.bill },
    now,
  )
}

import type { MoneyLine } from '../../../contract/billing/purchase.ts'
import type { LedgerStore } from './ledger-store.ts'
import { addInvoice } from './invoices.ts'
import { buildInvoicePostings } from './postings.ts'
import type { SubscriptionRecord } from './record-schemas.ts'

export const negateLines = (lines: readonly MoneyLine[]): MoneyLine[] =>
  lines.map((line) => ({ ...line, unit: 0 - line.unit, amount: 0 - line.amount, tax: 0 - line.tax }))

/** Voids the open invoice of a subscription with a credit note. Does nothing if there is no open invoice. */
export function voidOpenInvoice(
  store: LedgerStore,
  { subscription_id, overdue }: SubscriptionRecord,
  now: number,
): void {
  const openInvoice = overdue && store.get('invoice', overdue.bill)
  if (!openInvoice || openInvoice.state !== 'open') return
  const lines = negateLines(openInvoice.lines)
  const entry = store.addEntry('void', openInvoice.bill, now, buildInvoicePostings(lines))
  store.put(entry, 'invoice', openInvoice.bill, { ...openInvoice, state: 'void' })
  addInvoice(
    store,
    entry,
    { kind: 'credit_note', subscription_id, lines, paid: 0, state: 'void', refers_to: openInvoice.bill },
    now,
  )
}

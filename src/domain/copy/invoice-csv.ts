import type { Invoice } from '../../../contract/billing/payment-methods-and-invoices.ts'
import { billState, billSubject, paidWith } from './invoice-status.ts'
import { toDay } from '../time/local-time.ts'
import { inPlain } from '../../../contract/billing/amounts.ts'

const HEAD = ['Date', 'Number', 'Kind', 'What for', 'Paid with', 'State', 'Paid on', 'Credit of']
const AMOUNTS = ['Net', 'Tax', 'Total', 'From balance', 'Charged', 'Refunded']

/** Returns invoices as a table with one row each; amounts have two decimals. */
export function billTable(bills: readonly Invoice[]): string[][] {
  return [
    [...HEAD, ...AMOUNTS, 'Currency'],
    ...bills.map((bill) => [
      ...[toDay(bill.at), bill.bill, bill.kind === 'invoice' ? 'Invoice' : 'Credit note', billSubject(bill)],
      ...[paidWith(bill), billState(bill).text, bill.paid_at === null ? '' : toDay(bill.paid_at), bill.refers_to ?? ''],
      ...[bill.subtotal, bill.tax, bill.total, bill.balance_used, bill.paid, bill.refunded].map(inPlain),
      bill.currency,
    ]),
  ]
}

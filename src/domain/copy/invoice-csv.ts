import type { Invoice } from '../../../contract/billing/payment-methods-and-invoices.ts'
import { invoiceStatusLabel, invoiceSubject, formatPaidWith } from './invoice-status.ts'
import { toDay } from '../time/local-time.ts'
import { formatPlainAmount } from '../../../contract/billing/amounts.ts'

const HEADINGS = ['Date', 'Number', 'Type', 'Description', 'Paid with', 'Status', 'Paid on', 'Original invoice']
const AMOUNT_HEADINGS = ['Net', 'Tax', 'Total', 'From balance', 'Charged', 'Refunded']

/** Returns a table with headings and one row per invoice; amounts have two decimals. */
export function createInvoiceTable(bills: readonly Invoice[]): string[][] {
  return [
    [...HEADINGS, ...AMOUNT_HEADINGS, 'Currency'],
    ...bills.map((bill) => [
      toDay(bill.at),
      bill.bill,
      bill.kind === 'invoice' ? 'Invoice' : 'Credit note',
      invoiceSubject(bill),
      formatPaidWith(bill),
      invoiceStatusLabel(bill).text,
      bill.paid_at === null ? '' : toDay(bill.paid_at),
      bill.refers_to ?? '',
      ...[bill.subtotal, bill.tax, bill.total, bill.balance_used, bill.paid, bill.refunded].map(formatPlainAmount),
      bill.currency,
    ]),
  ]
}

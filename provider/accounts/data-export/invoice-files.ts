import { BRAND_NAME } from '../../../contract/brand.ts'
import { getPlan } from '../../../contract/billing/plan-catalog.ts'
import { toCsv } from '../../../contract/wire/csv.ts'
import { formatPlainAmount } from '../../../contract/billing/amounts.ts'
import type { MoneyLine } from '../../../contract/billing/purchase.ts'
import type { InvoiceRecord } from '../../billing/ledger/record-schemas.ts'
import type { ZonedClock } from './zoned-clock.ts'

const CSV_HEADER = [
  'Number',
  'Kind',
  'Date',
  'Time',
  'Status',
  'Description',
  'Net',
  'Tax',
  'Total',
  'Currency',
  'Paid from balance',
  'Paid',
  'Refunded',
  'Method',
  'Related invoice',
]
const DOCUMENT_LABELS = { invoice: 'Invoice', credit_note: 'Credit note' } as const

const formatMethod = ({ method }: InvoiceRecord) =>
  method === null ? '' : [method.brand, method.last_four || method.name].filter(Boolean).join(' ')

function formatLineName({ kind, sku, period, quantity, code }: MoneyLine): string {
  const { name, per } = getPlan(sku)
  const plan = `${per === 'camera' ? `${quantity} x ` : ''}${name}, ${period}`
  if (kind === 'coupon') return `Coupon ${code ?? ''}`
  return kind === 'unused' ? `Unused time on ${plan}` : plan
}

/** Converts cents to a number cell. As text, a negative amount could start a formula. */
const toAmountNumber = (cents: number) => Number(formatPlainAmount(cents))

export function renderInvoicesCsv(invoices: readonly InvoiceRecord[], clock: ZonedClock): string {
  const rows = invoices.map((bill) => {
    const { date, time } = clock(bill.at)
    return [
      bill.bill,
      DOCUMENT_LABELS[bill.kind],
      date,
      time,
      bill.state,
      bill.lines.map(formatLineName).join('; '),
      toAmountNumber(bill.subtotal),
      toAmountNumber(bill.tax),
      toAmountNumber(bill.total),
      bill.currency,
      toAmountNumber(bill.balance_used),
      toAmountNumber(bill.paid),
      toAmountNumber(bill.refunded),
      formatMethod(bill),
      bill.refers_to ?? '',
    ]
  })
  return toCsv([CSV_HEADER, ...rows])
}

export function renderInvoiceText(invoice: InvoiceRecord, clock: ZonedClock): string {
  const { date } = clock(invoice.at)
  const formatAmountLine = (name: string, cents: number) =>
    `${name.padEnd(52)}${formatPlainAmount(cents).padStart(12)} ${invoice.currency}`
  const [method, paid] = [formatMethod(invoice), invoice.paid_at === null ? '' : clock(invoice.paid_at).date]
  const lines = invoice.lines.flatMap((line) => [
    formatAmountLine(formatLineName(line), line.amount),
    `  ${clock(line.from).date} to ${clock(line.to).date}, tax ${formatPlainAmount(line.tax)} ${invoice.currency}`,
  ])
  return [
    `${BRAND_NAME}: ${DOCUMENT_LABELS[invoice.kind].toLowerCase()} ${invoice.bill}`,
    `Date: ${date}`,
    ...(invoice.refers_to === null ? [] : [`For invoice ${invoice.refers_to}`]),
    ...(invoice.buyer.length > 0 ? ['', ...invoice.buyer] : []),
    '',
    ...lines,
    '',
    formatAmountLine('Net', invoice.subtotal),
    formatAmountLine('Tax', invoice.tax),
    formatAmountLine('Total', invoice.total),
    ...(invoice.balance_used > 0 ? [formatAmountLine('From balance', invoice.balance_used)] : []),
    ...(invoice.paid > 0 ? [formatAmountLine('Paid', invoice.paid)] : []),
    ...(invoice.refunded > 0 ? [formatAmountLine('Refunded', invoice.refunded)] : []),
    '',
    `Status: ${invoice.state}${paid && ` on ${paid}`}${method && `, ${method}`}`,
    '',
  ].join('\r\n')
}

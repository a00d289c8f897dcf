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
  'State',
  'What',
  'Net',
  'Tax',
  'Total',
  'Currency',
  'Balance used',
  'Paid',
  'Refunded',
  'Method',
  'Refers to',
]
const DOCUMENT_LABELS = { invoice: 'Bill', credit_note: 'Credit note' } as const

const formatMethod = ({ method }: InvoiceRecord) =>
  method === null ? '' : [method.brand, method.last_four || method.name].filter(Boolean).join(' ')

function formatLineName({ kind, sku, period, quantity, code }: MoneyLine): string {
  const { name, per } = getPlan(sku)
  const plan = `${per === 'camera' ? `${quantity} x ` : ''}${name}, ${period}`
  if (kind === 'coupon') return `Coupon ${code ?? ''}`
  return kind === 'unused' ? `Unused: ${plan}` : plan
}

/** Converts cents to a number cell. As text, a negative amount could start a formula. */
const toAmountNumber = (cents: number) => Number(formatPlainAmount(cents))

export function renderInvoicesCsv(bills: readonly InvoiceRecord[], clock: ZonedClock): string {
  const rows = bills.map((bill) => {
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

export function renderInvoiceText(bill: InvoiceRecord, clock: ZonedClock): string {
  const { date } = clock(bill.at)
  const formatAmountLine = (name: string, cents: number) =>
    `${name.padEnd(52)}${formatPlainAmount(cents).padStart(12)} ${bill.currency}`
  const [method, paid] = [formatMethod(bill), bill.paid_at === null ? '' : clock(bill.paid_at).date]
  const lines = bill.lines.flatMap((line) => [
    formatAmountLine(formatLineName(line), line.amount),
    `  ${clock(line.from).date} to ${clock(line.to).date}, tax ${formatPlainAmount(line.tax)} ${bill.currency}`,
  ])
  return [
    `${BRAND_NAME}: ${DOCUMENT_LABELS[bill.kind].toLowerCase()} ${bill.bill}`,
    `Date: ${date}`,
    ...(bill.refers_to === null ? [] : [`For bill ${bill.refers_to}`]),
    ...(bill.buyer.length > 0 ? ['', ...bill.buyer] : []),
    '',
    ...lines,
    '',
    formatAmountLine('Net', bill.subtotal),
    formatAmountLine('Tax', bill.tax),
    formatAmountLine('Total', bill.total),
    ...(bill.balance_used > 0 ? [formatAmountLine('From the balance', bill.balance_used)] : []),
    ...(bill.paid > 0 ? [formatAmountLine('Paid', bill.paid)] : []),
    ...(bill.refunded > 0 ? [formatAmountLine('Given back', bill.refunded)] : []),
    '',
    `State: ${bill.state}${paid && ` on ${paid}`}${method && `, ${method}`}`,
    '',
  ].join('\r\n')
}

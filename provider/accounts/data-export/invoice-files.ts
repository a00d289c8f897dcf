import { BRAND_NAME } from '../../../contract/brand.ts'
import { getPlan } from '../../../contract/billing/plan-catalog.ts'
import { toCsv } from '../../../contract/wire/csv.ts'
import { inPlain } from '../../../contract/billing/amounts.ts'
import type { MoneyLine } from '../../../contract/billing/purchase.ts'
import type { InvoiceRecord } from '../../billing/ledger/record-schemas.ts'
import type { ZonedClock } from './zoned-clock.ts'

const HEADER = [
  ...['Number', 'Kind', 'Date', 'Time', 'State', 'What', 'Net', 'Tax', 'Total', 'Currency'],
  ...['Balance used', 'Paid', 'Refunded', 'Method', 'Refers to'],
]
const KINDS = { invoice: 'Bill', credit_note: 'Credit note' } as const

const formatMethod = ({ method }: InvoiceRecord) =>
  method === null ? '' : [method.brand, method.last_four || method.name].filter(Boolean).join(' ')

function lineName({ kind, sku, period, quantity, code }: MoneyLine): string {
  const { name, per } = getPlan(sku)
  const plan = `${per === 'camera' ? `${quantity} x ` : ''}${name}, ${period}`
  if (kind === 'coupon') return `Coupon ${code ?? ''}`
  return kind === 'unused' ? `Unused: ${plan}` : plan
}

/** Amounts are numbers, not text, so that a minus sign starts no formula. */
const number = (cents: number) => Number(inPlain(cents))

export function billsTable(bills: readonly InvoiceRecord[], clock: ZonedClock): string {
  const rows = bills.map((bill) => {
    const { date, time } = clock(bill.at)
    return [
      ...[bill.bill, KINDS[bill.kind], date, time, bill.state, bill.lines.map(lineName).join('; ')],
      ...[number(bill.subtotal), number(bill.tax), number(bill.total), bill.currency],
      ...[
        number(bill.balance_used),
        number(bill.paid),
        number(bill.refunded),
        formatMethod(bill),
        bill.refers_to ?? '',
      ],
    ]
  })
  return toCsv([HEADER, ...rows])
}

export function billPage(bill: InvoiceRecord, clock: ZonedClock): string {
  const { date } = clock(bill.at)
  const sum = (name: string, cents: number) => `${name.padEnd(52)}${inPlain(cents).padStart(12)} ${bill.currency}`
  const [method, paid] = [formatMethod(bill), bill.paid_at === null ? '' : clock(bill.paid_at).date]
  const lines = bill.lines.flatMap((line) => [
    sum(lineName(line), line.amount),
    `  ${clock(line.from).date} to ${clock(line.to).date}, tax ${inPlain(line.tax)} ${bill.currency}`,
  ])
  return [
    `${BRAND_NAME}: ${KINDS[bill.kind].toLowerCase()} ${bill.bill}`,
    `Date: ${date}`,
    ...(bill.refers_to === null ? [] : [`For bill ${bill.refers_to}`]),
    ...(bill.buyer.length > 0 ? ['', ...bill.buyer] : []),
    ...['', ...lines, '', sum('Net', bill.subtotal), sum('Tax', bill.tax), sum('Total', bill.total)],
    ...(bill.balance_used > 0 ? [sum('From the balance', bill.balance_used)] : []),
    ...(bill.paid > 0 ? [sum('Paid', bill.paid)] : []),
    ...(bill.refunded > 0 ? [sum('Given back', bill.refunded)] : []),
    ...['', `State: ${bill.state}${paid && ` on ${paid}`}${method && `, ${method}`}`, ''],
  ].join('\r\n')
}

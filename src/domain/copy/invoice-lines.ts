import type { Invoice } from '../../../contract/billing/payment-methods-and-invoices.ts'
import { getPlan } from '../../../contract/billing/plan-catalog.ts'
import type { MoneyLine } from '../../../contract/billing/purchase.ts'
import { invoiceMethodName } from './invoice-status.ts'
import { formatDayCount, formatPercent } from './counts.ts'
import { fullDayLabel, shortDayWithYearLabel } from '../time/date-formats.ts'
import { formatDecimals, formatMoney } from '../../../contract/billing/amounts.ts'
import { DAY_MS } from '../../../contract/time-units.ts'

/** Printed line item of an invoice. `count`: quantity of a charged plan; '' for coupons and credits. */
export interface InvoiceLine {
  readonly title: string
  readonly words: string
  readonly count: string
}

const formatUnitPrice = ({ sku, quantity, unit }: MoneyLine, currency: string) =>
  getPlan(sku).per === 'camera' ? `${quantity} × ${formatMoney(Math.abs(unit), currency)}, ` : ''

/**
 * Returns the number of the invoice that charged the unused time of a credit line; '' for any other line, or if not
 * exactly one invoice charged this time.
 */
export function findCreditedInvoice(line: MoneyLine, bill: Invoice, invoices: readonly Invoice[]): string {
  if (line.kind !== 'unused') return ''
  if (bill.refers_to !== null) return bill.refers_to
  const isCharge = ({ kind, sku, from, to }: MoneyLine) =>
    kind === 'plan' && sku === line.sku && to === line.to && from <= line.from
  const sources = invoices.filter(
    ({ bill: number, kind, state, at, lines }) =>
      kind === 'invoice' && state === 'paid' && number !== bill.bill && at <= bill.at && lines.some(isCharge),
  )
  return sources.length === 1 ? (sources[0]?.bill ?? '') : ''
}

/**
 * Describes a line item: a charged or credited plan with its days, or the discount of a coupon. `source`: number of the
 * invoice that a credit refers to; '' for none.
 */
export function invoiceLine(line: MoneyLine, currency: string, source = ''): InvoiceLine {
  const { kind, sku, period, quantity, amount, from, to, code, percent } = line
  const { name } = getPlan(sku)
  if (kind === 'coupon') {
    const off = percent === undefined ? formatMoney(Math.abs(amount), currency) : formatPercent(percent)
    const first = period === 'annual' ? 'the first year' : 'the first month'
    return { title: `Coupon ${code ?? ''}`.trim(), words: `${off} off ${first}`, count: '' }
  }
  const span = `${fullDayLabel(from)} to ${fullDayLabel(to)}`
  if (kind === 'plan' && amount >= 0)
    return { title: `${name}, ${period}`, words: `${formatUnitPrice(line, currency)}${span}`, count: String(quantity) }
  const days = formatDayCount(Math.max(0, Math.round((to - from) / DAY_MS)))
  const title = kind === 'unused' ? `Credit for unused time on ${name}` : `Credit for ${name}, ${period}`
  const origin = source === '' ? '' : `, from invoice ${source}`
  return { title, words: `${formatUnitPrice(line, currency)}${span}, ${days}${origin}`, count: '' }
}

/** Tax in cents, rounded half away from zero. */
const roundTax = (amount: number, basisPoints: number) =>
  Math.sign(amount) * Math.floor((Math.abs(amount) * basisPoints + 5000) / 10_000)

/**
 * Returns true if every tax of an invoice is exactly what this rate gives, so that the invoice can name the rate. A
 * coupon is taxed together with its plan.
 */
export function isTaxedAt(lines: readonly MoneyLine[], basisPoints: number): boolean {
  const isCharge = ({ kind }: MoneyLine) => kind !== 'unused'
  const groups = [lines.filter(isCharge), ...lines.filter((line) => !isCharge(line)).map((line) => [line])]
  const isExact = (group: readonly MoneyLine[]) =>
    group.reduce((sum, { tax }) => sum + tax, 0) ===
    roundTax(
      group.reduce((sum, { amount }) => sum + amount, 0),
      basisPoints,
    )
  return lines.some(({ tax }) => tax !== 0) && groups.every(isExact)
}

/** Formats the tax of an invoice as a sum of the line items' taxes; '' for fewer than 2 or more than 6 taxes. */
export function formatTaxSum(lines: readonly Pick<MoneyLine, 'tax'>[]): string {
  const taxes = lines.map(({ tax }) => tax).filter((tax) => tax !== 0)
  if (taxes.length < 2 || taxes.length > 6) return ''
  const [first = 0, ...rest] = taxes
  const more = rest.map((tax) => `${tax < 0 ? '\u2212' : '+'} ${formatDecimals(tax)}`)
  return [`${first < 0 ? '\u2212' : ''}${formatDecimals(first)}`, ...more].join(' ')
}

export interface SettlementRow {
  readonly title: string
  readonly cents: number
}

/**
 * Returns rows that show how an invoice was settled; the last row is the open amount. For a credit note or a negative
 * total, returns rows that show where the money went.
 */
export function listSettlementRows(bill: Invoice): SettlementRow[] {
  const { kind, state, total, paid, balance_used, refunded, at, paid_at } = bill
  const method = invoiceMethodName(bill.method) || 'card'
  if (kind === 'credit_note' || total < 0) {
    const remaining = 0 - total - refunded
    return [
      ...(refunded > 0
        ? [
            {
              title: bill.refund_retried ? `Refund returned by the bank, resent to ${method}` : `Refunded to ${method}`,
              cents: refunded,
            },
          ]
        : []),
      ...(remaining > 0
        ? [{ title: state === 'void' ? 'Applied to an unpaid invoice' : 'Added to your balance', cents: remaining }]
        : []),
    ]
  }
  const day = shortDayWithYearLabel(paid_at ?? at)
  return [
    ...(balance_used > 0 ? [{ title: `From your balance, ${day}`, cents: 0 - balance_used }] : []),
    ...(paid > 0 ? [{ title: `Paid ${day}, ${method}`, cents: 0 - paid }] : []),
    { title: state === 'void' ? 'Voided, nothing due' : 'Balance due', cents: state === 'open' ? total : 0 },
  ]
}

/** Returns the part of an invoice number that identifies the account. */
export const parseAccountNumber = ({ bill }: Pick<Invoice, 'bill'>): string => bill.split('-')[0] ?? bill

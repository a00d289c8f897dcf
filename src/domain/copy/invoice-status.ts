import type { Invoice } from '../../../contract/billing/payment-methods-and-invoices.ts'
import { getPlan } from '../../../contract/billing/plan-catalog.ts'
import type { MoneyLine } from '../../../contract/billing/purchase.ts'
import { formatCameraCount, formatDayCount } from './counts.ts'
import { shortDayLabel } from '../time/date-formats.ts'
import { isSameDay } from '../time/local-time.ts'
import { DAY_MS } from '../../../contract/time-units.ts'

export interface InvoiceStatusLabel {
  readonly text: string
  readonly tone: 'success' | 'primary' | 'error' | 'plain'
}

type InvoiceStatusFields = Pick<Invoice, 'kind' | 'state' | 'at' | 'paid_at' | 'total' | 'refunded'>

/**
 * Returns `Paid`, `Declined, then paid 9 Aug`, `Open`, `Refunded`, `Credited` or `Voided`. A voided invoice and its
 * credit note are `Voided`.
 */
export function invoiceStatusLabel({
  kind,
  state,
  at,
  paid_at,
  total,
  refunded,
}: InvoiceStatusFields): InvoiceStatusLabel {
  if (state === 'open') return { text: 'Open', tone: 'error' }
  if (state === 'void') return { text: 'Voided', tone: 'plain' }
  if (kind === 'credit_note') return { text: refunded > 0 ? 'Refunded' : 'Credited', tone: 'primary' }
  if (total < 0) return { text: 'Credited', tone: 'primary' }
  if (paid_at === null || isSameDay(paid_at, at)) return { text: 'Paid', tone: 'success' }
  const day = shortDayLabel(paid_at, at)
  return { text: `Declined, then paid ${day}`, tone: 'error' }
}

function invoiceLineLabel({ sku, quantity, period }: Pick<MoneyLine, 'sku' | 'quantity' | 'period'>): string {
  const { name, per } = getPlan(sku)
  return [name, ...(per === 'camera' ? [formatCameraCount(quantity)] : []), period].join(', ')
}

/**
 * Describes an invoice or credit note by its first line item for a plan, or else by its first line item of any kind.
 * Without line items, returns `No items` for an invoice and `Credit` for a credit note.
 */
export function invoiceSubject({
  kind,
  state,
  lines,
  refunded,
}: Pick<Invoice, 'kind' | 'state' | 'lines' | 'refunded'>) {
  const line = lines.find((entry) => entry.kind === 'plan') ?? lines[0]
  if (!line) return kind === 'credit_note' ? 'Credit' : 'No items'
  if (kind === 'invoice' && line.kind === 'plan') return invoiceLineLabel(line)
  if (state === 'void') return `Voided: ${invoiceLineLabel(line)}`
  const days = formatDayCount(Math.max(1, Math.round((line.to - line.from) / DAY_MS)))
  return `${refunded > 0 ? 'Refund' : 'Credit'}: ${getPlan(line.sku).name}, ${days}`
}

const CARD_BRAND_NAMES: Readonly<Record<string, string>> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'Amex',
  discover: 'Discover',
}

/** Names the payment method of an invoice: `Visa ·· 4242`, `Wallet`; '' for none. */
export function invoiceMethodName(method: Invoice['method']): string {
  if (!method) return ''
  if (method.brand === 'wallet') return 'Wallet'
  const brand = CARD_BRAND_NAMES[method.brand] ?? 'Card'
  return method.last_four === '' ? brand : `${brand} ·· ${method.last_four}`
}

type InvoicePaymentFields = Pick<Invoice, 'kind' | 'state' | 'total' | 'paid' | 'balance_used' | 'method' | 'refunded'>

/**
 * Names what paid an invoice, or where the money of a credit note went: `Visa ·· 4242`, `Balance`, `Visa ·· 4242
 * and balance`. Returns `Not paid yet` for an open invoice, and `No payment` if no money moved.
 */
export function formatPaidWith(bill: InvoicePaymentFields): string {
  const { kind, state, total, balance_used, refunded } = bill
  if (state !== 'paid') return state === 'open' ? 'Not paid yet' : 'No payment'
  const method = invoiceMethodName(bill.method)
  const isPayment = kind === 'invoice' && total > 0
  const hasCash = isPayment ? bill.paid > 0 : refunded > 0
  const hasBalance = isPayment ? balance_used > 0 : refunded < 0 - total
  const parts = [...(hasCash ? [method || 'Card'] : []), ...(hasBalance ? ['balance'] : [])].join(' and ')
  return parts === 'balance' ? 'Balance' : parts || 'No payment'
}

/** Returns the cents that an invoice charged to the payment method; 0 or negative for a credit note. */
export const collectedCents = ({ kind, paid, refunded }: Pick<Invoice, 'kind' | 'paid' | 'refunded'>): number =>
  kind === 'credit_note' ? 0 - refunded : paid

const invoiceYear = ({ at }: Pick<Invoice, 'at'>) => new Date(at).getFullYear()

export const listInvoiceYears = (bills: readonly Pick<Invoice, 'at'>[]): number[] =>
  [...new Set(bills.map(invoiceYear))].sort((a, b) => b - a)

/** Returns the invoices of a year, or of all years if the year is null. Open invoices come first. */
export function filterInvoicesByYear<B extends Pick<Invoice, 'at' | 'state'>>(
  bills: readonly B[],
  year: number | null,
): B[] {
  const matching = bills.filter((bill) => year === null || invoiceYear(bill) === year)
  return [...matching.filter(({ state }) => state === 'open'), ...matching.filter(({ state }) => state !== 'open')]
}

/** Returns the URL of the printable invoice. */
export const getInvoiceUrl = ({ bill }: Pick<Invoice, 'bill'>): string =>
  `/account/billing/invoice?bill=${encodeURIComponent(bill)}`

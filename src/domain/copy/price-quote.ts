import { getPlan } from '../../../contract/billing/plan-catalog.ts'
import type { MoneyLine, Quote } from '../../../contract/billing/purchase.ts'
import { shortDayWithoutYearLabel, shortDayWithYearLabel } from '../time/date-formats.ts'
import { formatDecimals, formatMoney, formatBasisPoints } from '../../../contract/billing/amounts.ts'
import { DAY_MS } from '../../../contract/time-units.ts'
import { formatDayCount, formatPercent } from './counts.ts'

export interface QuotePriceRow {
  readonly key: string
  readonly title: string
  readonly words: string
  readonly amount: string
}

const MINUS_SIGN = '\u2212'

function countPeriodDays(to: number, period: MoneyLine['period']): number {
  const startDate = new Date(to)
  if (period === 'annual') startDate.setUTCFullYear(startDate.getUTCFullYear() - 1)
  else startDate.setUTCMonth(startDate.getUTCMonth() - 1)
  return Math.round((to - startDate.getTime()) / DAY_MS)
}

const formatQuantityAndPrice = ({ quantity, unit, sku }: MoneyLine, currency: string) =>
  getPlan(sku).per === 'camera' ? `${quantity} × ${formatMoney(unit, currency)}` : formatMoney(unit, currency)

function planLineText(line: MoneyLine, currency: string): string {
  const span = `${shortDayWithYearLabel(line.from)} to ${shortDayWithYearLabel(line.to)}`
  return getPlan(line.sku).per === 'camera' ? `${formatQuantityAndPrice(line, currency)}, ${span}` : span
}

function unusedTimeText(line: MoneyLine, currency: string): string {
  const periodDays = countPeriodDays(line.to, line.period)
  const remainingDays = Math.min(periodDays, Math.max(0, Math.round((line.to - line.from) / DAY_MS)))
  return `${formatQuantityAndPrice(line, currency)}, ${shortDayWithoutYearLabel(line.from)} to ${shortDayWithoutYearLabel(line.to)}, ${remainingDays} of ${periodDays} days`
}

/** Describes the discount of a coupon, without a full stop at the end. */
export function couponText({ percent, amount, period }: MoneyLine, currency: string): string {
  const first = period === 'annual' ? 'the first year' : 'the first month'
  return percent === undefined
    ? `${formatMoney(Math.abs(amount), currency)} off ${first}`
    : `${formatPercent(percent)} off ${first}`
}

const planTitle = ({ sku, quantity, period }: Pick<MoneyLine, 'sku' | 'quantity' | 'period'>) => {
  const { name, per } = getPlan(sku)
  return `${per === 'camera' ? `${quantity} × ` : ''}${name}, ${period}`
}

function toPriceRow(line: MoneyLine, currency: string): Pick<QuotePriceRow, 'title' | 'words'> {
  if (line.kind === 'plan') return { title: planTitle(line), words: planLineText(line, currency) }
  if (line.kind === 'coupon') return { title: `Coupon ${line.code ?? ''}`, words: couponText(line, currency) }
  return { title: `Unused time on ${getPlan(line.sku).name}`, words: unusedTimeText(line, currency) }
}

/** Returns one row per line item of a quote or an invoice, with a description of its calculation. */
export function toPriceRows(lines: readonly MoneyLine[], currency: string): QuotePriceRow[] {
  return lines.map((line, index) => ({
    ...toPriceRow(line, currency),
    key: `${line.kind}${index}`,
    amount: formatMoney(line.amount, currency),
  }))
}

/** Formats the tax as a sum of the line items' taxes; '' if fewer than two line items have tax. */
export function taxText(lines: readonly Pick<MoneyLine, 'tax'>[]): string {
  const [first, ...others] = lines.map(({ tax }) => tax).filter((tax) => tax !== 0)
  if (first === undefined || others.length === 0) return ''
  const rest = others.map((tax) => `${tax < 0 ? MINUS_SIGN : '+'} ${formatDecimals(tax)}`)
  return `${first < 0 ? MINUS_SIGN : ''}${formatDecimals(first)} ${rest.join(' ')}, calculated per line`
}

export const taxTitle = (basisPoints: number): string => `Sales tax, ${formatBasisPoints(basisPoints)}`

/**
 * Returns the line under the amount in the phone layout: what goes to the balance, or else the credits and a note that
 * tax is included.
 */
export function creditText({ lines, tax, currency, balance_added }: Quote): string {
  if (balance_added > 0) return `${formatMoney(balance_added, currency)} to your balance`
  const credits = lines.filter(({ amount }) => amount < 0).map(({ amount }) => formatMoney(amount, currency))
  const parts = [...credits, ...(tax !== 0 ? ['tax'] : [])]
  return parts.length === 0 ? '' : `incl. ${parts.join(', ')}`
}

/** Returns the keys of the rows of `after` that `before` does not contain, and `total` if the amount due differs. */
export function listChangedRowKeys(before: Quote, after: Quote): string[] {
  const rows = toPriceRows(after.lines, after.currency)
  const rowsBefore = toPriceRows(before.lines, before.currency)
  const changed = rows.filter(
    (row) =>
      !rowsBefore.some(
        ({ title, words, amount }) => title === row.title && words === row.words && amount === row.amount,
      ),
  )
  return [...changed.map(({ key }) => key), ...(before.due === after.due ? [] : ['total'])]
}

/**
 * Returns the tax in cents within a gross amount; null if no net amount leads to that total. Rate in basis points; tax
 * rounds half up.
 */
export function computeIncludedTax(total: number, basisPoints: number): number | null {
  const estimate = Math.round((total * 10_000) / (10_000 + basisPoints))
  const taxFor = (net: number) => Math.floor((net * basisPoints + 5000) / 10_000)
  const net = [estimate, estimate - 1, estimate + 1].find((candidate) => candidate + taxFor(candidate) === total)
  return net === undefined ? null : total - net
}

/** Days before an annual renewal on which the ledger sends an email. */
const RENEWAL_REMINDER_DAYS = 30
export const RENEWAL_REMINDER_TEXT = `We’ll email you ${formatDayCount(RENEWAL_REMINDER_DAYS)} in advance.`

/** Returns true if an email announces the next charge: for annual plans, if there is time for it. */
export const hasRenewalReminder = (period: Quote['period'], nextAt: number, now: number): boolean =>
  period === 'annual' && nextAt - now > RENEWAL_REMINDER_DAYS * DAY_MS

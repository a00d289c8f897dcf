import { getPlan } from '../../../contract/billing/plan-catalog.ts'
import type { MoneyLine, Quote } from '../../../contract/billing/purchase.ts'
import { shortDay, shortFullDay } from '../time/date-formats.ts'
import { inDecimals, inMoney, inPercent } from '../../../contract/billing/amounts.ts'
import { DAY_MS } from '../../../contract/time-units.ts'

export interface QuotePriceRow {
  readonly key: string
  readonly title: string
  readonly words: string
  readonly amount: string
}

const MINUS = '\u2212'

/** Returns the number of days in the period that ends at `to`. */
function daysOfPeriod(to: number, period: MoneyLine['period']): number {
  const begin = new Date(to)
  if (period === 'annual') begin.setUTCFullYear(begin.getUTCFullYear() - 1)
  else begin.setUTCMonth(begin.getUTCMonth() - 1)
  return Math.round((to - begin.getTime()) / DAY_MS)
}

const times = ({ quantity, unit, sku }: MoneyLine, currency: string) =>
  getPlan(sku).per === 'camera' ? `${quantity} × ${inMoney(unit, currency)}` : inMoney(unit, currency)

function planLineText(line: MoneyLine, currency: string): string {
  const span = `${shortFullDay(line.from)} to ${shortFullDay(line.to)}`
  return getPlan(line.sku).per === 'camera' ? `${times(line, currency)}, ${span}` : span
}

function unusedTimeText(line: MoneyLine, currency: string): string {
  const whole = daysOfPeriod(line.to, line.period)
  const left = Math.min(whole, Math.max(0, Math.round((line.to - line.from) / DAY_MS)))
  return `${times(line, currency)}, ${shortDay(line.from)} to ${shortDay(line.to)}, ${left} of ${whole} days`
}

/** Describes the discount of a coupon, without a full stop at the end. */
export function couponText({ percent, amount, period }: MoneyLine, currency: string): string {
  const first = period === 'annual' ? 'the first year' : 'the first month'
  return percent === undefined ? `${inMoney(Math.abs(amount), currency)} off ${first}` : `${percent} % off ${first}`
}

const planTitle = ({ sku, quantity, period }: Pick<MoneyLine, 'sku' | 'quantity' | 'period'>) => {
  const { name, per } = getPlan(sku)
  return `${per === 'camera' ? `${quantity} × ` : ''}${name}, ${period}`
}

function toPriceRow(line: MoneyLine, currency: string): Pick<QuotePriceRow, 'title' | 'words'> {
  if (line.kind === 'plan') return { title: planTitle(line), words: planLineText(line, currency) }
  if (line.kind === 'coupon') return { title: `Coupon ${line.code ?? ''}`, words: couponText(line, currency) }
  return { title: `Unused ${getPlan(line.sku).name}`, words: unusedTimeText(line, currency) }
}

/** Returns the lines of a quote or an invoice, each with its calculation in words. */
export function priceRows(lines: readonly MoneyLine[], currency: string): QuotePriceRow[] {
  return lines.map((line, index) => ({
    ...toPriceRow(line, currency),
    key: `${line.kind}${index}`,
    amount: inMoney(line.amount, currency),
  }))
}

/** Shows how the tax amounts of the lines add up; '' if only one line has tax. */
export function taxText(lines: readonly Pick<MoneyLine, 'tax'>[]): string {
  const [first, ...others] = lines.map(({ tax }) => tax).filter((tax) => tax !== 0)
  if (first === undefined || others.length === 0) return ''
  const rest = others.map((tax) => `${tax < 0 ? MINUS : '+'} ${inDecimals(tax)}`)
  return `${first < 0 ? MINUS : ''}${inDecimals(first)} ${rest.join(' ')}, line by line`
}

export const taxTitle = (basisPoints: number): string => `Sales tax, ${inPercent(basisPoints)}`

/** Returns the phone layout's line under the amount: the credits, and that tax is included. */
export function creditText({ lines, tax, currency }: Quote): string {
  const credits = lines.filter(({ amount }) => amount < 0).map(({ amount }) => inMoney(amount, currency))
  const words = [...(credits.length > 0 ? [`with ${credits.join(' and ')}`] : []), ...(tax !== 0 ? ['tax'] : [])]
  if (words.length === 2) return `${words[0]}, and tax`
  return words[0] === 'tax' ? 'with tax' : (words[0] ?? '')
}

/** Returns the differences of a new quote: keys of changed rows, and `total` if the sum differs. */
export function changedRows(before: Quote, after: Quote): string[] {
  const rows = priceRows(after.lines, after.currency)
  const was = priceRows(before.lines, before.currency)
  const changed = rows.filter(
    (row) =>
      !was.some(({ title, words, amount }) => title === row.title && words === row.words && amount === row.amount),
  )
  return [...changed.map(({ key }) => key), ...(before.due === after.due ? [] : ['total'])]
}

/**
 * Formats for amounts in integer cents of the deployment's only currency. Other modules must not name a currency, write
 * its sign or divide cents; `npm run check` enforces this.
 */

/** ISO 4217 code of the currency of all sales. Must not change after the first sale (OPEN-176). */
export const CURRENCY: string = 'USD'

/** Currency of old records that store no currency. */
export const LEGACY_CURRENCY = 'USD'

/**
 * Returns the reason why this currency cannot be used for sales; null if it can. All amounts are in cents, so the
 * currency must have two decimals.
 */
export function getCurrencyProblem(code: string): string | null {
  if (!isCurrency(code)) return `CURRENCY is "${code}", which isn’t an ISO 4217 code such as USD or EUR.`
  const { maximumFractionDigits: decimals } = new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency: code,
  }).resolvedOptions()
  return decimals === 2
    ? null
    : `CURRENCY is ${code}, which has ${decimals} decimal places. Prices are in cents, so choose a currency with two.`
}

/** Returns true if amounts can be shown in the currency with this code. */
export const isCurrency = (code: string): boolean => Intl.supportedValuesOf('currency').includes(code)

const NUMBER_PATTERN = /^[+-]?(?:\d+\.?\d*|\.\d+)$/

/**
 * Formats a numeric text with two decimals, rounded half away from zero. Returns non-numeric text unchanged (OPEN-89).
 */
export function formatTwoDecimals(text: string): string {
  if (!NUMBER_PATTERN.test(text)) return text
  return new Intl.NumberFormat('en-US', {
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
    useGrouping: false,
  }).format(text as `${number}`)
}

/** Returns an amount without sign and currency, such as "1108.24" (OPEN-159). */
export const formatDecimals = (cents: number): string => formatTwoDecimals(String(Math.abs(cents) / 100))

/** Returns an amount without currency for spreadsheets and programs, such as "-9.71". */
export const formatPlainAmount = (cents: number): string => `${cents < 0 ? '-' : ''}${formatDecimals(cents)}`

/** Formats an amount for display, such as "$1,108.24". The minus sign is U+2212 and precedes the currency sign. */
export const formatMoney = (cents: number, currency = CURRENCY): string => formatAmount(cents, currency)

/** Formats an amount like `formatMoney`. Plan pages contain this function as text, so it may use only its arguments. */
export function formatAmount(cents: number, currency: string): string {
  const amount = new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(Math.abs(cents) / 100)
  return cents < 0 ? `\u2212${amount}` : amount
}

/** Formats an amount for display, and omits the decimals of whole amounts, such as "$0". */
export const formatShortMoney = (cents: number, currency = CURRENCY): string =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency, trailingZeroDisplay: 'stripIfInteger' }).format(
    cents / 100,
  )

/** Returns the name of a currency: the singular ("US dollar") or, for `many`, the plural ("US dollars"). */
export function getCurrencyName(currency = CURRENCY, count: 'one' | 'many' = 'one'): string {
  const parts = new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency,
    currencyDisplay: 'name',
    minimumFractionDigits: 0,
    maximumFractionDigits: 0,
  }).formatToParts(count === 'one' ? 1 : 2)
  return parts.find(({ type }) => type === 'currency')?.value ?? currency
}

/** Formats hundredths of a percent as a percentage: 825 gives "8.25%". */
export const formatBasisPoints = (basisPoints: number): string => `${basisPoints / 100}%`

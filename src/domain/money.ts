import { CURRENCY } from '../../contract/money.ts'

/** A number as people and servers write it; anything else is no number here, `0x10` and `Infinity` too. */
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)$/

/** A string of a number with two decimals, half up; text that is no number stays as it is (OPEN-89). */
export function twoDecimals(text: string): string {
  if (!NUMBER.test(text)) return text
  return new Intl.NumberFormat('en-US', {
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
    useGrouping: false,
  }).format(text as `${number}`)
}

/** An amount without its sign and currency. Here, and nowhere else, cents become text (OPEN-159). */
export const inDecimals = (cents: number): string => twoDecimals(String(Math.abs(cents) / 100))

/** An amount as it stands on the screen; the minus is U+2212, before the sign of the currency. */
export function inMoney(cents: number, currency = CURRENCY): string {
  const amount = new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(
    inDecimals(cents) as `${number}`,
  )
  return cents < 0 ? `\u2212${amount}` : amount
}

/** Hundredths of a percent as a percentage: 825 gives `8.25 %`. */
export const inPercent = (basisPoints: number): string => `${basisPoints / 100} %`

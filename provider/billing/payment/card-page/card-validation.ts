/** Fields of the card page, in display order. */
export const CARD_FIELDS = ['number', 'ends', 'code', 'name', 'country', 'street', 'city', 'state', 'zip'] as const
export type CardField = (typeof CARD_FIELDS)[number]
export type CardValues = Readonly<Record<CardField, string>>

/** Calendar month in a year. `month`: 1 to 12. */
export interface CalendarMonth {
  readonly year: number
  readonly month: number
}

/**
 * Returns parsers for the card values that a buyer types. They must reference nothing outside this function, because
 * the page script embeds its source code (`browser-script.ts`).
 */
export function createCardParser() {
  const extractDigits = (text: string): string => text.replace(/\D/g, '')
  const BRANDS: [string, RegExp][] = [
    ['visa', /^4/],
    ['mastercard', /^(5[1-5]|2[2-7])/],
    ['amex', /^3[47]/],
    ['discover', /^6(011|5)/],
  ]
  const detectBrand = (number: string): string =>
    BRANDS.find(([, prefix]) => prefix.test(extractDigits(number)))?.[0] ?? ''
  /** Groups digits by four, or by 4, 6 and 5 for Amex. */
  const grouped = (number: string): string => {
    const digits = extractDigits(number).slice(0, 19)
    const groups =
      detectBrand(digits) === 'amex' ? /^(.{1,4})(.{1,6})?(.*)$/.exec(digits)?.slice(1) : digits.match(/.{1,4}/g)
    return (groups ?? []).filter((group) => group).join(' ')
  }
  /** Returns true for 12 to 19 digits that pass the Luhn check. */
  const isWhole = (number: string): boolean => {
    const digits = extractDigits(number)
    const sum = [...digits].reverse().reduce((all, digit, at) => {
      const value = Number(digit) * (at % 2 === 1 ? 2 : 1)
      return all + (value > 9 ? value - 9 : value)
    }, 0)
    return digits.length >= 12 && digits.length <= 19 && sum % 10 === 0
  }
  /** Parses `8/28`, `08 / 2028` or `0828`; returns null if the text is not a valid month. */
  const parseExpiry = (text: string): { year: number; month: number } | null => {
    const parts = /^\s*(\d{1,2})\s*[/.\- ]\s*(\d{2}|\d{4})\s*$/.exec(text) ?? /^\s*(\d{2})(\d{2}|\d{4})\s*$/.exec(text)
    const [month, year] = [Number(parts?.[1] ?? 0), Number(parts?.[2] ?? 0)]
    return month < 1 || month > 12 ? null : { month, year: year < 100 ? 2000 + year : year }
  }
  const codeLength = (number: string): number => (detectBrand(number) === 'amex' ? 4 : 3)
  return { digitsOf: extractDigits, brandOf: detectBrand, grouped, isWhole, endsOf: parseExpiry, codeLength }
}

/**
 * Returns two functions: `problemOf` returns the error sentence of a field, or ''; `summaryOf` returns the sentence
 * above a list of errors. `acceptedNumbers`: digits only. As in `createCardParser`, the functions must reference
 * nothing outside this function.
 */
export function createCardValidator(parser: ReturnType<typeof createCardParser>, acceptedNumbers: readonly string[]) {
  const MAX_YEARS_AHEAD = 25
  const checkText = (value: string, max: number, sentence: string): string =>
    value.trim() === '' ? sentence : value.length > max ? `Use at most ${max} characters.` : ''
  const checkNumber = ({ number }: CardValues): string => {
    if (parser.digitsOf(number) === '') return 'Enter the card number.'
    if (/[^\d -]/.test(number) || !parser.isWhole(number)) return 'Check the card number.'
    return acceptedNumbers.includes(parser.digitsOf(number)) ? '' : 'Use one of the test cards below.'
  }
  const checkExpiry = ({ ends }: CardValues, now: CalendarMonth): string => {
    const date = parser.endsOf(ends)
    if (date === null) return 'Enter the month and year, such as 08 / 28.'
    if (date.year * 12 + date.month < now.year * 12 + now.month)
      return 'This card has expired. Check the date or use another card.'
    return date.year > now.year + MAX_YEARS_AHEAD ? 'Check the year.' : ''
  }
  const checkSecurityCode = ({ code, number }: CardValues): string => {
    const length = parser.codeLength(number)
    return new RegExp(`^\\d{${length}}$`).test(code.trim()) ? '' : `Enter the ${length}-digit code.`
  }
  const checkZip = ({ zip, country }: CardValues): string => {
    if (country === 'CA')
      return /^[A-Z]\d[A-Z] ?\d[A-Z]\d$/i.test(zip.trim()) ? '' : 'Enter a postal code, such as K1A 0B1.'
    return /^\d{5}(-\d{4})?$/.test(zip.trim()) ? '' : 'Enter a 5-digit ZIP code.'
  }
  const findProblem = (field: CardField, values: CardValues, now: CalendarMonth): string => {
    if (field === 'number') return checkNumber(values)
    if (field === 'ends') return checkExpiry(values, now)
    if (field === 'code') return checkSecurityCode(values)
    if (field === 'name') return checkText(values.name, 80, 'Enter the name on the card.')
    if (field === 'country') return values.country === 'US' || values.country === 'CA' ? '' : 'Choose a country.'
    if (field === 'street') return checkText(values.street, 120, 'Enter the street address.')
    if (field === 'city') return checkText(values.city, 80, 'Enter a city.')
    if (field === 'state') return /^[A-Z]{2}$/.test(values.state) ? '' : 'Choose a state.'
    return checkZip(values)
  }
  const formatSummary = (count: number): string => {
    return count === 1 ? 'Fix 1 error to continue.' : `Fix ${count} errors to continue.`
  }
  return { problemOf: findProblem, summaryOf: formatSummary }
}

import { BRAND_NAME, PLAN_BRANDS } from '../../../contract/brand.ts'
import type { Sku } from '../../../contract/billing/skus.ts'

const MONTHS = [
  ...['January', 'February', 'March', 'April', 'May', 'June'],
  ...['July', 'August', 'September', 'October', 'November', 'December'],
]

/** "22 December", of ms UTC: nobody knows where a letter is read. */
export function formatDay(at: number): string {
  const date = new Date(at)
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()] ?? ''}`
}

/** "22 December 2026" */
export const formatFullDay = (at: number): string => `${formatDay(at)} ${new Date(at).getUTCFullYear()}`

/** "22 December 2026 at 09:41 UTC" */
export const formatMoment = (at: number): string =>
  `${formatFullDay(at)} at ${new Date(at).toISOString().slice(11, 16)} UTC`

const named = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1)

/** "Visa ·· 4242"; without either "your balance". */
export function formatMethod({ brand, last_four }: { brand: string | null; last_four: string | null }): string {
  if (!brand && !last_four) return 'your balance'
  return [named(brand || 'Card'), ...(last_four ? [`·· ${last_four}`] : [])].join(' ')
}

export const getPlanName = (sku: Sku): string => PLAN_BRANDS[sku].name

/** Where it came from, as far as it is known: "Chrome on Linux, from 203.0.113.x". */
export const formatClient = ({ device, address }: { device: string; address: string }): string =>
  [device || `A browser at ${BRAND_NAME}`, ...(address === '' ? [] : [`from ${address}`])].join(', ')

/** Text that somebody else chose, on one line: no character of it ends a line, hides or turns another. */
export function oneLine(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}

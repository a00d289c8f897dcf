import { PLAN_BRANDS } from '../../../contract/brand.ts'
import type { Sku } from '../../../contract/billing/skus.ts'

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]

/** Formats ms UTC as "22 December". Uses UTC, because the time zone of the reader is unknown. */
export function formatDay(at: number): string {
  const date = new Date(at)
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()] ?? ''}`
}

/** Formats ms UTC as "22 December 2026". */
export const formatFullDay = (at: number): string => `${formatDay(at)} ${new Date(at).getUTCFullYear()}`

/** Formats ms UTC as "22 December 2026 at 09:41 UTC". */
export const formatMoment = (at: number): string =>
  `${formatFullDay(at)} at ${new Date(at).toISOString().slice(11, 16)} UTC`

const capitalize = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1)

/** Formats a payment method as "Visa ·· 4242". Returns "your balance" if brand and digits are missing. */
export function formatMethod({ brand, last_four }: { brand: string | null; last_four: string | null }): string {
  if (!brand && !last_four) return 'your balance'
  return [capitalize(brand || 'Card'), ...(last_four ? [`·· ${last_four}`] : [])].join(' ')
}

export const getPlanName = (sku: Sku): string => PLAN_BRANDS[sku].name

/** Formats the known details of a sign-in, such as "Chrome on Linux, from 203.0.113.x". */
export const formatClient = ({ device, address }: { device: string; address: string }): string =>
  [device || `Unknown browser`, ...(address === '' ? [] : [`from ${address}`])].join(', ')

/**
 * Puts text that another person chose on one line. Removes control and format characters, such as line breaks and bidi
 * overrides.
 */
export function toOneLine(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}

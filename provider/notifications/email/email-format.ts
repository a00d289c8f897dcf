import { PLAN_BRANDS } from '../../../contract/brand.ts'
import type { Sku } from '../../../contract/billing/skus.ts'

/** Formats of dates in one time zone. Texts are in English, so dates have the month first. Times are ms UTC. */
export interface ZonedFormats {
  /** `December 22`. */
  readonly formatDay: (at: number) => string
  /** `December 22, 2026`. */
  readonly formatFullDay: (at: number) => string
  /** `December 22, 2026 at 9:41 AM EST`. */
  readonly formatMoment: (at: number) => string
}

/** Returns the formats for the time zone of a home (IANA name). Throws a RangeError for an unknown zone. */
export function createZonedFormats(timeZone: string): ZonedFormats {
  const createFormat = (options: Intl.DateTimeFormatOptions) => {
    // eslint-disable-next-line no-restricted-syntax -- This file defines the formats of emails and provider pages.
    const format = new Intl.DateTimeFormat('en-US', { timeZone, ...options })
    return (at: number) => format.format(at).replaceAll('\u202f', ' ')
  }
  const formatFullDay = createFormat({ day: 'numeric', month: 'long', year: 'numeric' })
  const formatTime = createFormat({ hour: 'numeric', minute: '2-digit', timeZoneName: 'short' })
  return {
    formatDay: createFormat({ day: 'numeric', month: 'long' }),
    formatFullDay,
    formatMoment: (at) => `${formatFullDay(at)} at ${formatTime(at)}`,
  }
}

/** Formats of pages and emails for an account whose home has no time zone yet. */
export const UTC_FORMATS = createZonedFormats('UTC')
export const { formatFullDay, formatMoment } = UTC_FORMATS

/** Formats a UTC day for narrow pages: `Dec 22`, or `Dec 22, 2025` if `now` is in another year. */
export function formatShortDay(at: number, now: number): string {
  const isSameYear = new Date(at).getUTCFullYear() === new Date(now).getUTCFullYear()
  const year = isSameYear ? {} : { year: 'numeric' as const }
  // eslint-disable-next-line no-restricted-syntax -- This file defines the formats of emails and provider pages.
  return new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', day: 'numeric', month: 'short', ...year }).format(at)
}

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

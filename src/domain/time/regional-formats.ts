/**
 * Regional formats of dates and times: order of day and month, and 12- or 24-hour clock. They follow the browser's locale, or the setting in Account (docs/decisions/0092). Names of months and weekdays are
 * always English, like all texts.
 */

export interface RegionalFormats {
  /** Locale (BCP 47) of the setting or the browser. */
  readonly region: string
  /** English locale (BCP 47) with the order of day and month of the region. */
  readonly locale: string
  readonly is12Hour: boolean
  readonly isMonthFirst: boolean
}

/** Locale of the texts, used without a browser. */
const DEFAULT_LOCALE = 'en-US'

let tag = ''
let formats: RegionalFormats | undefined

/** Returns the formats for the setting that boot/page/protected-page.ts copied to the document, else for the browser. */
export function getRegionalFormats(): RegionalFormats {
  const setting = globalThis.document?.documentElement.dataset['formats']
  const current = setting || globalThis.navigator?.language || DEFAULT_LOCALE
  if (!formats || current !== tag) {
    tag = current
    formats = resolveFormats(current)
  }
  return formats
}

/** Resolves the formats of a locale (BCP 47); an invalid one counts as the default locale. */
export function resolveFormats(locale: string): RegionalFormats {
  try {
    const isMonthFirst = isMonthBeforeDay(locale)
    const regionLocale = isMonthFirst ? DEFAULT_LOCALE : 'en-GB'
    return {
      region: locale,
      locale: /^en\b/i.test(locale) ? locale : regionLocale,
      is12Hour: has12HourClock(locale),
      isMonthFirst,
    }
  } catch {
    return resolveFormats(DEFAULT_LOCALE)
  }
}

/**
 * Creates a function that formats ms UTC in the browser's zone. The hour has two digits on a 24-hour clock. A no-break
 * space keeps AM and PM on the line.
 */
export function createTimeFormat(options: Intl.DateTimeFormatOptions): (time: number | Date) => string {
  let format: Intl.DateTimeFormat | undefined
  let used: RegionalFormats | undefined
  return (time) => {
    const current = getRegionalFormats()
    if (!format || current !== used) {
      used = current
      // eslint-disable-next-line no-restricted-syntax -- This file defines the formats.
      format = new Intl.DateTimeFormat(current.locale, {
        ...options,
        ...getHourOptions(options, current),
        timeZone: 'UTC',
      })
    }
    // A cached format keeps its zone, and the zone of the system can change. The offset of a Date is always current.
    const date = new Date(time)
    if (Number.isNaN(date.getTime())) return ''
    return format.format(date.getTime() - date.getTimezoneOffset() * 60_000).replace(/\s(?=[ap]\.?m)/i, '\u00a0')
  }
}

/** Returns the options of the hour; none if a format has no hour. */
export function getHourOptions(
  { hour }: Intl.DateTimeFormatOptions,
  { is12Hour }: RegionalFormats,
): Intl.DateTimeFormatOptions {
  if (hour === undefined) return {}
  return is12Hour ? { hour: 'numeric', hourCycle: 'h12' } : { hour: '2-digit', hourCycle: 'h23' }
}

/** Joins a weekday and a date: `Wednesday, November 25` or `Wednesday 25 November`. */
export const joinWeekday = (weekday: string, date: string): string =>
  `${weekday}${getRegionalFormats().isMonthFirst ? ',' : ''} ${date}`

const has12HourClock = (locale: string): boolean =>
  new Intl.DateTimeFormat(locale, { hour: 'numeric' }).resolvedOptions().hour12 === true

function isMonthBeforeDay(locale: string): boolean {
  // eslint-disable-next-line no-restricted-syntax -- This file defines the formats.
  const parts = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'long' }).formatToParts()
  return parts.find(({ type }) => type === 'day' || type === 'month')?.type === 'month'
}

import { getFirstWeekday } from '../time/first-weekday.ts'
import { getHourOptions, resolveFormats } from '../time/regional-formats.ts'

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']

/**
 * Describes the formats of a locale by an example and the first day of the week: `Nov 26, 6:00 PM (Sun)`. The example
 * shows 6 PM of the local day of `now` (ms UTC).
 */
export function describeFormats(tag: string, now: number): string {
  const formats = resolveFormats(tag)
  const options = { day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit' } as const
  // eslint-disable-next-line no-restricted-syntax -- Shows formats that are not in use.
  const format = new Intl.DateTimeFormat(formats.locale, { ...options, ...getHourOptions(options, formats) })
  const example = format.format(new Date(now).setHours(18, 0)).replaceAll('\u202f', ' ')
  return `${example} (${WEEKDAYS[getFirstWeekday(formats) % 7] ?? ''})`
}

/** Formats an IANA time zone for people: `America/New_York` as `New York`. */
export const formatZoneName = (zone: string): string => (zone.split('/').at(-1) ?? zone).replaceAll('_', ' ')

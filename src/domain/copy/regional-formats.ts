import { getHourOptions, resolveFormats } from '../time/regional-formats.ts'

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

/**
 * Describes the formats of a locale by an example: `Nov 26, 6:00 PM, week starts on Sunday`. The example shows 6 PM of
 * the local day of `now` (ms UTC).
 */
export function describeFormats(tag: string, now: number): string {
  const formats = resolveFormats(tag)
  const options = { day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit' } as const
  // eslint-disable-next-line no-restricted-syntax -- Shows formats that are not in use.
  const format = new Intl.DateTimeFormat(formats.locale, { ...options, ...getHourOptions(options, formats) })
  const example = format.format(new Date(now).setHours(18, 0)).replaceAll('\u202f', ' ')
  return `${example}, week starts on ${WEEKDAYS[formats.firstWeekday % 7] ?? ''}`
}

/** Formats an IANA time zone for people: `America/New_York` as `New York`. */
export const formatZoneName = (zone: string): string => (zone.split('/').at(-1) ?? zone).replaceAll('_', ' ')

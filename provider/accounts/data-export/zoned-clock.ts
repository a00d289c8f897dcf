import { badRequest } from '../../platform/api-error.ts'

/** Formats a time (ms UTC) as date and time in the time zone of the clock: `2026-11-22`, `09:41:07`. */
export type ZonedClock = (time: number) => { readonly date: string; readonly time: string }

/** Returns a function that formats times in an IANA time zone. Throws 400 for an unknown time zone. */
export function createZonedClock(zone: string): ZonedClock {
  try {
    // eslint-disable-next-line no-restricted-syntax -- Formats times for exported files, in the requested zone.
    const format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' })
    return (at) => {
      const [date = '', time = ''] = format.format(at).split(' ')
      return { date, time }
    }
  } catch {
    throw badRequest('Unknown time zone.')
  }
}

/** Days and times of day in a time zone, from the runtime's zone data (ECMA-402). Times are ms UTC. */

/** Calendar day of a zone; `month` is 1 to 12, and days outside the month carry over. */
export interface ZonedDay {
  readonly year: number
  readonly month: number
  readonly day: number
}

const dateFormats = new Map<string, Intl.DateTimeFormat>()

function getDateFormat(zone: string): Intl.DateTimeFormat {
  let format = dateFormats.get(zone)
  if (!format) {
    const two = '2-digit'
    const date = { year: 'numeric', month: two, day: two, hour: two, minute: two, second: two } as const
    // eslint-disable-next-line no-restricted-syntax -- the clock of a zone in numbers, which nobody reads.
    format = new Intl.DateTimeFormat('en-US', { timeZone: zone, hourCycle: 'h23', ...date })
    dateFormats.set(zone, format)
  }
  return format
}

/** Returns true if the runtime supports the time zone. */
export function isTimeZone(zone: string): boolean {
  try {
    return getDateFormat(zone) !== undefined
  } catch {
    return false
  }
}

/** Returns the date and time on the zone's clock at `time`, encoded as if they were UTC (ms). */
function toZonedClock(time: number, zone: string): number {
  const parts = new Map(
    getDateFormat(zone)
      .formatToParts(time)
      .map(({ type, value }) => [type, Number(value)]),
  )
  const getPart = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0
  return Date.UTC(
    getPart('year'),
    getPart('month') - 1,
    getPart('day'),
    getPart('hour'),
    getPart('minute'),
    getPart('second'),
  )
}

/** Returns the zone's calendar day at a time. */
export function getZonedDay(time: number, zone: string): ZonedDay {
  const clock = new Date(toZonedClock(time, zone))
  return { year: clock.getUTCFullYear(), month: clock.getUTCMonth() + 1, day: clock.getUTCDate() }
}

/** Returns 0 (Sunday) to 6. */
export const getWeekday = ({ year, month, day }: ZonedDay): number =>
  new Date(Date.UTC(year, month - 1, day)).getUTCDay()

/** Returns the minutes since midnight on the zone's clock. */
export function getZonedMinutes(time: number, zone: string): number {
  const clock = new Date(toZonedClock(time, zone))
  return clock.getUTCHours() * 60 + clock.getUTCMinutes()
}

export function addZonedDays({ year, month, day }: ZonedDay, days: number): ZonedDay {
  const date = new Date(Date.UTC(year, month - 1, day + days))
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() }
}

/**
 * Returns the time at which the zone's clock shows these minutes since midnight. For a time that daylight saving skips,
 * the result is off by the skipped amount.
 */
export function getZonedTime({ year, month, day }: ZonedDay, minutes: number, zone: string): number {
  const clock = Date.UTC(year, month - 1, day, 0, minutes)
  const first = clock - (toZonedClock(clock, zone) - clock)
  return first + (clock - toZonedClock(first, zone))
}

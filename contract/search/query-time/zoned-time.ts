/** Days and times of day of a time zone, by what the runtime knows of zones (ECMA-402). Times are ms UTC. */

/** A calendar day of a zone; `month` 1 to 12, days outside their month are carried over. */
export interface ZonedDay {
  readonly year: number
  readonly month: number
  readonly day: number
}

const formats = new Map<string, Intl.DateTimeFormat>()

function getDateFormat(zone: string): Intl.DateTimeFormat {
  let format = formats.get(zone)
  if (!format) {
    const two = '2-digit'
    const date = { year: 'numeric', month: two, day: two, hour: two, minute: two, second: two } as const
    // eslint-disable-next-line no-restricted-syntax -- the clock of a zone in numbers, which nobody reads.
    format = new Intl.DateTimeFormat('en-US', { timeZone: zone, hourCycle: 'h23', ...date })
    formats.set(zone, format)
  }
  return format
}

/** Whether the runtime knows the zone. */
export function isZone(zone: string): boolean {
  try {
    return getDateFormat(zone) !== undefined
  } catch {
    return false
  }
}

/** The clock of the zone at a time, as if it were UTC. */
function clockAt(time: number, zone: string): number {
  const parts = new Map(
    getDateFormat(zone)
      .formatToParts(time)
      .map(({ type, value }) => [type, Number(value)]),
  )
  const of = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0
  return Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'))
}

/** The day of the zone in which a time lies. */
export function dayAt(time: number, zone: string): ZonedDay {
  const clock = new Date(clockAt(time, zone))
  return { year: clock.getUTCFullYear(), month: clock.getUTCMonth() + 1, day: clock.getUTCDate() }
}

/** 0 (Sunday) to 6 of a day. */
export const getWeekday = ({ year, month, day }: ZonedDay): number =>
  new Date(Date.UTC(year, month - 1, day)).getUTCDay()

/** Minutes since midnight on the clock of the zone. */
export function minutesAt(time: number, zone: string): number {
  const clock = new Date(clockAt(time, zone))
  return clock.getUTCHours() * 60 + clock.getUTCMinutes()
}

/** So many days later, or before. */
export function addDays({ year, month, day }: ZonedDay, days: number): ZonedDay {
  const date = new Date(Date.UTC(year, month - 1, day + days))
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() }
}

/** When the clock of the zone shows so many minutes since midnight on a day; where the clocks skip it, as much later. */
export function timeOn({ year, month, day }: ZonedDay, minutes: number, zone: string): number {
  const clock = Date.UTC(year, month - 1, day, 0, minutes)
  const first = clock - (clockAt(clock, zone) - clock)
  return first + (clock - clockAt(first, zone))
}

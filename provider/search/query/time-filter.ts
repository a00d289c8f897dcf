import { parseSearchTime } from '../../../contract/search/query-time/query-time.ts'
import { getZonedMinutes } from '../../../contract/search/query-time/zoned-time.ts'
import { HOUR_MS } from '../../../contract/time-units.ts'

export interface TimeFilter {
  /** Query without its time words. */
  readonly rest: string
  /** Time range of the query, ms UTC; `start` and `end` are inclusive. */
  readonly start: number
  readonly end: number
  /** Returns true if an event that began at `time` (ms UTC) is within the hours of day that the query names. */
  readonly isInQueryHours: (time: number) => boolean
  /** Time words of the query; empty if it has none. */
  readonly said: string
}

const DAY_MINUTES = 1440

/**
 * Parses the time words of a query in a time zone, relative to `now`. Limits the time range to `range`. All times are
 * ms UTC.
 */
export function parseQueryTime(
  query: string,
  range: { start: number; end: number },
  zone: string,
  now: number,
): TimeFilter {
  const time = parseSearchTime(query, now, zone)
  if (!time) return { rest: query, ...range, isInQueryHours: () => true, said: '' }
  const { rest, said: timeText, hours } = time
  const start = Math.max(range.start, time.start ?? range.start)
  const end = Math.min(range.end, time.end ?? range.end)
  return {
    rest,
    said: timeText,
    start,
    end,
    isInQueryHours: hours === null ? () => true : createHoursTest(hours, zone),
  }
}

/**
 * Returns a function that tests whether a time (ms UTC) is at or after `from` and before `to`, in minutes since
 * midnight in the zone. The range may include midnight. Caches the local time of each UTC hour, and assumes that the
 * zone offset is constant within that hour.
 */
function createHoursTest([from, to]: readonly [number, number], zone: string): (time: number) => boolean {
  const minutesByHour = new Map<number, number>()
  return (time) => {
    const hour = Math.floor(time / HOUR_MS)
    const begin = minutesByHour.get(hour) ?? getZonedMinutes(hour * HOUR_MS, zone)
    minutesByHour.set(hour, begin)
    const minutes = (begin + Math.floor((time - hour * HOUR_MS) / 60_000)) % DAY_MINUTES
    return from < to ? minutes >= from && minutes < to : minutes >= from || minutes < to
  }
}

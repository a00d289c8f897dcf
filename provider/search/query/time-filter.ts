import { searchedTimeIn } from '../../../contract/search/query-time/query-time.ts'
import { minutesAt } from '../../../contract/search/query-time/zoned-time.ts'
import { HOUR_MS } from '../../../contract/time-units.ts'

export interface TimeFilter {
  /** Query without the time words. */
  readonly rest: string
  /** Time range of the query, ms UTC; `start` and `end` are inclusive. */
  readonly start: number
  readonly end: number
  /** Returns true if an event that began at `time` (ms UTC) is within the hours that the query names. */
  readonly isThen: (time: number) => boolean
  /** Time words of the query; '' if there are none. */
  readonly said: string
}

const DAY = 1440

/** Parses the time words of a query in a time zone, relative to `now`. Limits the result to `range` (ms UTC). */
export function whenIn(question: string, range: { start: number; end: number }, zone: string, now: number): TimeFilter {
  const time = searchedTimeIn(question, now, zone)
  if (!time) return { rest: question, ...range, isThen: () => true, said: '' }
  const { rest, said: timeText, hours } = time
  const start = Math.max(range.start, time.start ?? range.start)
  const end = Math.min(range.end, time.end ?? range.end)
  return { rest, said: timeText, start, end, isThen: hours === null ? () => true : within(hours, zone) }
}

/**
 * Returns a function that tests if a time is within these hours of the day in the zone. Caches the zone's offset for
 * each UTC hour, in which the offset is constant.
 */
function within([from, to]: readonly [number, number], zone: string): (time: number) => boolean {
  const begins = new Map<number, number>()
  return (time) => {
    const hour = Math.floor(time / HOUR_MS)
    const begin = begins.get(hour) ?? minutesAt(hour * HOUR_MS, zone)
    begins.set(hour, begin)
    const minutes = (begin + Math.floor((time - hour * HOUR_MS) / 60_000)) % DAY
    return from < to ? minutes >= from && minutes < to : minutes >= from || minutes < to
  }
}

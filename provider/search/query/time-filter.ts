import { searchedTimeIn } from '../../../contract/search/query-time/query-time.ts'
import { minutesAt } from '../../../contract/search/query-time/zoned-time.ts'

/** What a question says of time, and the rest of it. */
export interface TimeFilter {
  /** What is left to look for. */
  readonly rest: string
  /** ms UTC, both included. */
  readonly start: number
  readonly end: number
  /** Whether an event that began then, ms UTC, is of the hours that were asked for. */
  readonly isThen: (time: number) => boolean
  /** The words that said so; '' where there are none. */
  readonly said: string
}

const HOUR_MS = 3_600_000
const DAY = 1440

/** A question within a range of time (ms UTC) as the clock of a zone shows it at `now`. */
export function whenIn(question: string, range: { start: number; end: number }, zone: string, now: number): TimeFilter {
  const time = searchedTimeIn(question, now, zone)
  if (!time) return { rest: question, ...range, isThen: () => true, said: '' }
  const { rest, said: timeText, hours } = time
  const start = Math.max(range.start, time.start ?? range.start)
  const end = Math.min(range.end, time.end ?? range.end)
  return { rest, said: timeText, start, end, isThen: hours === null ? () => true : within(hours, zone) }
}

/** Whether a time is in those hours of its day in the zone. Zones differ from UTC by the same all hour long. */
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

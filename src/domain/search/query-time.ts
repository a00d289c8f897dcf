import type { QueryTime } from '../../../contract/search/query-time/query-time.ts'
import { EVENT_SPAN_MAX_MS } from '../../../contract/events/events.ts'
import { type Span, toSpan } from '../time/date-range.ts'
import { joinClocks } from '../time/clock-time.ts'
import { formatClock, nearDayLabel, shortDayLabel } from '../time/date-formats.ts'
import { briefClockLabel } from '../time/brief-clock.ts'
import { getRegionalFormats } from '../time/regional-formats.ts'
import { DEFAULT_FILTER, resolveRange } from '../events/event-url.ts'
import type { EventFilter } from '../events/event-filter.ts'
import { endOfDay, isSameDay, startOfDay } from '../time/local-time.ts'

/** Time filter of a query and the span of its search. Times are ms UTC; days are in the browser's zone. */

const DAY_MINUTES = 24 * 60

type Range = EventFilter['range']

/** Returns true if the query names days, not only hours of each day. */
export const hasNamedDays = (time: QueryTime | null): time is QueryTime =>
  time !== null && (time.start !== null || time.end !== null)

/**
 * Returns the span of the days that a query names, limited to its last `EVENT_SPAN_MAX_MS`. Without an end, the span
 * ends at `now`.
 */
function getNamedSpan(time: QueryTime, now: number): Span {
  const end = time.end ?? now
  return { begin: Math.max(time.start ?? 0, end - EVENT_SPAN_MAX_MS), end }
}

const getChosenSpan = (range: Range, now: number): Span => toSpan(resolveRange({ range }, now))

/**
 * Returns the span of a search. Days that the query names replace the default range. For a chosen range, returns its
 * overlap with the named days, or the whole chosen range if there is no overlap.
 */
export function getSearchSpan(range: Range, time: QueryTime | null, now: number): Span {
  const chosen = getChosenSpan(range, now)
  if (!hasNamedDays(time)) return chosen
  const named = getNamedSpan(time, now)
  if (range === DEFAULT_FILTER.range) return named
  const overlap = { begin: Math.max(chosen.begin, named.begin), end: Math.min(chosen.end, named.end) }
  return overlap.begin <= overlap.end ? overlap : chosen
}

/** Returns true if the chosen range excludes part of the time that a query names. */
export function excludesNamedTime(range: Range, time: QueryTime | null, now: number): boolean {
  if (!hasNamedDays(time) || range === DEFAULT_FILTER.range) return false
  const [chosen, named] = [getChosenSpan(range, now), getNamedSpan(time, now)]
  return named.begin < chosen.begin || Math.min(named.end, now) > chosen.end
}

/**
 * Returns the time phrase of a query and its interpretation: `Last night · 25 Nov 20:00 – 26 Nov 06:00`. Leaves out a
 * phrase that names times of day, because the interpretation repeats them: `Yesterday, 17:30 – 18:30`.
 */
export function queryTimeText({ said: phrase, start, end, hours, isClock }: QueryTime, now: number): string {
  if (isClock && start !== null && end !== null && !hours && isSameDay(start, end))
    return `${nearDayLabel(start, now)}, ${joinClocks(briefClockLabel(start), briefEndClock(end))}`
  const days = end === null ? '' : start === null ? `until ${endLabel(end, now)}` : spanLabel(start, end, now)
  const daily = hours ? `every day ${hours.map(minutesLabel).join(' – ')}` : ''
  const interpretation = [days, daily].filter(Boolean).join(', ')
  return isClock ? capitalize(interpretation) : `${capitalize(phrase)} · ${interpretation}`
}

/** Formats a span: `25 Nov`, `23 Nov – 26 Nov`, `25 Nov 22:00 – 24:00`, `25 Nov 20:00 – 26 Nov 06:00`. */
function spanLabel(start: number, end: number, now: number): string {
  const first = shortDayLabel(start, now)
  if (start === startOfDay(start) && isLastOfDay(end))
    return isSameDay(start, end) ? first : `${first} – ${shortDayLabel(end, now)}`
  return `${first} ${formatClock(start)} – ${isSameDay(start, end) ? endClock(end) : `${shortDayLabel(end, now)} ${endClock(end)}`}`
}

const endLabel = (end: number, now: number) =>
  isLastOfDay(end) ? shortDayLabel(end, now) : `${shortDayLabel(end, now)} ${endClock(end)}`

const isLastOfDay = (end: number) => end === endOfDay(end)
/** Formats an inclusive end as the next minute: 05:59:59.999 as `06:00`, the end of a day as `24:00`. */
const endClock = (end: number) => (isLastOfDay(end) ? endOfDayLabel() : formatClock(end + 1))
const briefEndClock = (end: number) => (isLastOfDay(end) ? endOfDayLabel() : briefClockLabel(end + 1))
/** The end of a day is `24:00`; on a 12-hour clock `midnight`, because `12:00 AM` reads as its start. */
const endOfDayLabel = () => (getRegionalFormats().is12Hour ? 'midnight' : '24:00')

/** Formats minutes since midnight as `2:30 PM` or `14:30`; the end of a day as `midnight` or `24:00`. */
const minutesLabel = (minutes: number) =>
  minutes === DAY_MINUTES ? endOfDayLabel() : formatClock(new Date(2001, 0, 1, 0, minutes))

const capitalize = (words: string) => words.charAt(0).toUpperCase() + words.slice(1)

import type { AskedTime } from '../../../contract/search/query-time/query-time.ts'
import { EVENT_SPAN_MAX_MS } from '../../../contract/events/events.ts'
import { type Span, toSpan } from '../time/date-range.ts'
import { clock, shortDayLabel } from '../time/date-formats.ts'
import { DEFAULT_FILTER, resolveRange } from '../events/event-url.ts'
import type { EventFilter } from '../events/event-filter.ts'
import { endOfDay, isSameDay, startOfDay } from '../time/local-time.ts'

/** What a question says of time, and what it is searched by: times are ms UTC, days those of the browser's zone. */

type Range = EventFilter['range']

/** Whether the question names days, and not only hours of each. */
export const namesDays = (time: AskedTime | null): time is AskedTime =>
  time !== null && (time.start !== null || time.end !== null)

/** From when to when the days are that a question names, as long as one question may ask for. */
function namedSpan(time: AskedTime, now: number): Span {
  const end = time.end ?? now
  return { begin: Math.max(time.start ?? 0, end - EVENT_SPAN_MAX_MS), end }
}

const chosenSpan = (range: Range, now: number): Span => toSpan(resolveRange({ range }, now))

/**
 * What a search covers. Days that the question names are taken instead of the usual ones, however long ago they are; days that
 * somebody chose by hand narrow them. Where both have nothing in common the chosen days are asked for, in which nothing is found.
 */
export function searchedSpan(range: Range, time: AskedTime | null, now: number): Span {
  const chosen = chosenSpan(range, now)
  if (!namesDays(time)) return chosen
  const named = namedSpan(time, now)
  if (range === DEFAULT_FILTER.range) return named
  const both = { begin: Math.max(chosen.begin, named.begin), end: Math.min(chosen.end, named.end) }
  return both.begin <= both.end ? both : chosen
}

/** Whether chosen days leave out some of the time that a question names. */
export function isCut(range: Range, time: AskedTime | null, now: number): boolean {
  if (!namesDays(time) || range === DEFAULT_FILTER.range) return false
  const [chosen, named] = [chosenSpan(range, now), namedSpan(time, now)]
  return named.begin < chosen.begin || Math.min(named.end, now) > chosen.end
}

/** The words of a question for a time, and what they were taken for: `Last night · 25 Nov 20:00 – 26 Nov 06:00`. */
export function queryTimeText({ said: phrase, start, end, hours }: AskedTime, now: number): string {
  const days = end === null ? '' : start === null ? `until ${endLabel(end, now)}` : spanLabel(start, end, now)
  const daily = hours ? `every day ${hours.map(minutesLabel).join(' – ')}` : ''
  return [capital(phrase), [days, daily].filter(Boolean).join(', ')].join(' · ')
}

/** `25 Nov`, `23 Nov – 26 Nov`, `25 Nov 22:00 – 24:00`, `25 Nov 20:00 – 26 Nov 06:00`. */
function spanLabel(start: number, end: number, now: number): string {
  const first = shortDayLabel(start, now)
  if (start === startOfDay(start) && isLastOfDay(end))
    return isSameDay(start, end) ? first : `${first} – ${shortDayLabel(end, now)}`
  return `${first} ${clock(start)} – ${isSameDay(start, end) ? endClock(end) : `${shortDayLabel(end, now)} ${endClock(end)}`}`
}

const endLabel = (end: number, now: number) =>
  isLastOfDay(end) ? shortDayLabel(end, now) : `${shortDayLabel(end, now)} ${endClock(end)}`

const isLastOfDay = (end: number) => end === endOfDay(end)
/** `06:00` for what ends just before it. */
const endClock = (end: number) => (isLastOfDay(end) ? '24:00' : clock(end + 1))

/** `14:30` of minutes since midnight. */
const minutesLabel = (minutes: number) =>
  [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':')

const capital = (words: string) => words.charAt(0).toUpperCase() + words.slice(1)

import type { QueryTime } from '../../../contract/search/query-time/query-time.ts'
import type { SearchMatch, QueryInterpretation } from '../../../contract/search/search-calls.ts'
import { HOUR_MS } from '../../../contract/time-units.ts'
import { DEFAULT_HOURS } from '../../../contract/events/date-ranges.ts'
import { LAST_HOUR, type DateRange, type Span } from '../time/date-range.ts'
import { isSameDay, toDay } from '../time/local-time.ts'
import { getNamedInstant } from '../copy/empty-time.ts'

/** Search for a camera and a time, without any other term, that found no clip. Times are ms UTC. */
export interface EmptyTime {
  /** Words that name the cameras, as written in the query. */
  readonly said: readonly string[]
  readonly deviceIds: readonly string[]
  /** Searched time span. */
  readonly span: Span
  /** Time from which distances count: the named instant or both ends of the span. */
  readonly anchor: Span
  /** Time span of the strip: from one hour before the anchor to three hours after. */
  readonly view: Span
}

interface SearchWithoutMatch {
  readonly time: QueryTime | null
  readonly asked: Span
  readonly answer: { readonly events: readonly SearchMatch[]; readonly said: QueryInterpretation }
}

/** Returns the camera and the time of a search without a match; null for any other search. */
export function getEmptyTime({ time, asked: searchedSpan, answer }: SearchWithoutMatch): EmptyTime | null {
  const { events, said: interpretation } = answer
  if (events.length > 0 || !interpretation.scope_only || interpretation.cameras.length === 0) return null
  if (!time || time.start === null || time.end === null || time.hours) return null
  const span = { begin: Math.max(searchedSpan.begin, time.start), end: Math.min(searchedSpan.end, time.end) }
  if (span.end <= span.begin) return null
  const instant = getNamedInstant(time, span)
  const anchor = instant === null ? span : { begin: instant, end: instant }
  return {
    said: interpretation.cameras.map((camera) => camera.said),
    deviceIds: [...new Set(interpretation.cameras.flatMap(({ device_ids }) => device_ids))],
    span,
    anchor,
    view: { begin: anchor.begin - HOUR_MS, end: anchor.end + 3 * HOUR_MS },
  }
}

/** Returns the days, or the hours of one day, whose timeline shows `view`. */
export function toTimelineRange({ begin, end }: Span): DateRange {
  const range = { start: toDay(begin), end: toDay(end) }
  if (!isSameDay(begin, end)) return { ...range, hours: DEFAULT_HOURS }
  const [from, to] = [new Date(begin).getHours(), new Date(end).getHours() + 1]
  return { ...range, hours: [from, Math.min(to, LAST_HOUR)] }
}

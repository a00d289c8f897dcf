import type { QueryTime } from '../../../contract/search/query-time/query-time.ts'
import type { TimelineRun, TimelineState } from '../../../contract/events/timeline.ts'
import { HOUR_MS, MINUTE_MS } from '../../../contract/time-units.ts'
import { cropSegments } from '../events/timeline-viewport.ts'
import { formatClock, nearDayLabel, roundedDurationLabel, weekdayWords } from '../time/date-formats.ts'
import type { Span } from '../time/date-range.ts'
import { briefClockLabel, briefClockSpan } from '../time/brief-clock.ts'
import { endOfDay, isSameDay, startOfDay } from '../time/local-time.ts'
import { formatList } from './lists.ts'

/** Texts of a search for a camera and a time that found no clip. Times are ms UTC. */

/** Longest span of a query such as `at 18:00`, which is searched with a tolerance on both sides. */
const CLOCK_SPAN_MAX_MS = 2 * HOUR_MS

/** Returns the named time of day if the query names one, else null: the middle of `17:30 – 18:30`. */
export function getNamedInstant({ isClock }: Pick<QueryTime, 'isClock'>, { begin, end }: Span): number | null {
  return isClock && end - begin <= CLOCK_SPAN_MAX_MS ? Math.round((begin + end) / 2 / MINUTE_MS) * MINUTE_MS : null
}

const isWholeDay = ({ begin, end }: Span) => begin === startOfDay(begin) && end === endOfDay(begin)

function dayPhrase(time: number, now: number): string {
  const day = nearDayLabel(time, now)
  return day === 'Today' || day === 'Yesterday' ? day.toLowerCase() : `on ${day}`
}

/** Formats a moment inside a sentence: `8:00 PM yesterday`, `8:00 PM on Sun, Nov 15`. */
const momentPhrase = (time: number, now: number) => `${formatClock(time)} ${dayPhrase(time, now)}`

/** Heading: `No clips from Front door around 18:00 yesterday`. */
export function emptyTimeTitle(camera: string, time: Pick<QueryTime, 'isClock'>, span: Span, now: number): string {
  return `No clips from ${camera} ${timePhrase(time, span, now)}`
}

function timePhrase(time: Pick<QueryTime, 'isClock'>, span: Span, now: number): string {
  const instant = getNamedInstant(time, span)
  if (instant !== null) return `around ${briefClockLabel(instant)} ${dayPhrase(instant, now)}`
  if (isWholeDay(span)) return dayPhrase(span.begin, now)
  if (isSameDay(span.begin, span.end))
    return `between ${formatClock(span.begin)} and ${formatClock(span.end + 1)} ${dayPhrase(span.begin, now)}`
  return `between ${momentPhrase(span.begin, now)} and ${momentPhrase(span.end + 1, now)}`
}

/** States in which a camera was present, with the words for them. Several states can share their words. */
const PRESENCE: readonly (readonly [string, readonly TimelineState[]])[] = [
  ['online', ['recorded', 'live_only', 'not_indexed', 'not_kept', 'expired', 'freed']],
  ['online without motion detection', ['not_watched']],
  ['asleep', ['asleep']],
  ['offline', ['offline']],
  ['turned off', ['switched_off']],
  ['unreachable because the hub was offline', ['bridge_off']],
]

/** Sentences about clips that existed but cannot be played. */
const MISSING_CLIPS: readonly (readonly [TimelineState, string])[] = [
  ['expired', 'Clips from this time have expired.'],
  ['freed', 'Clips from this time were deleted to free up space.'],
  ['not_kept', 'Your plan doesn’t include clips from this time.'],
  ['not_indexed', 'Some clips may still be uploading.'],
]

/**
 * Describes what the camera did in the span, from its timeline: `Front door was online and recorded nothing on …`.
 * Leaves out the time after `now`.
 */
export function emptyTimeText(camera: string, runs: readonly TimelineRun[], span: Span, now: number): string {
  const passed = { begin: span.begin, end: Math.min(span.end + 1, now) }
  const words = spanPhrase({ ...span, end: Math.min(span.end, now) }, now)
  const lengths = new Map<TimelineState, number>()
  for (const [from, to, state] of cropSegments(runs, passed)) lengths.set(state, (lengths.get(state) ?? 0) + to - from)
  const sum = (states: readonly TimelineState[]) =>
    states.reduce((total, state) => total + (lengths.get(state) ?? 0), 0)
  const presence = PRESENCE.map(([state, states]) => ({ state, ms: sum(states) }))
    .filter(({ ms }) => ms >= MINUTE_MS)
    .toSorted((a, b) => b.ms - a.ms)
  const missing = MISSING_CLIPS.filter(([state]) => lengths.has(state)).map(([, text]) => text)
  const [first, ...others] = presence
  if (!first) return [`We have no data for ${camera} ${words}.`, ...missing].join(' ')
  const hasNothing = missing.length === 0 && !lengths.has('recorded')
  const state =
    others.length > 0
      ? formatList(presence.map(({ state, ms }) => `${state} for ${roundedDurationLabel(ms)}`))
      : `${first.state}${first.state === 'online' && hasNothing ? ' and recorded nothing' : ''}`
  return [`${camera} was ${state} ${words}.`, ...missing].join(' ')
}

function spanPhrase(span: Span, now: number): string {
  if (isWholeDay(span)) return `on ${weekdayWords(span.begin)}`
  if (isSameDay(span.begin, span.end))
    return `on ${weekdayWords(span.begin)}, from ${formatClock(span.begin)} to ${formatClock(span.end + 1)}`
  return `from ${momentPhrase(span.begin, now)} to ${momentPhrase(span.end + 1, now)}`
}

/** Heading of the clips that other cameras recorded: `Other cameras, 17:30 – 18:30`. */
export const otherCamerasTitle = ({ begin, end }: Span): string =>
  isSameDay(begin, end) && !isWholeDay({ begin, end })
    ? `Other cameras, ${briefClockSpan(begin, end + 1)}`
    : 'Other cameras'

/** Formats the distance of a clip from the searched time: `46 min before`, `1 h 46 min after`. */
export function distanceLabel(time: number, anchor: Span): string {
  return time < anchor.begin
    ? `${roundedDurationLabel(anchor.begin - time)} before`
    : `${roundedDurationLabel(time - anchor.end)} after`
}

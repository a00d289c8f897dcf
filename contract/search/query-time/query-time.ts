import { AROUND_TOLERANCE_MINUTES, type TimeOfDayRange } from './times-of-day.ts'
import { TIME_PHRASE_TABLES } from './phrase-tables.ts'
import { type PartOfDay, PARTS_OF_DAY } from './phrase-meanings.ts'
import { parseTimeExpression, type QueryTimeReading } from './parse-time.ts'
import { QueryWords, tokenizeQuery } from './query-tokens.ts'
import { addZonedDays, getZonedDay, getZonedMinutes, getZonedTime } from './zoned-time.ts'

export interface QueryTime {
  /** ms UTC, both included; null: unbounded. */
  readonly start: number | null
  readonly end: number | null
  /**
   * Hours on each day of the range, in minutes since midnight, end exclusive. If the first number is larger, the hours
   * cross midnight.
   */
  readonly hours: readonly [number, number] | null
  readonly part: PartOfDay | null
  /** True if the query names an hour. */
  readonly isClock: boolean
  /** Time words as written in the query. */
  readonly said: string
  /** Query without the time words. */
  readonly rest: string
}

type Span = readonly [number, number]
const DAY_MINUTES = 1440
const NOON_MINUTES = 720
const HALF_DAY_MINUTES = 720
/** An ambiguous hour before 7:00 (in minutes since midnight) means the afternoon: `at 5` is 5 pm. */
const AFTERNOON_LIMIT_MINUTES = 7 * 60
/** Maximum length of one day, ms: a day has 25 hours when daylight saving time ends. */
const LONGEST_DAY_MS = 90_000_000

/**
 * Returns the time that a query names, in an IANA time zone and relative to `now` (ms UTC); null if the query names no
 * time.
 */
export function parseQueryTime(query: string, now: number, zone: string): QueryTime | null {
  const words = tokenizeQuery(query)
  const today = getZonedDay(now, zone)
  const readings = Object.keys(TIME_PHRASE_TABLES).map((language) =>
    parseTimeExpression(new QueryWords(words, language), now, today),
  )
  const maxUsedTokens = Math.max(...readings.map(countUsedTokens))
  const best = readings.find((reading) => countUsedTokens(reading) === maxUsedTokens)
  if (!best || maxUsedTokens === 0) return null
  const timeSpans = mergeAdjacentSpans(best.used).map(([from, to]): Span => [
    words[from]?.at ?? 0,
    words[to - 1]?.end ?? 0,
  ])
  return {
    ...toTimeRange(best, now, zone),
    part: best.part ?? null,
    isClock: best.hours !== undefined,
    said: timeSpans.map(([from, to]) => query.slice(from, to)).join(', '),
    rest: removeSpans(query, timeSpans),
  }
}

/**
 * Like `parseQueryTime`, but returns null if the query names only the night or the evening. Clip descriptions mention
 * darkness, so `at night` alone searches for dark scenes, not for hours.
 */
export function parseSearchTime(query: string, now: number, zone: string): QueryTime | null {
  const time = parseQueryTime(query, now, zone)
  return time && isOnlyNightOrEvening(time) ? null : time
}

const isOnlyNightOrEvening = ({ start, end, part, isClock }: QueryTime) =>
  start === null && end === null && !isClock && (part === 'night' || part === 'evening')

const countUsedTokens = ({ used }: QueryTimeReading) => used.reduce((sum, [from, to]) => sum + to - from, 0)

function mergeAdjacentSpans(spans: readonly Span[]): Span[] {
  const all: Span[] = []
  for (const [from, to] of spans) {
    const last = all.at(-1)
    if (last?.[1] === from) all[all.length - 1] = [last[0], to]
    else all.push([from, to])
  }
  return all
}

type TimeRange = Pick<QueryTime, 'start' | 'end' | 'hours'>

function toTimeRange(reading: QueryTimeReading, now: number, zone: string): TimeRange {
  const { span, days, since, until, part } = reading
  if (span) return { start: span[0], end: span[1], hours: null }
  const hours = resolveHours(reading)
  if (since || until) {
    const end = until ? getZonedTime(until, 0, zone) - 1 : now
    return { start: since ? getZonedTime(since, 0, zone) : null, end, hours }
  }
  if (!days) return { start: null, end: null, hours }
  const wholeDays = {
    start: getZonedTime(days.first, 0, zone),
    end: getZonedTime(addZonedDays(days.last, 1), 0, zone) - 1,
  }
  if (hours === null || wholeDays.end - wholeDays.start > LONGEST_DAY_MS) return { ...wholeDays, hours }
  const [from, to] = hours
  // Before the time `to`, `tonight` is the night that began on the previous day. Later, `tonight` is the night that
  // begins today.
  const isInNight =
    part === 'night' && wholeDays.start <= now && now <= wholeDays.end && getZonedMinutes(now, zone) < to
  const night = isInNight && from > to ? addZonedDays(days.first, -1) : days.first
  // If the query names a night and an hour before noon, the hour is on the day after the night began.
  const day = addZonedDays(
    night,
    part === 'night' && reading.hours && from < NOON_MINUTES ? 1 : startsOnPreviousDay(reading) ? -1 : 0,
  )
  const end = getZonedTime(to <= from ? addZonedDays(day, 1) : day, to, zone) - 1
  return { start: getZonedTime(day, from, zone), end, hours: null }
}

/** True if the range around the named hour starts on the previous day: `yesterday at 00:10` starts before midnight. */
const startsOnPreviousDay = ({ part, hours }: QueryTimeReading) =>
  part === undefined && hours !== undefined && (hours.from ?? 0) < 0

function resolveHours({ part, hours }: QueryTimeReading): Span | null {
  const partSpan: Span | null = part === undefined ? null : PARTS_OF_DAY[part]
  if (!hours) return partSpan
  const { from, to } = hours.vague ? resolveAmbiguousHours(hours, partSpan) : hours
  const end = to ?? partSpan?.[1] ?? DAY_MINUTES
  return [wrapMinutes(from ?? partSpan?.[0] ?? 0), end === DAY_MINUTES ? DAY_MINUTES : wrapMinutes(end)]
}

/**
 * Resolves an ambiguous hour by the part of the day that the query names. If it names none, moves an hour before
 * `AFTERNOON_LIMIT_MINUTES` to the afternoon.
 */
function resolveAmbiguousHours({ from, to }: TimeOfDayRange, part: Span | null): Pick<TimeOfDayRange, 'from' | 'to'> {
  // If one of the two hours is 13:00 or later, both hours use the 24-hour clock.
  if (from !== null && to !== null && Math.max(from, to) >= NOON_MINUTES + 60) return { from, to }
  const isPlausible = (minutes: number) => (part ? isWithin(minutes, part) : minutes >= AFTERNOON_LIMIT_MINUTES)
  const toPlausibleTime = (minutes: number) =>
    !isPlausible(minutes) && minutes < NOON_MINUTES && isPlausible(minutes + HALF_DAY_MINUTES)
      ? minutes + HALF_DAY_MINUTES
      : minutes
  if (from !== null && to !== null && to - from === 2 * AROUND_TOLERANCE_MINUTES) {
    const middle = toPlausibleTime(from + AROUND_TOLERANCE_MINUTES)
    return { from: middle - AROUND_TOLERANCE_MINUTES, to: middle + AROUND_TOLERANCE_MINUTES }
  }
  return { from: from === null ? null : toPlausibleTime(from), to: to === null ? null : toPlausibleTime(to) }
}

const wrapMinutes = (minutes: number) => ((minutes % DAY_MINUTES) + DAY_MINUTES) % DAY_MINUTES
const isWithin = (minutes: number, [from, to]: Span) =>
  from < to ? minutes >= from && minutes < to : minutes >= from || minutes < to

/**
 * Returns the query without the text at `timeSpans`, and without the double spaces and punctuation that remain. Returns
 * '' if no word is left.
 */
function removeSpans(query: string, timeSpans: readonly Span[]): string {
  const ends = [0, ...timeSpans.map(([, to]) => to)]
  const begins = [...timeSpans.map(([from]) => from), query.length]
  return ends
    .map((end, n) => query.slice(end, begins[n]))
    .join(' ')
    .replace(/\s+/g, ' ')
    .replace(/\s+([,.?!])/g, '$1')
    .replace(/^[\s,.;:–-]+|[\s,;:–-]+$/g, '')
    .replace(/^[^\p{L}\p{N}]+$/u, '')
    .trim()
}

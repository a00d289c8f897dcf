import { AROUND, type TimeOfDayRange } from './times-of-day.ts'
import { TIME_PHRASE_TABLES } from './phrase-tables.ts'
import { type PartOfDay, PARTS } from './phrase-meanings.ts'
import { read, type QueryTimeReading } from './parse-time.ts'
import { Words, tokenizeQuery } from './query-tokens.ts'
import { addZonedDays, minutesAt, timeOn } from './zoned-time.ts'

/** Time range of a query, and the rest of the query. */
export interface AskedTime {
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
const DAY = 1440
const NOON = 720
const HALF_DAY = 720
/** An ambiguous hour before this time (minutes since midnight) means the afternoon: `at 5` is 5 pm. */
const EARLY = 7 * 60
/** Maximum length of one day, ms: a day has 25 hours when daylight saving time ends. */
const ONE_DAY_MS = 90_000_000

/**
 * Returns the time that a query names, in an IANA time zone and relative to `now` (ms UTC); null if the query names no
 * time.
 */
export function parseQueryTime(question: string, now: number, zone: string): AskedTime | null {
  const words = tokenizeQuery(question)
  const readings = Object.keys(TIME_PHRASE_TABLES).map((language) => read(new Words(words, language), now, zone))
  const maxSize = Math.max(...readings.map(countUsedTokens))
  const best = readings.find((reading) => countUsedTokens(reading) === maxSize)
  if (!best || maxSize === 0) return null
  const cuts = joined(best.used).map(([from, to]): Span => [words[from]?.at ?? 0, words[to - 1]?.end ?? 0])
  return {
    ...toTimeRange(best, now, zone),
    part: best.part ?? null,
    isClock: best.hours !== undefined,
    said: cuts.map(([from, to]) => question.slice(from, to)).join(', '),
    rest: without(question, cuts),
  }
}

/**
 * Like `parseQueryTime`, but returns null if the query names only the night or the evening. Clips describe the light,
 * so `at night` then means dark scenes, not hours.
 */
export function searchedTimeIn(question: string, now: number, zone: string): AskedTime | null {
  const time = parseQueryTime(question, now, zone)
  return time && isLight(time) ? null : time
}

/** True if `at night` or `in the evening` is the only time in the query. */
const isLight = ({ start, end, part, isClock }: AskedTime) =>
  start === null && end === null && !isClock && (part === 'night' || part === 'evening')

const countUsedTokens = ({ used }: QueryTimeReading) => used.reduce((sum, [from, to]) => sum + to - from, 0)

/** Merges adjacent spans. */
function joined(spans: readonly Span[]): Span[] {
  const all: Span[] = []
  for (const [from, to] of spans) {
    const last = all.at(-1)
    if (last?.[1] === from) all[all.length - 1] = [last[0], to]
    else all.push([from, to])
  }
  return all
}

type TimeRange = Pick<AskedTime, 'start' | 'end' | 'hours'>

function toTimeRange(reading: QueryTimeReading, now: number, zone: string): TimeRange {
  const { span, days, since, until, part } = reading
  if (span) return { start: span[0], end: span[1], hours: null }
  const hours = resolveHours(reading)
  if (since || until) {
    const end = until ? timeOn(until, 0, zone) - 1 : now
    return { start: since ? timeOn(since, 0, zone) : null, end, hours }
  }
  if (!days) return { start: null, end: null, hours }
  const whole = { start: timeOn(days.first, 0, zone), end: timeOn(addZonedDays(days.last, 1), 0, zone) - 1 }
  if (hours === null || whole.end - whole.start > ONE_DAY_MS) return { ...whole, hours }
  const [from, to] = hours
  // During a night, `tonight` means the current night, which began on the day before; otherwise it means the coming
  // night.
  const isInNight = part === 'night' && whole.start <= now && now <= whole.end && minutesAt(now, zone) < to
  const night = isInNight && from > to ? addZonedDays(days.first, -1) : days.first
  // If the query names a night and an hour before noon, that hour is on the next day.
  const day = addZonedDays(night, part === 'night' && reading.hours && from < NOON ? 1 : isBefore(reading) ? -1 : 0)
  const end = timeOn(to <= from ? addZonedDays(day, 1) : day, to, zone) - 1
  return { start: timeOn(day, from, zone), end, hours: null }
}

/** True if the range around an hour starts on the day before, as for `yesterday at 00:10`. */
const isBefore = ({ part, hours }: QueryTimeReading) =>
  part === undefined && hours !== undefined && (hours.from ?? 0) < 0

/** Returns the hours of the query; a named part of the day resolves ambiguous hours. */
function resolveHours({ part, hours }: QueryTimeReading): Span | null {
  const ofPart: Span | null = part === undefined ? null : PARTS[part]
  if (!hours) return ofPart
  const { from, to } = hours.vague ? settled(hours, ofPart) : hours
  const end = to ?? ofPart?.[1] ?? DAY
  return [wrapped(from ?? ofPart?.[0] ?? 0), end === DAY ? DAY : wrapped(end)]
}

/**
 * Resolves an ambiguous hour by the named part of the day. Without one, an hour before `EARLY` moves to the afternoon.
 */
function settled({ from, to }: TimeOfDayRange, part: Span | null): Pick<TimeOfDayRange, 'from' | 'to'> {
  // If one of the two hours is 13:00 or later, both hours use the 24-hour clock.
  if (from !== null && to !== null && Math.max(from, to) >= NOON + 60) return { from, to }
  const isSo = (minutes: number) => (part ? isWithin(minutes, part) : minutes >= EARLY)
  const chosen = (minutes: number) =>
    !isSo(minutes) && minutes < NOON && isSo(minutes + HALF_DAY) ? minutes + HALF_DAY : minutes
  if (from !== null && to !== null && to - from === 2 * AROUND) {
    const middle = chosen(from + AROUND)
    return { from: middle - AROUND, to: middle + AROUND }
  }
  return { from: from === null ? null : chosen(from), to: to === null ? null : chosen(to) }
}

const wrapped = (minutes: number) => ((minutes % DAY) + DAY) % DAY
const isWithin = (minutes: number, [from, to]: Span) =>
  from < to ? minutes >= from && minutes < to : minutes >= from || minutes < to

/** Returns the query without the text at `cuts`, double spaces and dangling punctuation; '' if no word is left. */
function without(question: string, cuts: readonly Span[]): string {
  const ends = [0, ...cuts.map(([, to]) => to)]
  const begins = [...cuts.map(([from]) => from), question.length]
  return ends
    .map((end, n) => question.slice(end, begins[n]))
    .join(' ')
    .replace(/\s+/g, ' ')
    .replace(/\s+([,.?!])/g, '$1')
    .replace(/^[\s,.;:–-]+|[\s,;:–-]+$/g, '')
    .replace(/^[^\p{L}\p{N}]+$/u, '')
    .trim()
}

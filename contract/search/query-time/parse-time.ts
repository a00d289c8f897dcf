import { type TimeOfDayRange, parseHours } from './times-of-day.ts'
import { type DayRange, parseDays, toSingleDayRange } from './calendar-days.ts'
import type { PartOfDay, TimeUnit } from './phrase-meanings.ts'
import type { PhraseMatch, QueryWords } from './query-tokens.ts'
import { addZonedDays, type ZonedDay } from './zoned-time.ts'
import { MINUTE_MS } from '../../time-units.ts'

/** Time range of a query, as read with the time words of one language. */
export interface QueryTimeReading {
  days?: DayRange
  part?: PartOfDay
  hours?: TimeOfDayRange
  /** Time span with an exact start and end instead of whole days, such as `the last 3 hours`, ms UTC. */
  span?: readonly [number, number]
  /** Limits in days: `since` is the first day of the range, `until` is the first day after it. */
  since?: ZonedDay
  until?: ZonedDay
  /** Word ranges that were read as a time: index of the first word, and index after the last word. */
  readonly used: (readonly [number, number])[]
}

/**
 * Rule that reads a time at a position and adds it to the reading. Returns the position after the time; null: no match.
 */
type TimeRule = (at: number) => number | null

const UNIT_MINUTES: Readonly<Record<TimeUnit, number>> = { minute: 1, hour: 60, day: 1440, week: 10_080 }
const DAY_MINUTES = UNIT_MINUTES.day
/** Tolerance on each side of `3 hours ago` (minutes) and of `2 weeks ago` (days). */
const HOUR_SLACK_MINUTES = 30
const WEEK_SLACK_DAYS = 3

/** Parses all time words of a query. `now`: ms UTC. `today`: day of `now` in the zone of the query. */
export function parseTimeExpression(words: QueryWords, now: number, today: ZonedDay): QueryTimeReading {
  const reading: QueryTimeReading = { used: [] }
  const rules = createRules(words, reading, { now, today })
  for (let at = 0; at < words.tokens.length;) {
    let end: number | null = null
    for (const rule of rules) if ((end = rule(at)) !== null) break
    if (end !== null) {
      end = words.skipQualifier(end, 'behind') ?? end
      reading.used.push([findTimeStart(words, at), end])
    }
    at = end ?? at + 1
  }
  return reading
}

/**
 * Returns the position at which the phrase of a time begins. Includes directly preceding words, such as `on` or `in
 * the`.
 */
function findTimeStart(words: QueryWords, at: number): number {
  const before = words.findQualifierBefore(at, 'at')
  return before === null ? at : findTimeStart(words, before)
}

function createRules(
  words: QueryWords,
  reading: QueryTimeReading,
  { now, today }: { now: number; today: ZonedDay },
): TimeRule[] {
  const days: TimeRule = (at) => applyMatch(parseDays(words, at, today), (meaning) => (reading.days = meaning))
  const week = (at: number) =>
    words.findPhrase(at, 'week') ?? words.findPhrase(at, 'weekend') ?? words.findPhrase(at, 'month-of')
  return [
    (at) => applyMatch(parseTimeAgo(words, at, now, today), (meaning) => Object.assign(reading, meaning)),
    // `last week` means the calendar week, not the last seven days, so this rule comes before `parseRecentPeriod`.
    (at) => (week(at) ? days(at) : null),
    (at) => applyMatch(parseRecentPeriod(words, at, now, today), (meaning) => Object.assign(reading, meaning)),
    (at) => applyMatch(parseDayRange(words, at, today), (meaning) => (reading.days = meaning)),
    (at) => applyMatch(parseDayLimit(words, at, today), (meaning) => Object.assign(reading, meaning)),
    (at) => applyMatch(parseHours(words, at), (meaning) => (reading.hours = meaning)),
    (at) => applyMatch(parseDayPart(words, at, today), (meaning) => Object.assign(reading, meaning)) ?? days(at),
    (at) => {
      const part = reading.part === undefined ? words.findPhrase(at, 'part') : null
      return applyMatch(part, (meaning) => (reading.part = meaning.part))
    },
  ]
}

function applyMatch<T>(found: PhraseMatch<T> | null, apply: (meaning: T) => void): number | null {
  if (found) apply(found.meaning)
  return found?.end ?? null
}

type PartialReading = Omit<QueryTimeReading, 'used'>

/** Reads phrases such as `3 hours ago` and `vor 3 Stunden`. */
function parseTimeAgo(words: QueryWords, at: number, now: number, today: ZonedDay): PhraseMatch<PartialReading> | null {
  const first = words.skipQualifier(at, 'ago')
  const number = words.parseNumber(first ?? at)
  const unit = number && words.findPhrase(number.end, 'unit')
  const end = unit && (first === null ? words.skipQualifier(unit.end, 'ago') : unit.end)
  if (!number || !unit || end === null) return null
  const size = UNIT_MINUTES[unit.meaning.unit]
  if (size >= DAY_MINUTES) {
    const day = addZonedDays(today, -(number.meaning * size) / DAY_MINUTES)
    const slack = size === DAY_MINUTES ? 0 : WEEK_SLACK_DAYS
    return { meaning: { days: { first: addZonedDays(day, -slack), last: addZonedDays(day, slack) } }, end }
  }
  const middle = now - number.meaning * size * MINUTE_MS
  const slack = size === 1 ? Math.max(2, number.meaning / 4) : HOUR_SLACK_MINUTES
  return { meaning: { span: [middle - slack * MINUTE_MS, middle + slack * MINUTE_MS] }, end }
}

/** Reads phrases such as `the last 3 hours`, `les 3 dernières heures` and `last hour`. */
function parseRecentPeriod(
  words: QueryWords,
  at: number,
  now: number,
  today: ZonedDay,
): PhraseMatch<PartialReading> | null {
  const leadingNumber = words.parseNumber(at)
  const qualifierEnd = words.skipQualifier(leadingNumber?.end ?? at, 'past')
  if (qualifierEnd === null) return null
  const number = leadingNumber ?? words.parseNumber(qualifierEnd)
  const unit = words.findPhrase(leadingNumber ? qualifierEnd : (number?.end ?? qualifierEnd), 'unit')
  if (!unit) return null
  const [count, size] = [number?.meaning ?? 1, UNIT_MINUTES[unit.meaning.unit]]
  const { end } = unit
  if (size < DAY_MINUTES) return { meaning: { span: [now - count * size * MINUTE_MS, now] }, end }
  return { meaning: { days: { first: addZonedDays(today, 1 - (count * size) / DAY_MINUTES), last: today } }, end }
}

/** Reads ranges such as `between Monday and Wednesday`, `from 3 to 5 November` and `Monday to Wednesday`. */
function parseDayRange(words: QueryWords, at: number, today: ZonedDay): PhraseMatch<DayRange> | null {
  const open = words.skipQualifier(at, 'between')
  const first = parseDays(words, open ?? words.skipQualifier(at, 'from') ?? at, today)
  const next = first && words.skipQualifier(first.end, open === null ? 'to' : 'and')
  const last = next === null ? null : parseDays(words, next, today)
  return first && last && { meaning: { first: first.meaning.first, last: last.meaning.last }, end: last.end }
}

/** Reads a limit on one side, such as `since yesterday`, `before Monday` and `until Monday`. */
function parseDayLimit(words: QueryWords, at: number, today: ZonedDay): PhraseMatch<PartialReading> | null {
  const parseDaysAfter = (qualifier: 'after' | 'before' | 'until') => {
    const daysAt = words.skipQualifier(at, qualifier)
    return daysAt === null ? null : parseDays(words, daysAt, today)
  }
  const [since, before, until] = [parseDaysAfter('after'), parseDaysAfter('before'), parseDaysAfter('until')]
  if (since) return { meaning: { since: since.meaning.first }, end: since.end }
  if (before) return { meaning: { until: before.meaning.first }, end: before.end }
  return until && { meaning: { until: addZonedDays(until.meaning.last, 1) }, end: until.end }
}

/** Reads `this morning` or `last night`, unless a longer phrase at the same position names a day. */
function parseDayPart(words: QueryWords, at: number, today: ZonedDay): PhraseMatch<PartialReading> | null {
  const found = words.findPhrase(at, 'day-part')
  const day = parseDays(words, at, today)
  if (!found || (day && day.end > found.end)) return null
  const { ago: daysAgo, part } = found.meaning
  return { meaning: { days: toSingleDayRange(addZonedDays(today, -daysAgo)), part }, end: found.end }
}

import { type TimeOfDayRange, hoursAt } from './times-of-day.ts'
import { type Days, daysAt, oneDay } from './calendar-days.ts'
import type { PartOfDay, Unit } from './phrase-meanings.ts'
import type { PhraseMatch, Words } from './query-tokens.ts'
import { addZonedDays, dayAt, type ZonedDay } from './zoned-time.ts'
import { MINUTE_MS } from '../../time-units.ts'

/** Time that a query names, read with the time words of one language. */
export interface QueryTimeReading {
  days?: Days
  part?: PartOfDay
  hours?: TimeOfDayRange
  /** Time span with an exact start and end instead of whole days, such as `the last 3 hours`, ms UTC. */
  span?: readonly [number, number]
  /** Limits in days: `since` is the first day of the range, `until` is the first day after it. */
  since?: ZonedDay
  until?: ZonedDay
  /** Ranges of the words that were read as a time: index of the first word, and index after the last. */
  readonly used: (readonly [number, number])[]
}

/** Reads a time at a position, adds it to the reading, and returns the position after it; null: no match. */
type Rule = (at: number) => number | null

const MINUTES: Readonly<Record<Unit, number>> = { minute: 1, hour: 60, day: 1440, week: 10_080 }
const DAY = MINUTES.day
/** Tolerance on each side of `3 hours ago` (minutes) and of `2 weeks ago` (days). */
const HOUR_SLACK = 30
const WEEK_SLACK_DAYS = 3

/** Reads all time words of a query. `now`: ms UTC. */
export function read(words: Words, now: number, zone: string): QueryTimeReading {
  const reading: QueryTimeReading = { used: [] }
  const today = dayAt(now, zone)
  const rules = createRules(words, reading, { now, today })
  for (let at = 0; at < words.all.length;) {
    let end: number | null = null
    for (const rule of rules) if ((end = rule(at)) !== null) break
    if (end !== null) {
      end = words.sign(end, 'behind') ?? end
      reading.used.push([begins(words, at), end])
    }
    at = end ?? at + 1
  }
  return reading
}

/** Returns the start of the time at a position: words such as `on` or `in the` directly before it belong to it. */
function begins(words: Words, at: number): number {
  const before = words.signBefore(at, 'at')
  return before === null ? at : begins(words, before)
}

/** Rules in the order in which they are tried. */
function createRules(
  words: Words,
  reading: QueryTimeReading,
  { now, today }: { now: number; today: ZonedDay },
): Rule[] {
  const days: Rule = (at) => put(daysAt(words, at, today), (meaning) => (reading.days = meaning))
  const week = (at: number) => words.is(at, 'week') ?? words.is(at, 'weekend') ?? words.is(at, 'month-of')
  return [
    (at) => put(ago(words, at, now, today), (meaning) => Object.assign(reading, meaning)),
    // `last week` means the calendar week, not the last seven days, so this rule comes before `past`.
    (at) => (week(at) ? days(at) : null),
    (at) => put(past(words, at, now, today), (meaning) => Object.assign(reading, meaning)),
    (at) => put(between(words, at, today), (meaning) => (reading.days = meaning)),
    (at) => put(bound(words, at, today), (meaning) => Object.assign(reading, meaning)),
    (at) => put(hoursAt(words, at), (meaning) => (reading.hours = meaning)),
    (at) => put(partOfDay(words, at, today), (meaning) => Object.assign(reading, meaning)) ?? days(at),
    (at) => {
      const part = reading.part === undefined ? words.is(at, 'part') : null
      return put(part, (meaning) => (reading.part = meaning.part))
    },
  ]
}

function put<T>(found: PhraseMatch<T> | null, take: (meaning: T) => void): number | null {
  if (found) take(found.meaning)
  return found?.end ?? null
}

type Read = Omit<QueryTimeReading, 'used'>

/** Reads phrases such as `3 hours ago` and `vor 3 Stunden`. */
function ago(words: Words, at: number, now: number, today: ZonedDay): PhraseMatch<Read> | null {
  const first = words.sign(at, 'ago')
  const number = words.number(first ?? at)
  const unit = number && words.is(number.end, 'unit')
  const end = unit && (first === null ? words.sign(unit.end, 'ago') : unit.end)
  if (!number || !unit || end === null) return null
  const size = MINUTES[unit.meaning.unit]
  if (size >= DAY) {
    const day = addZonedDays(today, -(number.meaning * size) / DAY)
    const slack = size === DAY ? 0 : WEEK_SLACK_DAYS
    return { meaning: { days: { first: addZonedDays(day, -slack), last: addZonedDays(day, slack) } }, end }
  }
  const middle = now - number.meaning * size * MINUTE_MS
  const slack = size === 1 ? Math.max(2, number.meaning / 4) : HOUR_SLACK
  return { meaning: { span: [middle - slack * MINUTE_MS, middle + slack * MINUTE_MS] }, end }
}

/** Reads phrases such as `the last 3 hours`, `les 3 dernières heures` and `last hour`. */
function past(words: Words, at: number, now: number, today: ZonedDay): PhraseMatch<Read> | null {
  const early = words.number(at)
  const sign = words.sign(early?.end ?? at, 'past')
  if (sign === null) return null
  const number = early ?? words.number(sign)
  const unit = words.is(early ? sign : (number?.end ?? sign), 'unit')
  if (!unit) return null
  const [count, size] = [number?.meaning ?? 1, MINUTES[unit.meaning.unit]]
  const { end } = unit
  if (size < DAY) return { meaning: { span: [now - count * size * MINUTE_MS, now] }, end }
  return { meaning: { days: { first: addZonedDays(today, 1 - (count * size) / DAY), last: today } }, end }
}

/** Reads ranges such as `between Monday and Wednesday`, `from 3 to 5 November` and `Monday to Wednesday`. */
function between(words: Words, at: number, today: ZonedDay): PhraseMatch<Days> | null {
  const open = words.sign(at, 'between')
  const first = daysAt(words, open ?? words.sign(at, 'from') ?? at, today)
  const next = first && words.sign(first.end, open === null ? 'to' : 'and')
  const last = next === null ? null : daysAt(words, next, today)
  return first && last && { meaning: { first: first.meaning.first, last: last.meaning.last }, end: last.end }
}

/** Reads a limit on one side, such as `since yesterday`, `before Monday` and `until Monday`. */
function bound(words: Words, at: number, today: ZonedDay): PhraseMatch<Read> | null {
  const behind = (sign: 'after' | 'before' | 'until') => {
    const place = words.sign(at, sign)
    return place === null ? null : daysAt(words, place, today)
  }
  const [since, before, until] = [behind('after'), behind('before'), behind('until')]
  if (since) return { meaning: { since: since.meaning.first }, end: since.end }
  if (before) return { meaning: { until: before.meaning.first }, end: before.end }
  return until && { meaning: { until: addZonedDays(until.meaning.last, 1) }, end: until.end }
}

/** Reads `this morning` or `last night`, unless a longer phrase at the same position names a day. */
function partOfDay(words: Words, at: number, today: ZonedDay): PhraseMatch<Read> | null {
  const found = words.is(at, 'day-part')
  const day = daysAt(words, at, today)
  if (!found || (day && day.end > found.end)) return null
  const { ago, part } = found.meaning
  return { meaning: { days: oneDay(addZonedDays(today, -ago)), part }, end: found.end }
}

import type { PhraseMatch, QueryWords } from './query-tokens.ts'

/**
 * Time range within a day, in minutes since midnight; null: no limit on that side. For `around 00:10`, `from` is
 * negative; for `around 23:50`, `to` is above 1440.
 */
export interface TimeOfDayRange {
  readonly from: number | null
  readonly to: number | null
  /** True if each hour of the range can be am or pm. */
  readonly vague: boolean
}

interface ClockTime {
  /** Minutes since midnight. */
  readonly minutes: number
  readonly vague: boolean
  /** True if the time is only a number, without minutes, am, pm, or a word such as "o'clock". */
  readonly bare: boolean
  readonly pm: boolean
}

/** Tolerance on each side of `around 3`, in minutes. */
export const AROUND_TOLERANCE_MINUTES = 30
const NOON_MINUTES = 720
const HALF_DAY_MINUTES = 720

/**
 * Returns the time range at a position, such as `between 2 and 4 pm`, `after 22:00`, `at 14 Uhr` or `2 से 4 बजे के
 * बीच`; null if there is none.
 */
export function parseHours(words: QueryWords, at: number): PhraseMatch<TimeOfDayRange> | null {
  const range = parseHourRange(words, at)
  if (range) return range
  const qualifiers = ['after', 'before', 'around'] as const
  for (const sign of qualifiers) {
    const clockAt = words.skipQualifier(at, sign)
    const clock = clockAt === null ? null : parseClockTime(words, words.skipPreposition(clockAt), { mayBeBare: true })
    if (clock) return { meaning: toTimeOfDayRange(sign, clock.meaning), end: clock.end }
  }
  const clock = parseClockTime(words, at, {})
  if (!clock) return null
  // In Hindi, the word for after, before or around follows the time.
  for (const sign of qualifiers) {
    const end = words.skipQualifier(clock.end, sign)
    if (end !== null) return { meaning: toTimeOfDayRange(sign, clock.meaning), end }
  }
  return { meaning: toTimeOfDayRange('around', clock.meaning), end: clock.end }
}

function toTimeOfDayRange(qualifier: 'after' | 'before' | 'around', { minutes, vague }: ClockTime): TimeOfDayRange {
  if (qualifier === 'after') return { from: minutes, to: null, vague }
  if (qualifier === 'before') return { from: null, to: minutes, vague }
  return { from: minutes - AROUND_TOLERANCE_MINUTES, to: minutes + AROUND_TOLERANCE_MINUTES, vague }
}

function parseHourRange(words: QueryWords, at: number): PhraseMatch<TimeOfDayRange> | null {
  const [between, from] = [words.skipQualifier(at, 'between'), words.skipQualifier(at, 'from')]
  const begin = between ?? from
  const first = parseClockTime(words, begin === null ? at : words.skipPreposition(begin), {
    mayBeBare: true,
    isOpen: true,
  })
  const middle = first && words.skipQualifier(first.end, between === null ? 'to' : 'and')
  const last = middle === null ? null : parseClockTime(words, words.skipPreposition(middle), { mayBeBare: true })
  if (!first || !last) return null
  const [a, b] = [first.meaning, last.meaning]
  if (begin === null && a.bare && b.bare) return null
  const end = (between === null ? words.skipQualifier(last.end, 'between') : null) ?? last.end
  return { meaning: { from: resolveStart(a, b), to: b.minutes, vague: a.vague && b.vague }, end }
}

/**
 * Returns the start of a range. Moves it to the afternoon if only the end says pm: `2 and 4 pm` starts at 2 pm. Times
 * with minutes stay: `6:00 and 20:00` starts at 6 am.
 */
function resolveStart(first: ClockTime, last: ClockTime): number {
  const later = first.minutes + HALF_DAY_MINUTES
  return first.vague && last.pm && last.minutes >= NOON_MINUTES && later < last.minutes ? later : first.minutes
}

/**
 * Reads a time of day. `mayBeBare`: also accepts a bare number at the end of the query or before time words. `isOpen`:
 * also accepts a bare number before `and` or `to`.
 */
function parseClockTime(
  words: QueryWords,
  at: number,
  { mayBeBare = false, isOpen = false }: { mayBeBare?: boolean; isOpen?: boolean },
): PhraseMatch<ClockTime> | null {
  const named = parseNoonOrMidnight(words, at)
  if (named) return named
  const parsedHour = parseHour(words, at)
  if (!parsedHour) return null
  const { hour, minute, exact } = parsedHour
  const end = words.skipQualifier(parsedHour.end, 'o-clock') ?? parsedHour.end
  const [am, pm] = [words.skipQualifier(end, 'am'), words.skipQualifier(end, 'pm')]
  const suffixEnd = am ?? pm
  if (suffixEnd !== null && hour >= 1 && hour <= 12) {
    const minutes = (hour % 12) * 60 + minute + (pm === null ? 0 : HALF_DAY_MINUTES)
    return { meaning: { minutes, vague: false, bare: false, pm: pm !== null }, end: suffixEnd }
  }
  const bare = !exact && end === parsedHour.end
  if (bare && !(mayBeBare && isTimeComplete(words, end, isOpen))) return null
  const vague = hour > 0 && hour <= 12 && !(exact && words.getText(at).startsWith('0'))
  return { meaning: { minutes: hour * 60 + minute, vague, bare, pm: false }, end }
}

function parseNoonOrMidnight(words: QueryWords, at: number): PhraseMatch<ClockTime> | null {
  const named = words.findPhrase(at, 'part')
  if (named?.meaning.part !== 'noon' && named?.meaning.part !== 'midnight') return null
  const minutes = named.meaning.part === 'noon' ? NOON_MINUTES : 0
  return { meaning: { minutes, vague: false, bare: false, pm: false }, end: named.end }
}

/** Parses an hour at a position. `exact`: the query also gives the minutes. */
function parseHour(
  words: QueryWords,
  at: number,
): { hour: number; minute: number; exact: boolean; end: number } | null {
  const match = /^(\d{1,2})[:.h](\d{2})$/.exec(words.getText(at))
  const number = match ? { meaning: Number(match[1]), end: at + 1 } : words.parseNumber(at)
  const minute = match ? Number(match[2]) : 0
  if (!number || number.meaning > 24 || minute > 59) return null
  return { hour: number.meaning, minute, exact: match !== null, end: number.end }
}

const TIME_WORD_KINDS = new Set(['day', 'part', 'day-part', 'weekday', 'at', 'after', 'before', 'between'])

/**
 * Returns true if the number before `at` must be a time, because the query ends or time words follow: "3 cars" is no
 * time. `isOpen`: `and` and `to` count as time words.
 */
function isTimeComplete(words: QueryWords, at: number, isOpen: boolean): boolean {
  if (at >= words.tokens.length) return true
  return words
    .listMeanings(at)
    .some(({ meaning: { is } }) => TIME_WORD_KINDS.has(is) || (isOpen && (is === 'and' || is === 'to')))
}

import type { PhraseMatch, Words } from './query-tokens.ts'

/** Time range within a day, in minutes since midnight; null: no limit on that side. */
export interface TimeOfDayRange {
  readonly from: number | null
  readonly to: number | null
  /** True if the query does not say if the hour is am or pm. */
  readonly vague: boolean
}

interface Clock {
  /** Minutes since midnight. */
  readonly minutes: number
  readonly vague: boolean
  /** True for a number alone: without minutes, am, pm or a word such as "o'clock". */
  readonly bare: boolean
  readonly pm: boolean
}

/** Tolerance on each side of `around 3`, in minutes. */
export const AROUND = 30
const NOON = 720
const HALF_DAY = 720

/** Reads `between 2 and 4 pm`, `after 22:00`, `around 3 pm`, `at 14 Uhr`, `2 से 4 बजे के बीच` at a position. */
export function hoursAt(words: Words, at: number): PhraseMatch<TimeOfDayRange> | null {
  const range = rangeAt(words, at)
  if (range) return range
  const signs = ['after', 'before', 'around'] as const
  for (const sign of signs) {
    const place = words.sign(at, sign)
    const clock = place === null ? null : clockAt(words, words.behind(place), { mayBeBare: true })
    if (clock) return { meaning: bounded(sign, clock.meaning), end: clock.end }
  }
  const clock = clockAt(words, at, {})
  if (!clock) return null
  // In Hindi, the word for after, before or around follows the time.
  for (const sign of signs) {
    const end = words.sign(clock.end, sign)
    if (end !== null) return { meaning: bounded(sign, clock.meaning), end }
  }
  return { meaning: bounded('around', clock.meaning), end: clock.end }
}

function bounded(sign: 'after' | 'before' | 'around', { minutes, vague }: Clock): TimeOfDayRange {
  if (sign === 'after') return { from: minutes, to: null, vague }
  if (sign === 'before') return { from: null, to: minutes, vague }
  return { from: minutes - AROUND, to: minutes + AROUND, vague }
}

function rangeAt(words: Words, at: number): PhraseMatch<TimeOfDayRange> | null {
  const [between, from] = [words.sign(at, 'between'), words.sign(at, 'from')]
  const begin = between ?? from
  const first = clockAt(words, begin === null ? at : words.behind(begin), { mayBeBare: true, isOpen: true })
  const middle = first && words.sign(first.end, between === null ? 'to' : 'and')
  const last = middle === null ? null : clockAt(words, words.behind(middle), { mayBeBare: true })
  if (!first || !last) return null
  const [a, b] = [first.meaning, last.meaning]
  if (begin === null && a.bare && b.bare) return null
  const end = (between === null ? words.sign(last.end, 'between') : null) ?? last.end
  return { meaning: { from: resolveStart(a, b), to: b.minutes, vague: a.vague && b.vague }, end }
}

/**
 * Returns the start of a range, moved to the afternoon if only the end says pm: `2 and 4 pm` starts at 2 pm, but `6:00
 * and 20:00` starts at 6 am.
 */
function resolveStart(first: Clock, last: Clock): number {
  const later = first.minutes + HALF_DAY
  return first.vague && last.pm && last.minutes >= NOON && later < last.minutes ? later : first.minutes
}

/**
 * Reads a time of day. `mayBeBare`: accepts a number alone if the query ends after it or continues with time words.
 * `isOpen`: accepts such a number also before `and` or `to`.
 */
function clockAt(
  words: Words,
  at: number,
  { mayBeBare = false, isOpen = false }: { mayBeBare?: boolean; isOpen?: boolean },
): PhraseMatch<Clock> | null {
  const named = namedClock(words, at)
  if (named) return named
  const read = hourAt(words, at)
  if (!read) return null
  const { hour, minute, exact } = read
  const end = words.sign(read.end, 'o-clock') ?? read.end
  const [am, pm] = [words.sign(end, 'am'), words.sign(end, 'pm')]
  const half = am ?? pm
  if (half !== null && hour >= 1 && hour <= 12) {
    const minutes = (hour % 12) * 60 + minute + (pm === null ? 0 : HALF_DAY)
    return { meaning: { minutes, vague: false, bare: false, pm: pm !== null }, end: half }
  }
  const bare = !exact && end === read.end
  if (bare && !(mayBeBare && endsTime(words, end, isOpen))) return null
  const vague = hour > 0 && hour <= 12 && !(exact && words.text(at).startsWith('0'))
  return { meaning: { minutes: hour * 60 + minute, vague, bare, pm: false }, end }
}

function namedClock(words: Words, at: number): PhraseMatch<Clock> | null {
  const named = words.is(at, 'part')
  if (named?.meaning.part !== 'noon' && named?.meaning.part !== 'midnight') return null
  const minutes = named.meaning.part === 'noon' ? NOON : 0
  return { meaning: { minutes, vague: false, bare: false, pm: false }, end: named.end }
}

/** Reads an hour at a position. `exact`: the query gives the minutes, too. */
function hourAt(words: Words, at: number): { hour: number; minute: number; exact: boolean; end: number } | null {
  const exact = /^(\d{1,2})[:.h](\d{2})$/.exec(words.text(at))
  const number = exact ? { meaning: Number(exact[1]), end: at + 1 } : words.number(at)
  const minute = exact ? Number(exact[2]) : 0
  if (!number || number.meaning > 24 || minute > 59) return null
  return { hour: number.meaning, minute, exact: exact !== null, end: number.end }
}

const GOES_ON = new Set(['day', 'part', 'day-part', 'weekday', 'at', 'after', 'before', 'between'])

/**
 * True if the number before `at` can only be a time: the query ends here or time words follow, so the number does not
 * count something, as in "3 cars". `isOpen`: `and` and `to` count as time words.
 */
function endsTime(words: Words, at: number, isOpen: boolean): boolean {
  if (at >= words.all.length) return true
  return words.meanings(at).some(({ meaning: { is } }) => GOES_ON.has(is) || (isOpen && (is === 'and' || is === 'to')))
}

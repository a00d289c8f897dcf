import type { PhraseMatch, QueryWords } from './query-tokens.ts'
import { addZonedDays, type ZonedDay, getWeekday } from './zoned-time.ts'

/** Range of days, both included. */
export interface DayRange {
  readonly first: ZonedDay
  readonly last: ZonedDay
}

export const toSingleDayRange = (day: ZonedDay): DayRange => ({ first: day, last: day })

/**
 * Returns a calendar week, which starts on Monday; the current week ends today. `weeksAgo`: number of weeks before the
 * current one.
 */
export function getCalendarWeek(today: ZonedDay, weeksAgo: number): DayRange {
  const monday = addZonedDays(today, -((getWeekday(today) + 6) % 7) - 7 * weeksAgo)
  return { first: monday, last: weeksAgo === 0 ? today : addZonedDays(monday, 6) }
}

/** Returns Saturday and Sunday of the latest weekend that has begun, or of the weekend `weeksAgo` weeks before it. */
export function getCalendarWeekend(today: ZonedDay, weeksAgo: number): DayRange {
  const saturday = addZonedDays(today, -((getWeekday(today) + 1) % 7) - 7 * weeksAgo)
  return { first: saturday, last: addZonedDays(saturday, 1) }
}

function getCalendarMonth({ year, month }: ZonedDay): DayRange {
  const first = addZonedDays({ year, month, day: 1 }, 0)
  return { first, last: addZonedDays({ year: first.year, month: first.month + 1, day: 1 }, -1) }
}

/** Returns the days or the date named at this position; null: none. */
export function parseDays(words: QueryWords, at: number, today: ZonedDay): PhraseMatch<DayRange> | null {
  return (
    parseNamedDays(words, at, today) ??
    parseWeekday(words, at, today) ??
    parseNumericDate(words, at, today) ??
    parseMonthNameDate(words, at, today)
  )
}

function parseNamedDays(words: QueryWords, at: number, today: ZonedDay): PhraseMatch<DayRange> | null {
  for (const { meaning, end } of words.listMeanings(at)) {
    if (meaning.is === 'day') return { meaning: toSingleDayRange(addZonedDays(today, -meaning.ago)), end }
    if (meaning.is === 'week') return { meaning: getCalendarWeek(today, meaning.ago), end }
    if (meaning.is === 'weekend') return { meaning: getCalendarWeekend(today, meaning.ago), end }
    if (meaning.is === 'month-of')
      return { meaning: getCalendarMonth({ ...today, month: today.month - meaning.ago }), end }
  }
  return null
}

/** Parses the name of a weekday, which means the latest such day before today. */
function parseWeekday(words: QueryWords, at: number, today: ZonedDay): PhraseMatch<DayRange> | null {
  const found = words.findPhrase(words.skipQualifier(at, 'past') ?? at, 'weekday')
  if (!found) return null
  const ago = ((getWeekday(today) - found.meaning.weekday + 6) % 7) + 1
  return { meaning: toSingleDayRange(addZonedDays(today, -ago)), end: found.end }
}

/**
 * Reads a date in digits: `2026-11-22`, `22.11.2026`, `22.11.` or `22/11`. The month comes first if the second number
 * is above 12. In dates with `/`, the month also comes first if the language writes the month first: in English,
 * `11/12` is November 12.
 */
function parseNumericDate(words: QueryWords, at: number, today: ZonedDay): PhraseMatch<DayRange> | null {
  const end = at + 1
  const iso = /^(\d{4})-(\d+)-(\d+)$/.exec(words.getText(at))
  if (iso) return resolveDate(today, { year: Number(iso[1]), month: Number(iso[2]), day: Number(iso[3]) }, end)
  const [, first, separator, second, year] = /^(\d+)([./])(\d+)[./]?(\d{4})?$/.exec(words.getText(at)) ?? []
  if (first === undefined || (separator === '.' && !/\.(\d{4})?$/.test(words.getText(at)))) return null
  const [a, b] = [Number(first), Number(second)]
  const isMonthFirst = b > 12 || (separator === '/' && a <= 12 && words.isMonthFirst)
  const [day, month] = isMonthFirst ? [b, a] : [a, b]
  return resolveDate(today, { month, day, ...(year !== undefined && { year: Number(year) }) }, end)
}

const DATE_PREPOSITION = /^(of|de)$/
const ORDINAL = /^(st|nd|rd|th|er)$/

/**
 * Reads a date with the name of a month: `22 November`, `November 22nd 2026`, `22 de noviembre`. `in November` means
 * the whole month.
 */
function parseMonthNameDate(words: QueryWords, at: number, today: ZonedDay): PhraseMatch<DayRange> | null {
  const month = words.findPhrase(at, 'month')
  if (month) {
    const day = parseDayOfMonth(words, month.end)
    if (day) return parseOptionalYear(words, today, { month: month.meaning.month, day: day.meaning }, day.end)
    return words.findQualifierBefore(at, 'at') === null
      ? null
      : resolveLatestMonth(today, month.meaning.month, month.end)
  }
  const day = parseDayOfMonth(words, at)
  if (!day) return null
  const monthAt = DATE_PREPOSITION.test(words.getText(day.end)) ? day.end + 1 : day.end
  const then = words.findPhrase(monthAt, 'month')
  return then && parseOptionalYear(words, today, { month: then.meaning.month, day: day.meaning }, then.end)
}

function parseDayOfMonth(words: QueryWords, at: number): PhraseMatch<number> | null {
  const text = words.getText(at)
  if (!/^\d{1,2}$/.test(text)) return null
  return { meaning: Number(text), end: ORDINAL.test(words.getText(at + 1)) ? at + 2 : at + 1 }
}

function parseOptionalYear(words: QueryWords, today: ZonedDay, date: { month: number; day: number }, end: number) {
  const at = DATE_PREPOSITION.test(words.getText(end)) ? end + 1 : end
  const text = words.getText(at)
  return /^20\d\d$/.test(text)
    ? resolveDate(today, { ...date, year: Number(text) }, at + 1)
    : resolveDate(today, date, end)
}

/**
 * Returns the day of a date. A date without a year means the latest such day that is not in the future. null: no such
 * day exists.
 */
function resolveDate(
  today: ZonedDay,
  date: Omit<ZonedDay, 'year'> & { year?: number },
  end: number,
): PhraseMatch<DayRange> | null {
  const { month, day } = date
  const isAhead = month > today.month || (month === today.month && day > today.day)
  const year = date.year ?? (isAhead ? today.year - 1 : today.year)
  const resolvedDay = addZonedDays({ year, month, day }, 0)
  return month >= 1 && month <= 12 && day >= 1 && resolvedDay.day === day
    ? { meaning: toSingleDayRange(resolvedDay), end }
    : null
}

function resolveLatestMonth(today: ZonedDay, month: number, end: number): PhraseMatch<DayRange> {
  const year = month > today.month ? today.year - 1 : today.year
  return { meaning: getCalendarMonth({ year, month, day: 1 }), end }
}

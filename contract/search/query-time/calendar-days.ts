import type { PhraseMatch, Words } from './query-tokens.ts'
import { addZonedDays, type ZonedDay, getWeekday } from './zoned-time.ts'

/** Range of days, both included. */
export interface Days {
  readonly first: ZonedDay
  readonly last: ZonedDay
}

export const oneDay = (day: ZonedDay): Days => ({ first: day, last: day })

/**
 * Returns a calendar week, which starts on Monday; the current week ends today. `ago`: number of weeks before the
 * current one.
 */
export function calendarWeek(today: ZonedDay, ago: number): Days {
  const monday = addZonedDays(today, -((getWeekday(today) + 6) % 7) - 7 * ago)
  return { first: monday, last: ago === 0 ? today : addZonedDays(monday, 6) }
}

/** Saturday and Sunday of the latest weekend that has begun, or `ago` weekends before it. */
export function calendarWeekend(today: ZonedDay, ago: number): Days {
  const saturday = addZonedDays(today, -((getWeekday(today) + 1) % 7) - 7 * ago)
  return { first: saturday, last: addZonedDays(saturday, 1) }
}

function calendarMonth({ year, month }: ZonedDay): Days {
  const first = addZonedDays({ year, month, day: 1 }, 0)
  return { first, last: addZonedDays({ year: first.year, month: first.month + 1, day: 1 }, -1) }
}

/** Returns the days or the date named at this position; null: none. */
export function daysAt(words: Words, at: number, today: ZonedDay): PhraseMatch<Days> | null {
  return named(words, at, today) ?? weekday(words, at, today) ?? inDigits(words, at, today) ?? dated(words, at, today)
}

function named(words: Words, at: number, today: ZonedDay): PhraseMatch<Days> | null {
  for (const { meaning, end } of words.meanings(at)) {
    if (meaning.is === 'day') return { meaning: oneDay(addZonedDays(today, -meaning.ago)), end }
    if (meaning.is === 'week') return { meaning: calendarWeek(today, meaning.ago), end }
    if (meaning.is === 'weekend') return { meaning: calendarWeekend(today, meaning.ago), end }
    if (meaning.is === 'month-of')
      return { meaning: calendarMonth({ ...today, month: today.month - meaning.ago }), end }
  }
  return null
}

/** Reads the name of a weekday, which means the latest such day before today. */
function weekday(words: Words, at: number, today: ZonedDay): PhraseMatch<Days> | null {
  const found = words.is(words.sign(at, 'past') ?? at, 'weekday')
  if (!found) return null
  const ago = ((getWeekday(today) - found.meaning.weekday + 6) % 7) + 1
  return { meaning: oneDay(addZonedDays(today, -ago)), end: found.end }
}

/**
 * Reads a date in digits: `2026-11-22`, `22.11.2026`, `22.11.`, `22/11`, or `11/22` if the second number cannot be a
 * month.
 */
function inDigits(words: Words, at: number, today: ZonedDay): PhraseMatch<Days> | null {
  const end = at + 1
  const iso = /^(\d{4})-(\d+)-(\d+)$/.exec(words.text(at))
  if (iso) return dayIn(today, { year: Number(iso[1]), month: Number(iso[2]), day: Number(iso[3]) }, end)
  const [, first, mark, second, year] = /^(\d+)([./])(\d+)[./]?(\d{4})?$/.exec(words.text(at)) ?? []
  if (first === undefined || (mark === '.' && !/\.(\d{4})?$/.test(words.text(at)))) return null
  const [a, b] = [Number(first), Number(second)]
  const isMonthFirst = b > 12 || (mark === '/' && a <= 12 && words.isMonthFirst)
  const [day, month] = isMonthFirst ? [b, a] : [a, b]
  return dayIn(today, { month, day, ...(year !== undefined && { year: Number(year) }) }, end)
}

const DAY_JOINT = /^(of|de)$/
const ORDINAL = /^(st|nd|rd|th|er)$/

/**
 * Reads a date with the name of a month: `22 November`, `November 22nd 2026`, `22 de noviembre`. `in November` means
 * the whole month.
 */
function dated(words: Words, at: number, today: ZonedDay): PhraseMatch<Days> | null {
  const month = words.is(at, 'month')
  if (month) {
    const day = dayNumber(words, month.end)
    if (day) return withYear(words, today, { month: month.meaning.month, day: day.meaning }, day.end)
    return words.signBefore(at, 'at') === null ? null : lastMonth(today, month.meaning.month, month.end)
  }
  const day = dayNumber(words, at)
  if (!day) return null
  const joined = DAY_JOINT.test(words.text(day.end)) ? day.end + 1 : day.end
  const then = words.is(joined, 'month')
  return then && withYear(words, today, { month: then.meaning.month, day: day.meaning }, then.end)
}

function dayNumber(words: Words, at: number): PhraseMatch<number> | null {
  const text = words.text(at)
  if (!/^\d{1,2}$/.test(text)) return null
  return { meaning: Number(text), end: ORDINAL.test(words.text(at + 1)) ? at + 2 : at + 1 }
}

function withYear(words: Words, today: ZonedDay, date: { month: number; day: number }, end: number) {
  const at = DAY_JOINT.test(words.text(end)) ? end + 1 : end
  const text = words.text(at)
  return /^20\d\d$/.test(text) ? dayIn(today, { ...date, year: Number(text) }, at + 1) : dayIn(today, date, end)
}

/**
 * Returns the day of a date. A date without a year means the latest such day that is not in the future. null: no such
 * day exists.
 */
function dayIn(
  today: ZonedDay,
  date: Omit<ZonedDay, 'year'> & { year?: number },
  end: number,
): PhraseMatch<Days> | null {
  const { month, day } = date
  const isAhead = month > today.month || (month === today.month && day > today.day)
  const year = date.year ?? (isAhead ? today.year - 1 : today.year)
  const there = addZonedDays({ year, month, day }, 0)
  return month >= 1 && month <= 12 && day >= 1 && there.day === day ? { meaning: oneDay(there), end } : null
}

function lastMonth(today: ZonedDay, month: number, end: number): PhraseMatch<Days> {
  const year = month > today.month ? today.year - 1 : today.year
  return { meaning: calendarMonth({ year, month, day: 1 }), end }
}

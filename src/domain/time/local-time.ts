/**
 * Local times and days in the browser’s zone without dayjs, for the first load (docs/decisions/0022). Times are ms UTC.
 */

/** A local calendar day, `YYYY-MM-DD`. */
export type Day = string

const MONTHS = 'January February March April May June July August September October November December'.split(' ')
const WEEKDAYS = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ')

const padTwo = (value: number): string => String(value).padStart(2, '0')

/** Formats a time in English. Replaces `YYYY MMMM MMM MM DD D dddd ddd HH mm ss` and keeps other characters. */
export function formatTime(time: number, pattern: string): string {
  const date = new Date(time)
  const month = MONTHS[date.getMonth()] ?? ''
  const weekday = WEEKDAYS[date.getDay()] ?? ''
  const parts: Record<string, string> = {
    YYYY: String(date.getFullYear()),
    MMMM: month,
    MMM: month.slice(0, 3),
    MM: padTwo(date.getMonth() + 1),
    DD: padTwo(date.getDate()),
    D: String(date.getDate()),
    dddd: weekday,
    ddd: weekday.slice(0, 3),
    HH: padTwo(date.getHours()),
    mm: padTwo(date.getMinutes()),
    ss: padTwo(date.getSeconds()),
  }
  return pattern.replace(/YYYY|M{2,4}|DD?|d{3,4}|HH|mm|ss/g, (part) => parts[part] ?? part)
}

export const toDay = (time: number): Day => formatTime(time, 'YYYY-MM-DD')

/**
 * Returns the start of a local day; NaN if a part is not a number. Does not check that the day exists: `2026-02-31`
 * gives 3 March.
 */
export function parseDay(day: Day): number {
  const [year = NaN, month = NaN, date = NaN] = day.split('-').map(Number)
  return new Date(year, month - 1, date).getTime()
}

/**
 * Returns the first millisecond of the local day that contains `time`. `endOfDay` returns the last millisecond of that
 * day, which can have 23, 24 or 25 hours.
 */
export const startOfDay = (time: number): number => new Date(time).setHours(0, 0, 0, 0)
export const endOfDay = (time: number): number => startOfDay(addDays(startOfDay(time), 1)) - 1

/** Returns the same local time of day `days` later, or earlier if negative. */
export function addDays(time: number, days: number): number {
  const date = new Date(time)
  return date.setDate(date.getDate() + days)
}

export const isSameDay = (time: number, other: number): boolean => startOfDay(time) === startOfDay(other)
export const isSameYear = (time: number, other: number): boolean =>
  new Date(time).getFullYear() === new Date(other).getFullYear()
export const isSameMonth = (time: number, other: number): boolean =>
  isSameYear(time, other) && new Date(time).getMonth() === new Date(other).getMonth()

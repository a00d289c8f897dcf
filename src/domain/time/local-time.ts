/**
 * Local times and days in the browser’s zone without dayjs, for the first load (docs/decisions/0022). Times are ms UTC.
 */

/** A local calendar day, `YYYY-MM-DD`. */
export type Day = string

/** Time zone (IANA name) of this browser. */
export const getBrowserTimeZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone

const padTwo = (value: number): string => String(value).padStart(2, '0')

/** Formats a time in numbers. Replaces `YYYY MM DD HH mm ss` and keeps other characters. */
export function formatTime(time: number, pattern: string): string {
  const date = new Date(time)
  const parts: Record<string, string> = {
    YYYY: String(date.getFullYear()),
    MM: padTwo(date.getMonth() + 1),
    DD: padTwo(date.getDate()),
    HH: padTwo(date.getHours()),
    mm: padTwo(date.getMinutes()),
    ss: padTwo(date.getSeconds()),
  }
  return pattern.replace(/YYYY|MM|DD|HH|mm|ss/g, (part) => parts[part] ?? part)
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

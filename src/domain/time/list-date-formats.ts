/**
 * Date formats that the first load of the event list needs. They are in a separate file, because the formats of
 * date-formats.ts load later. Other code imports these formats through date-formats.ts.
 */
import { addDays, type Day, isSameDay, isSameMonth, isSameYear, parseDay } from './local-time.ts'
import { createTimeFormat, getRegionalFormats, joinWeekday } from './regional-formats.ts'

/** Formats a time with seconds: `9:41:07 AM` or `09:41:07`. */
export const timeLabel = createTimeFormat({ hour: 'numeric', minute: '2-digit', second: '2-digit' })

/** Formats a date, always with the year: `November 25, 2026` or `25 November 2026`. */
export const fullDayLabel = createTimeFormat({ day: 'numeric', month: 'long', year: 'numeric' })

/**
 * Formats a date without the year: `November 25` or `25 November`. Used for times that are always within a year of
 * now.
 */
export const dayMonthLabel = createTimeFormat({ day: 'numeric', month: 'long' })

/** Formats a date: `November 25`, or `November 22, 2027` in another year. */
export const dateLabel = (time: number, now: number): string =>
  isSameYear(time, now) ? dayMonthLabel(time) : fullDayLabel(time)

const formatWeekday = createTimeFormat({ weekday: 'long' })

/** Formats a date with its weekday: `Wednesday, November 25` or `Wednesday 25 November`. */
export const weekdayLabel = (time: number): string => joinWeekday(formatWeekday(time), dayMonthLabel(time))

/** Formats the weekday for a row of days: `Wed`. */
export const shortWeekdayLabel = createTimeFormat({ weekday: 'short' })
export const dayOfMonthLabel = (time: number): string => String(new Date(time).getDate())

/**
 * Returns `name` (`Today`, `Yesterday` or the weekday) and `date`: for today and yesterday `Friday, November 20`,
 * for other days `November 17`.
 */
export function dayLabel(day: Day, now: number): { name: string; date: string } {
  const time = parseDay(day)
  if (isSameDay(time, now)) return { name: 'Today', date: weekdayLabel(time) }
  if (isSameDay(time, addDays(now, -1))) return { name: 'Yesterday', date: weekdayLabel(time) }
  return { name: formatWeekday(time), date: dateLabel(time, now) }
}

/** Formats a range of days: `November 7 – 20` or `7 – 20 November`, `October 28 – November 20`. */
export function rangeLabel(start: Day, end: Day): string {
  const [from, to] = [parseDay(start), parseDay(end)]
  if (start === end) return dayMonthLabel(to)
  if (!isSameMonth(from, to)) return `${dayMonthLabel(from)} – ${dayMonthLabel(to)}`
  return getRegionalFormats().isMonthFirst
    ? `${dayMonthLabel(from)} – ${dayOfMonthLabel(to)}`
    : `${dayOfMonthLabel(from)} – ${dayMonthLabel(to)}`
}

/** Formats a duration in ms, rounded to seconds: `0:18`, `12:05`, `1:00:00`. */
export function durationLabel(ms: number): string {
  const total = Math.round(ms / 1000)
  const seconds = String(total % 60).padStart(2, '0')
  const minutes = Math.floor(total / 60) % 60
  const hours = Math.floor(total / 3600)
  return hours === 0 ? `${minutes}:${seconds}` : `${hours}:${String(minutes).padStart(2, '0')}:${seconds}`
}

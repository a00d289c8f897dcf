/**
 * Date formats that the first load of the event list needs. They are in a separate file, because the formats of
 * date-formats.ts load later. Other code imports these formats through date-formats.ts.
 */
// eslint-disable-next-line no-restricted-syntax -- This file defines date formats.
import { addDays, type Day, formatTime, isSameDay, isSameMonth, isSameYear, parseDay } from './local-time.ts'

/** Formats a time with seconds: `09:41:07`. */
export const timeLabel = (time: number): string => formatTime(time, 'HH:mm:ss')

/** Formats a date: `25 November`, or `22 November 2027` in another year. */
export const dateLabel = (time: number, now: number): string =>
  formatTime(time, isSameYear(time, now) ? 'D MMMM' : 'D MMMM YYYY')

/** Formats a date without the year: `25 November`. Used for times that are always within a year of now. */
export const dayMonthLabel = (time: number): string => formatTime(time, 'D MMMM')

/** Formats a date with its weekday: `Wednesday 25 November`. */
export const weekdayLabel = (time: number): string => formatTime(time, 'dddd D MMMM')

/** Formats the weekday for a row of days: `Wed`. */
export const shortWeekdayLabel = (time: number): string => formatTime(time, 'ddd')
export const dayOfMonthLabel = (time: number): string => formatTime(time, 'D')

/**
 * Returns `name` (`Today`, `Yesterday` or the weekday) and `date`: for today and yesterday `Friday 20 November`, for
 * other days `17 November`.
 */
export function dayLabel(day: Day, now: number): { name: string; date: string } {
  const time = parseDay(day)
  if (isSameDay(time, now)) return { name: 'Today', date: weekdayLabel(time) }
  if (isSameDay(time, addDays(now, -1))) return { name: 'Yesterday', date: weekdayLabel(time) }
  return { name: formatTime(time, 'dddd'), date: dateLabel(time, now) }
}

/** Formats a range of days: `7 – 20 November`, `28 October – 20 November`. */
export function rangeLabel(start: Day, end: Day): string {
  const [from, to] = [parseDay(start), parseDay(end)]
  if (start === end) return dayMonthLabel(to)
  return `${isSameMonth(from, to) ? dayOfMonthLabel(from) : dayMonthLabel(from)} – ${dayMonthLabel(to)}`
}

/** Formats a duration in ms, rounded to seconds: `0:18`, `12:05`, `1:00:00`. */
export function durationLabel(ms: number): string {
  const total = Math.round(ms / 1000)
  const seconds = String(total % 60).padStart(2, '0')
  const minutes = Math.floor(total / 60) % 60
  const hours = Math.floor(total / 3600)
  return hours === 0 ? `${minutes}:${seconds}` : `${hours}:${String(minutes).padStart(2, '0')}:${seconds}`
}

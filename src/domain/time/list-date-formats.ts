/**
 * Date formats that the first load of the event list needs. They are in a separate file, because the formats of
 * date-formats.ts load later; other code imports them through date-formats.ts.
 */
// eslint-disable-next-line no-restricted-syntax -- see date-formats.ts.
import { addDays, type Day, formatTime, isSameDay, isSameMonth, isSameYear, parseDay } from './local-time.ts'

/** `09:41:07` */
export const timeLabel = (time: number): string => formatTime(time, 'HH:mm:ss')

/** `25 November`, or `22 November 2027` in another year. */
export const dateLabel = (time: number, now: number): string =>
  formatTime(time, isSameYear(time, now) ? 'D MMMM' : 'D MMMM YYYY')

/** `25 November`, for times that are always within a year of now. */
export const dayMonth = (time: number): string => formatTime(time, 'D MMMM')

/** `Wednesday 25 November` */
export const weekdayLabel = (time: number): string => formatTime(time, 'dddd D MMMM')

/** `Wed` and `25`, for a row of days. */
export const shortWeekday = (time: number): string => formatTime(time, 'ddd')
export const dateOfMonth = (time: number): string => formatTime(time, 'D')

/** `name`: `Today`, `Yesterday` or the weekday; `date`: the rest, `Friday 20 November` or `17 November`. */
export function dayLabel(day: Day, now: number): { name: string; date: string } {
  const time = parseDay(day)
  if (isSameDay(time, now)) return { name: 'Today', date: weekdayLabel(time) }
  if (isSameDay(time, addDays(now, -1))) return { name: 'Yesterday', date: weekdayLabel(time) }
  return { name: formatTime(time, 'dddd'), date: dateLabel(time, now) }
}

/** `7 – 20 November`, `28 October – 20 November`. */
export function rangeLabel(start: Day, end: Day): string {
  const [from, to] = [parseDay(start), parseDay(end)]
  if (start === end) return dayMonth(to)
  return `${isSameMonth(from, to) ? dateOfMonth(from) : dayMonth(from)} – ${dayMonth(to)}`
}

/** `0:18`, `12:05`, `1:00:00` for a duration in ms, rounded to seconds. */
export function durationLabel(ms: number): string {
  const total = Math.round(ms / 1000)
  const seconds = String(total % 60).padStart(2, '0')
  const minutes = Math.floor(total / 60) % 60
  const hours = Math.floor(total / 3600)
  return hours === 0 ? `${minutes}:${seconds}` : `${hours}:${String(minutes).padStart(2, '0')}:${seconds}`
}

/**
 * Formats of dates, hours and durations: 24-hour clock, day before month, the browser's zone (docs/decisions/0070).
 * Times are ms UTC.
 */
import { dayLabel, dateLabel, timeLabel } from './list-date-formats.ts'
// eslint-disable-next-line no-restricted-syntax -- This file defines the date formats.
import { toDay, formatTime, isSameYear } from './local-time.ts'
import { HOUR_MS } from '../../../contract/time-units.ts'

export { formatClock } from './clock-time.ts'
export {
  dayOfMonthLabel,
  dayLabel,
  dayMonthLabel,
  dateLabel as dayWords,
  durationLabel,
  rangeLabel,
  shortWeekdayLabel,
  timeLabel,
  weekdayLabel as weekdayWords,
} from './list-date-formats.ts'

/** Formats the time of a video frame: `09:41:14.20`. */
export function formatFrameTime(time: number): string {
  const hundredths = Math.floor((((time % 1000) + 1000) % 1000) / 10)
  return `${timeLabel(time)}.${String(hundredths).padStart(2, '0')}`
}

/**
 * Formats a date, always with the year: `25 November 2026`. Used for records such as invoices, and for start and end
 * dates.
 */
export const fullDayLabel = (time: number): string => formatTime(time, 'D MMMM YYYY')

/** Formats a date for small spaces, always without the year: `25 Nov`. */
export const shortDayWithoutYearLabel = (time: number): string => formatTime(time, 'D MMM')
export const shortDayWithYearLabel = (time: number): string => formatTime(time, 'D MMM YYYY')

/** Formats a short date: `25 Nov`, or `22 Nov 2027` in another year. */
export const shortDayLabel = (time: number, now: number): string =>
  isSameYear(time, now) ? shortDayWithoutYearLabel(time) : shortDayWithYearLabel(time)

/** Formats the clock hour that contains `time`: `08 to 09`. */
export const hourRangeLabel = (time: number): string =>
  `${formatTime(time, 'HH')} to ${formatTime(time + HOUR_MS, 'HH')}`

/** Formats the time of a log entry: `25 Nov 2026, 09:41:07`. */
export const instantLabel = (time: number): string => formatTime(time, 'D MMM YYYY, HH:mm:ss')

/** Formats a time for file names: `2026-11-20 09.41.07` is sortable and valid on every file system. */
export const formatFileTime = (time: number): string => formatTime(time, 'YYYY-MM-DD HH.mm.ss')

function todayOrYesterdayLabel(time: number, now: number): string | null {
  const { name } = dayLabel(toDay(time), now)
  return name === 'Today' || name === 'Yesterday' ? name : null
}

/** Formats a day and time: `Today, 08:00`, `Yesterday, 23:10`, `21 Nov, 23:10`. */
export const dateTimeLabel = (time: number, now: number): string =>
  `${todayOrYesterdayLabel(time, now) ?? shortDayLabel(time, now)}, ${formatTime(time, 'HH:mm')}`

/** Returns the time for today (`09:41`), `Yesterday`, or the date (`25 November`). */
export function timeOrDayLabel(time: number, now: number): string {
  const day = todayOrYesterdayLabel(time, now)
  return day === 'Today' ? formatTime(time, 'HH:mm') : (day ?? dateLabel(time, now))
}

/**
 * Formats the time of an event: `today 09:41:07 – 09:41:25`. `end`: end of the event's clip; if null, the text contains
 * only the start.
 */
export function eventTimeLabel(begin: number, end: number | null, now: number): string {
  const { name, date } = dayLabel(toDay(begin), now)
  const day = todayOrYesterdayLabel(begin, now)?.toLowerCase() ?? `${name} ${date}`
  return `${day} ${timeLabel(begin)}${end === null ? '' : ` – ${timeLabel(end)}`}`
}

/** Formats a day: `Today`, `Yesterday`, `Tue 17 Nov`, or `Tue 17 Nov 2025` in another year. */
export const nearDayLabel = (time: number, now: number): string =>
  todayOrYesterdayLabel(time, now) ?? formatTime(time, isSameYear(time, now) ? 'ddd D MMM' : 'ddd D MMM YYYY')

/** Formats a day and time with seconds: `Today 09:41:14`, `Tue 17 Nov 14:02:31`. */
export const exactTimeLabel = (time: number, now: number): string => `${nearDayLabel(time, now)} ${timeLabel(time)}`

/** Formats a rounded duration: `18 s`, `2 h 46 min`, `3 days`. */
export function roundedDurationLabel(ms: number): string {
  const seconds = Math.round(ms / 1000)
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.round(seconds / 60)
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  if (hours < 48) return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`
  return `${Math.round(hours / 24)} days`
}

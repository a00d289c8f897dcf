/**
 * Formats of dates, hours and durations in the browser's zone and region (docs/decisions/0092). Times are ms UTC. The
 * examples show the United States; elsewhere, the day may come before the month and hours may run to 23.
 */
import { HOUR_MS } from '../../../contract/time-units.ts'
import { formatClock } from './clock-time.ts'
import { dateLabel, dayLabel, shortWeekdayLabel, timeLabel } from './list-date-formats.ts'
// eslint-disable-next-line no-restricted-syntax -- Names of files have a format that is the same everywhere.
import { toDay, formatTime, isSameYear } from './local-time.ts'
import { createTimeFormat, joinWeekday } from './regional-formats.ts'

export { formatClock } from './clock-time.ts'
export {
  dayOfMonthLabel,
  dayLabel,
  dayMonthLabel,
  dateLabel as dayWords,
  durationLabel,
  fullDayLabel,
  rangeLabel,
  shortWeekdayLabel,
  timeLabel,
  weekdayLabel as weekdayWords,
} from './list-date-formats.ts'

/** Formats the time of a video frame: `9:41:14.20 AM`. */
export const formatFrameTime = createTimeFormat({
  hour: 'numeric',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 2,
})

/** Formats a date for small spaces, always without the year: `Nov 25`. */
export const shortDayWithoutYearLabel = createTimeFormat({ day: 'numeric', month: 'short' })
export const shortDayWithYearLabel = createTimeFormat({ day: 'numeric', month: 'short', year: 'numeric' })

/** Formats a short date: `Nov 25`, or `Nov 22, 2027` in another year. */
export const shortDayLabel = (time: number, now: number): string =>
  isSameYear(time, now) ? shortDayWithoutYearLabel(time) : shortDayWithYearLabel(time)

const formatHour = createTimeFormat({ hour: 'numeric' })

/** Formats the clock hour that contains `time`: `8 AM to 9 AM`, or `08 to 09`. */
export const hourRangeLabel = (time: number): string => `${formatHour(time)} to ${formatHour(time + HOUR_MS)}`

/** Formats the time of a log entry: `Nov 25, 2026, 9:41:07 AM`. */
export const instantLabel = (time: number): string => `${shortDayWithYearLabel(time)}, ${timeLabel(time)}`

/** Formats a time for file names: `2026-11-20 09.41.07` is sortable and valid on every file system. */
export const formatFileTime = (time: number): string => formatTime(time, 'YYYY-MM-DD HH.mm.ss')

function todayOrYesterdayLabel(time: number, now: number): string | null {
  const { name } = dayLabel(toDay(time), now)
  return name === 'Today' || name === 'Yesterday' ? name : null
}

/** Formats a day and time: `Today, 8:00 AM`, `Yesterday, 11:10 PM`, `Nov 21, 11:10 PM`. */
export const dateTimeLabel = (time: number, now: number): string =>
  `${todayOrYesterdayLabel(time, now) ?? shortDayLabel(time, now)}, ${formatClock(time)}`

/** Returns the time for today (`9:41 AM`), `Yesterday`, or the date (`November 25`). */
export function timeOrDayLabel(time: number, now: number): string {
  const day = todayOrYesterdayLabel(time, now)
  return day === 'Today' ? formatClock(time) : (day ?? dateLabel(time, now))
}

/**
 * Formats the time of an event: `today 9:41:07 AM – 9:41:25 AM`. `end`: end of the event's clip; if null, the text contains
 * only the start.
 */
export function eventTimeLabel(begin: number, end: number | null, now: number): string {
  const { name, date } = dayLabel(toDay(begin), now)
  const day = todayOrYesterdayLabel(begin, now)?.toLowerCase() ?? `${name} ${date}`
  return `${day} ${timeLabel(begin)}${end === null ? '' : ` – ${timeLabel(end)}`}`
}

/** Formats a day: `Today`, `Yesterday`, `Tue, Nov 17`, or `Tue, Nov 17, 2025` in another year. */
export const nearDayLabel = (time: number, now: number): string =>
  todayOrYesterdayLabel(time, now) ?? joinWeekday(shortWeekdayLabel(time), shortDayLabel(time, now))

/** Formats a day and time with seconds: `Today 9:41:14 AM`, `Tue, Nov 17 2:02:31 PM`. */
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

import { formatClock, joinClocks } from './clock-time.ts'
import { LAST_HOUR } from './date-range.ts'
import { getRegionalFormats } from './regional-formats.ts'

const hourLabel = (hour: number): string => `${String(hour).padStart(2, '0')}:00`

/** Label of a whole hour on an axis: `9 AM` or `09:00`. */
export function wholeHourLabel(hour: number): string {
  if (!getRegionalFormats().is12Hour) return hourLabel(hour)
  return `${hour % 12 || 12}\u00a0${hour < 12 ? 'AM' : 'PM'}`
}

/** Formats a time (ms UTC): a whole hour as `6 PM` or `18:00`, otherwise `5:30 PM` or `17:30`. */
export function briefClockLabel(time: number): string {
  const date = new Date(time)
  return date.getMinutes() === 0 ? wholeHourLabel(date.getHours()) : formatClock(time)
}

/** Formats a span within a day: `5 – 9 PM`, `11 AM – 1:30 PM`, `17:00 – 21:00`. */
export const briefClockSpan = (begin: number, end: number): string =>
  joinClocks(briefClockLabel(begin), briefClockLabel(end))

/** Formats an hour of the day as a range: `7 AM – 8 AM` or `07:00 – 08:00`. */
export const hourSpanLabel = (hour: number): string => `${wholeHourLabel(hour)} – ${wholeHourLabel((hour + 1) % 24)}`

/** Label of a start hour: `09:00` or `9:00 AM`. */
export const startHourLabel = (hour: number, is12Hour: boolean): string =>
  is12Hour ? format12Hour(hour) : hourLabel(hour)

/** Label of an end hour; hour 23 means the last minute of the day (EVENT-14, OPEN-168). */
export function endHourLabel(hour: number, is12Hour: boolean): string {
  const label = startHourLabel(hour, is12Hour)
  return hour === LAST_HOUR ? label.replace(':00', ':59') : label
}

const format12Hour = (hour: number): string => `${hour % 12 || 12}:00\u00a0${hour < 12 ? 'AM' : 'PM'}`

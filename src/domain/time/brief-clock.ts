import { formatClock, joinClocks } from './clock-time.ts'
import { wholeHourLabel } from './hour-label.ts'

/** Formats a time (ms UTC): a whole hour as `6 PM` or `18:00`, otherwise `5:30 PM` or `17:30`. */
export function briefClockLabel(time: number): string {
  const date = new Date(time)
  return date.getMinutes() === 0 ? wholeHourLabel(date.getHours()) : formatClock(time)
}

/** Formats a span within a day: `5 – 9 PM`, `11 AM – 1:30 PM`, `17:00 – 21:00`. */
export const briefClockSpan = (begin: number, end: number): string =>
  joinClocks(briefClockLabel(begin), briefClockLabel(end))

import { hourLabel, LAST_HOUR } from './date-range.ts'

/** Returns true if the region of `locale` uses a 12-hour clock. Without `locale`, uses the browser's region. */
export function has12HourClock(locale?: string): boolean {
  return new Intl.DateTimeFormat(locale, { hour: 'numeric' }).resolvedOptions().hour12 === true
}

/** Label of a start hour: `09:00` or `9:00 AM`. */
export const startHourLabel = (hour: number, is12Hour: boolean): string =>
  is12Hour ? format12Hour(hour) : hourLabel(hour)

/** Label of an end hour; hour 23 means the last minute of the day (EVENT-14, OPEN-168). */
export function endHourLabel(hour: number, is12Hour: boolean): string {
  const label = startHourLabel(hour, is12Hour)
  return hour === LAST_HOUR ? label.replace(':00', ':59') : label
}

const format12Hour = (hour: number): string => `${hour % 12 || 12}:00 ${hour < 12 ? 'AM' : 'PM'}`

import { LAST_HOUR } from './date-range.ts'
import { getRegionalFormats } from './regional-formats.ts'

const hourLabel = (hour: number): string => `${String(hour).padStart(2, '0')}:00`

/** Label of a whole hour on an axis: `9 AM` or `09:00`. */
export function wholeHourLabel(hour: number): string {
  if (!getRegionalFormats().is12Hour) return hourLabel(hour)
  return `${hour % 12 || 12}\u00a0${hour < 12 ? 'AM' : 'PM'}`
}

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

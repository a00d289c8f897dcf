import { formatClock, dayMonthLabel } from '../../../domain/time/date-formats.ts'
import { isSameDay } from '../../../domain/time/local-time.ts'
import { formatAge } from '../../../domain/time/relative-time.ts'

/** Formats the time of a picture: `09:12` if it is from today, else `22 November`. */
export const formatPictureTime = (takenAt: number, now: number): string =>
  isSameDay(takenAt, now) ? formatClock(takenAt) : dayMonthLabel(takenAt)

/** Formats a picture's age: `Last frame from 09:12 · 29 min ago` or `Last frame from 22 November`. */
export function formatLastPicture(takenAt: number, now: number): string {
  const from = `Last frame from ${formatPictureTime(takenAt, now)}`
  return isSameDay(takenAt, now) ? `${from} · ${formatAge(now - takenAt)}` : from
}

import { clock, dayMonth } from '../../../domain/time/date-formats.ts'
import { isSameDay } from '../../../domain/time/local-time.ts'
import { ago } from '../../../domain/time/relative-time.ts'

/** Returns `09:12` for today, else `22 November`. */
export const pictureTime = (takenAt: number, now: number): string =>
  isSameDay(takenAt, now) ? clock(takenAt) : dayMonth(takenAt)

/** Returns `Picture from 09:12 · 29 min ago` or `Picture from 22 November`. */
export function pictureFrom(takenAt: number, now: number): string {
  const from = `Picture from ${pictureTime(takenAt, now)}`
  return isSameDay(takenAt, now) ? `${from} · ${ago(now - takenAt)}` : from
}

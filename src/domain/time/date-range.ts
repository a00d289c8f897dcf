import { DEFAULT_HOURS, QUICK_RANGES_DAYS, SINGLE_DAY_END } from '../../../contract/events/date-ranges.ts'
import { addDays, type Day, toDay, endOfDay, startOfDay, parseDay } from './local-time.ts'

export type Hours = readonly [from: number, to: number]
export type QuickRange = keyof typeof QUICK_RANGES_DAYS

/** Days of the browser's zone; `hours` (0 to 23) count only when both days are the same. */
export interface DateRange {
  readonly start: Day
  readonly end: Day
  readonly hours: Hours
}

/** ms UTC, both ends included. */
export interface Span {
  readonly begin: number
  readonly end: number
}

/** The hour in which a single day ends (EVENT-15). */
export const LAST_HOUR = Number(SINGLE_DAY_END.split(':')[0])

export function isDay(value: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(value) && toDay(parseDay(value)) === value
}

/** The last 14 or 60 days, today included: 14 days start 13 days before today (EVENT-06). */
export function quickRange(days: QuickRange, now: number): DateRange {
  return { start: toDay(addDays(now, -QUICK_RANGES_DAYS[days])), end: toDay(now), hours: DEFAULT_HOURS }
}

/** Whether a time of day narrows the range: one day, and not all of it. */
export function isNarrowed({ start, end, hours }: DateRange): boolean {
  return start === end && !(hours[0] === DEFAULT_HOURS[0] && hours[1] === LAST_HOUR)
}

/**
 * The instants a range stands for. Hours h1 to h2 of a single day run from h1:00 to just before h2:00, hour 23 as end to
 * 23:59:59.999 (OPEN-59, OPEN-60). Days of 23 and 25 hours are whole days.
 */
export function toSpan(range: DateRange): Span {
  const [begin, end] = [parseDay(range.start), endOfDay(parseDay(range.end))]
  if (!isNarrowed(range)) return { begin, end }
  const [from, to] = range.hours
  return {
    begin: new Date(begin).setHours(from),
    end: to >= LAST_HOUR ? end : new Date(begin).setHours(to) - 1,
  }
}

/** An hour range of a single day: the end is after the start, except 23 to 23, the last hour (OPEN-60). */
export function isHours([from, to]: Hours): boolean {
  const whole = [from, to].every((hour) => Number.isInteger(hour) && hour >= 0 && hour <= LAST_HOUR)
  return whole && (to > from || from === LAST_HOUR)
}

/** The label of an hour choice: `09:00`. */
export const hourLabel = (hour: number): string => `${String(hour).padStart(2, '0')}:00`

/** The newest local day of a span, and what lies before it; `rest` is null when there is nothing. */
export function newestDay(span: Span): { newest: Span; rest: Span | null } {
  const begin = Math.max(span.begin, startOfDay(span.end))
  return { newest: { begin, end: span.end }, rest: begin > span.begin ? { begin: span.begin, end: begin - 1 } : null }
}

/** The newer half of a span (OPEN-125). */
export function newerHalf({ begin, end }: Span): Span {
  return { begin: Math.ceil(begin + (end - begin) / 2), end }
}

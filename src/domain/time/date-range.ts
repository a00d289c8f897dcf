import { DEFAULT_HOURS, QUICK_RANGES_DAYS, SINGLE_DAY_END } from '../../../contract/events/date-ranges.ts'
import { addDays, type Day, toDay, endOfDay, startOfDay, parseDay } from './local-time.ts'

export type HourRange = readonly [from: number, to: number]
export type QuickRange = keyof typeof QUICK_RANGES_DAYS

/** Days in the browser's zone; `hours` (0 to 23) apply only if both days are equal. */
export interface DateRange {
  readonly start: Day
  readonly end: Day
  readonly hours: HourRange
}

/** Time span, ms UTC, both ends inclusive. */
export interface Span {
  readonly begin: number
  readonly end: number
}

/** Last hour of a day (EVENT-15). As the end hour of a single day, it means 23:59:59.999 (OPEN-59). */
export const LAST_HOUR = Number(SINGLE_DAY_END.split(':')[0])

export function isDay(value: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(value) && toDay(parseDay(value)) === value
}

/** Returns the last 14 or 60 days including today: 14 days start 13 days before today (EVENT-06). */
export function toDateRange(days: QuickRange, now: number): DateRange {
  return { start: toDay(addDays(now, -QUICK_RANGES_DAYS[days])), end: toDay(now), hours: DEFAULT_HOURS }
}

/** Returns true if the range is a single day and its hours exclude a part of that day. */
export function hasHourLimit({ start, end, hours }: DateRange): boolean {
  return start === end && !(hours[0] === DEFAULT_HOURS[0] && hours[1] === LAST_HOUR)
}

/**
 * Returns the time span of a range. Hours h1 to h2 of a single day run from h1:00 to just before h2:00; end hour 23
 * means 23:59:59.999 (OPEN-59, OPEN-60). A whole day with a clock change has 23 or 25 hours.
 */
export function toSpan(range: DateRange): Span {
  const [begin, end] = [parseDay(range.start), endOfDay(parseDay(range.end))]
  if (!hasHourLimit(range)) return { begin, end }
  const [from, to] = range.hours
  return {
    begin: new Date(begin).setHours(from),
    end: to >= LAST_HOUR ? end : new Date(begin).setHours(to) - 1,
  }
}

/** Validates an hour range of a single day: the end follows the start, except 23 to 23, the last hour (OPEN-60). */
export function isHourRange([from, to]: HourRange): boolean {
  const areValidHours = [from, to].every((hour) => Number.isInteger(hour) && hour >= 0 && hour <= LAST_HOUR)
  return areValidHours && (to > from || to === LAST_HOUR)
}

/**
 * Splits a span into its newest local day and the time before that day. `rest` is null if the span has only one day.
 */
export function splitNewestDay(span: Span): { newest: Span; rest: Span | null } {
  const begin = Math.max(span.begin, startOfDay(span.end))
  return { newest: { begin, end: span.end }, rest: begin > span.begin ? { begin: span.begin, end: begin - 1 } : null }
}

/** Returns the newer half of a span (OPEN-125). */
export function getNewerHalf({ begin, end }: Span): Span {
  return { begin: Math.ceil(begin + (end - begin) / 2), end }
}

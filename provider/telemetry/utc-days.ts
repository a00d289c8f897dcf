import { DAY_MS } from '../../contract/time-units.ts'

export const UTC_DAY_MS = DAY_MS

/** Half-open time range, ms UTC; `to` is excluded. */
export interface UtcSpan {
  readonly from: number
  readonly to: number
}

/** Returns the start of the UTC day that contains `at`; both in ms UTC. */
export const getDayStart = (at: number): number => Math.floor(at / UTC_DAY_MS) * UTC_DAY_MS

/** Returns the span of the last `days` UTC days, today included, up to and including `now`. */
export const getLastDaysSpan = (days: number, now: number): UtcSpan => ({
  from: getDayStart(now) - (days - 1) * UTC_DAY_MS,
  to: now + 1,
})

/** Formats the UTC day as `2026-01-31`. */
export const formatUtcDay = (at: number): string => new Date(at).toISOString().slice(0, 10)

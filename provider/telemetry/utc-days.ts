export const DAY_MS = 86_400_000

/** Half-open time range, ms UTC; `to` is excluded. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** Returns the start of the UTC day that contains `at`; both in ms UTC. */
export const getDayStart = (at: number): number => Math.floor(at / DAY_MS) * DAY_MS

/** Returns the span of the last `days` UTC days, today included, up to and including `now`. */
export const lastDays = (days: number, now: number): Span => ({
  from: getDayStart(now) - (days - 1) * DAY_MS,
  to: now + 1,
})

/** Formats the UTC day as `2026-01-31`. */
export const dayName = (at: number): string => new Date(at).toISOString().slice(0, 10)

/** Yields to the event loop. */
export const giveWay = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0))

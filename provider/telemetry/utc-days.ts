export const DAY_MS = 86_400_000

/** From and up to, ms UTC; the end is not part of it. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** When the day of `at` began, in UTC. All times in ms UTC. */
export const getDayStart = (at: number): number => Math.floor(at / DAY_MS) * DAY_MS

/** Today and the days before it, `days` of them, up to `now`, which is part of it. */
export const lastDays = (days: number, now: number): Span => ({
  from: getDayStart(now) - (days - 1) * DAY_MS,
  to: now + 1,
})

/** As `2026-01-31`. */
export const dayName = (at: number): string => new Date(at).toISOString().slice(0, 10)

/** Lets whatever waits for this thread go first. */
export const giveWay = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0))

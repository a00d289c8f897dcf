import type { Period } from '../../../contract/billing/money.ts'

export const DAY_MS = 86_400_000

/** Months of a period. */
export const monthsInPeriod = (period: Period): number => (period === 'monthly' ? 1 : 12)

/**
 * The same day and time so many calendar months later, UTC; the last day of a shorter month. Periods are counted from the
 * first day, so that a short month does not shorten those after it.
 *
 * | anchor      | 1           | 2           |
 * | ----------- | ----------- | ----------- |
 * | 31 January  | 28 February | 31 March    |
 * | 22 November | 22 December | 22 January  |
 */
export function addMonths(anchor: number, months: number): number {
  const from = new Date(anchor)
  const year = from.getUTCFullYear()
  const month = from.getUTCMonth() + months
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  return Date.UTC(year, month, Math.min(from.getUTCDate(), lastDay)) + (anchor - startOfDay(anchor))
}

const startOfDay = (at: number) => Math.floor(at / DAY_MS) * DAY_MS

import type { Period } from '../../../contract/billing/money.ts'
import { DAY_MS } from '../../../contract/time-units.ts'

export const countMonthsInPeriod = (period: Period): number => (period === 'monthly' ? 1 : 12)

/**
 * Returns the time `months` calendar months after `anchor`, in ms UTC. If the target month does not have the day of
 * `anchor`, returns the last day of that month. Callers should compute each period from the original anchor, not from
 * the end of the previous period, so that a short month does not shorten later periods.
 *
 * | anchor | 1 month later | 2 months later |
 * | --- | --- | --- |
 * | 31 January | 28 February | 31 March |
 * | 22 November | 22 December | 22 January |
 */
export function addMonths(anchor: number, months: number): number {
  const from = new Date(anchor)
  const year = from.getUTCFullYear()
  const month = from.getUTCMonth() + months
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  return Date.UTC(year, month, Math.min(from.getUTCDate(), lastDay)) + (anchor - getStartOfDay(anchor))
}

const getStartOfDay = (at: number) => Math.floor(at / DAY_MS) * DAY_MS

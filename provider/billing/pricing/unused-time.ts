import { addMonths } from './billing-period.ts'
import { divideHalfUp } from './tax.ts'
import { DAY_MS } from '../../../contract/time-units.ts'

/** Days after the first charge in which a cancellation gets a full refund. */
export const FULL_REFUND_DAYS = 14

export const isFullRefund = (firstCharge: number | null, now: number): boolean =>
  firstCharge !== null && now < firstCharge + FULL_REFUND_DAYS * DAY_MS

/**
 * Returns the refund for the unused whole months of an annual period. `ends_at`: end of the current month of the
 * period, ms UTC. `months`: number of unused months after `ends_at`. `back`: refund for these months in cents, rounded
 * half up.
 *
 * | paid | months used | unused | back |
 * | --- | --- | --- | --- |
 * | 9999 | 5 and a day | 6 | 5000 |
 * | 9999 | 11 and more | 0 | 0 |
 */
export function computeUnusedMonths(
  { paid, from, until }: { readonly paid: number; readonly from: number; readonly until: number },
  now: number,
): { readonly ends_at: number; readonly months: number; readonly back: number } {
  const ended = Array.from({ length: 12 }, (_, n) => addMonths(from, n + 1)).findIndex((end) => end > now)
  const used = ended === -1 ? 12 : ended + 1
  const months = 12 - used
  return { ends_at: months === 0 ? until : addMonths(from, used), months, back: divideHalfUp(paid * months, 12) }
}

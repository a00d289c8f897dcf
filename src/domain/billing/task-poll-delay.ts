import { MINUTE_MS, SECOND_MS } from '../../../contract/time-units.ts'

/** Returns the delay before the next poll of a task that has run for `ranMs`; null stops polling (OPEN-160). */
export function getTaskPollDelayMs(ranMs: number): number | null {
  if (ranMs < MINUTE_MS) return SECOND_MS
  return ranMs < 11 * MINUTE_MS ? 5 * SECOND_MS : null
}

import { MINUTE_MS, SECOND_MS } from '../../../contract/time-units.ts'

/** Returns the delay in ms before the next poll of a task that has run for `ran` ms; null stops polling (OPEN-160). */
export function taskWait(ran: number): number | null {
  if (ran < MINUTE_MS) return SECOND_MS
  return ran < 11 * MINUTE_MS ? 5 * SECOND_MS : null
}

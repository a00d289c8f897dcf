const SECOND = 1000
const MINUTE = 60 * SECOND

/** Returns the delay in ms before the next poll of a task that has run for `ran` ms; null stops polling (OPEN-160). */
export function taskWait(ran: number): number | null {
  if (ran < MINUTE) return SECOND
  return ran < 11 * MINUTE ? 5 * SECOND : null
}

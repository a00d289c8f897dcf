const SECOND = 1000
const MINUTE = 60 * SECOND

/** How long to wait before a task is asked about again that has run for so long, ms; null: not any more (OPEN-160). */
export function taskWait(ran: number): number | null {
  if (ran < MINUTE) return SECOND
  return ran < 11 * MINUTE ? 5 * SECOND : null
}

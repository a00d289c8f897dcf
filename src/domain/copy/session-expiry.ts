import { formatClock } from '../time/date-formats.ts'
import { toDay } from '../time/local-time.ts'
import { DAY_MS } from '../../../contract/time-units.ts'

/**
 * Returns the warning for a session that ends at `ends`, less than a day after `now` (both ms UTC); null before that
 * day and after the end.
 */
export function sessionExpiryText(ends: number, now: number): string | null {
  if (ends - now >= DAY_MS || ends <= now) return null
  const day = toDay(ends) === toDay(now) ? 'today' : 'tomorrow'
  return `You’ll be logged out ${day} at ${formatClock(ends)}. To avoid an interruption, log out and back in before then.`
}

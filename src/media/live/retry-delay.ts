const FIRST_MS = 250
const SOON_MS = 1000
const LATER_MS = 5000
/**
 * Number of attempts with a short delay, about five minutes: a camera that returns in that time plays again within a
 * second.
 */
const QUICK_ATTEMPTS = 300

/** Returns the delay before attempt `attempt` (from 1) in ms, with up to a fifth of jitter; `random` in [0, 1). */
export function backOff(attempt: number, random: number): number {
  const base = attempt > QUICK_ATTEMPTS ? LATER_MS : Math.min(SOON_MS, FIRST_MS * 2 ** (attempt - 1))
  return Math.round(base * (1 + random / 5))
}

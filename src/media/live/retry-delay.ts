const FIRST_MS = 250
const SOON_MS = 1000
const LATER_MS = 5000
/** Attempts at the quick pace: about five minutes, so that whatever comes back is watched again within a second. */
const QUICK_ATTEMPTS = 300

/** Delay before attempt `attempt` (from 1), in ms, with up to a fifth of jitter; `random` in [0, 1). */
export function backOff(attempt: number, random: number): number {
  const base = attempt > QUICK_ATTEMPTS ? LATER_MS : Math.min(SOON_MS, FIRST_MS * 2 ** (attempt - 1))
  return Math.round(base * (1 + random / 5))
}

import type { PlaybackFailureReason } from './tile-state-machine.ts'

const FIRST_DELAY_MS = 250
const MAX_QUICK_DELAY_MS = 1000
const SLOW_DELAY_MS = 5000
/**
 * Number of attempts with a short delay, about five minutes in total. If a camera returns in that time, the next
 * attempt follows in about a second.
 */
const QUICK_ATTEMPTS = 300

/** Failure reasons that an early retry would not fix. For these, even the first retry has the slow delay. */
export const SLOW_RETRY_REASONS: readonly PlaybackFailureReason[] = [
  'udp-blocked',
  'no-stream',
  'no-picture',
  'no-h264',
  'no-webrtc',
]

/** Returns the delay before retry number `attempt` (from 1), ms, plus up to a fifth as jitter; `random` in [0, 1). */
export function computeRetryDelayMs(attempt: number, random: number): number {
  const baseMs =
    attempt > QUICK_ATTEMPTS ? SLOW_DELAY_MS : Math.min(MAX_QUICK_DELAY_MS, FIRST_DELAY_MS * 2 ** (attempt - 1))
  return Math.round(baseMs * (1 + random / 5))
}

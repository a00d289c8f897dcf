/** Duration of overload mode after the latest 429 response of `enforceRequestLimit`. */
const OVERLOAD_DURATION_MS = 10_000
let lastOverloadAt = -Infinity

/** Records that `enforceRequestLimit` returned a 429 at `now`, ms UTC. */
export function recordOverload(now: number): void {
  lastOverloadAt = now
}

/**
 * Returns true in overload mode. The queue for password checks then pauses between turns, so that other requests can
 * run.
 */
export const isOverloaded = (now: number): boolean => now - lastOverloadAt < OVERLOAD_DURATION_MS

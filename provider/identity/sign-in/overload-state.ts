/** Duration of overload mode after the last 429 of the sign-in. */
const OVERLOAD_MS = 10_000
let lastOverloadAt = -Infinity

/** Records that the sign-in returned a 429 at `now`, ms UTC. */
export function recordOverload(now: number): void {
  lastOverloadAt = now
}

/** Returns true in overload mode. Expensive work is then paced, which leaves time for other requests. */
export const isOverloaded = (now: number): boolean => now - lastOverloadAt < OVERLOAD_MS

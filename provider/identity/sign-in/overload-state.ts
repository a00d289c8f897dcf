/** Time that the sign-in stays in overload mode after the last 429, ms. */
const CROWD_MS = 10_000
let refusedAt = -Infinity

/** Records a 429 of the sign-in at `now`, ms UTC. */
export function recordOverload(now: number): void {
  refusedAt = now
}

/** Returns true in overload mode: expensive work is then paced to leave time for other requests. */
export const isOverloaded = (now: number): boolean => now - refusedAt < CROWD_MS

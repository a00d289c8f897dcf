/** Duration of overload mode after the latest 429 response of the sign-in. */
const OVERLOAD_MS = 10_000
let lastOverloadAt = -Infinity

/** Records that the sign-in returned a 429 at `now`, ms UTC. */
export function recordOverload(now: number): void {
  lastOverloadAt = now
}

/** Returns true in overload mode. Callers then pause between expensive steps, so that other requests can run. */
export const isOverloaded = (now: number): boolean => now - lastOverloadAt < OVERLOAD_MS

/** How long after the last refusal at the door there is a crowd, ms. */
const CROWD_MS = 10_000
let refusedAt = -Infinity

/** Somebody was turned away at the door of the sign-in, ms UTC. */
export function recordOverload(now: number): void {
  refusedAt = now
}

/** Whether more come than are let in: what is dear is then done at a pace that leaves time for everything else. */
export const isOverloaded = (now: number): boolean => now - refusedAt < CROWD_MS

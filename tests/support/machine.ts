/**
 * Slowdown of this machine relative to the reference machine; at least 1. `scripts/lib/machine.ts` measures it once per
 * run.
 */
export const MACHINE_FACTOR = Math.max(1, Number(process.env['MACHINE_FACTOR'] ?? 1))

/** Scales a test's time limit (ms) to this machine. Do not use it for limits that the product promises. */
export const scaleTimeout = (ms: number): number => Math.round(ms * MACHINE_FACTOR)

/**
 * Reduces a number of simultaneous requests so that this machine can answer them within the product's time limits.
 * Returns at least 50.
 */
export const scaleRequestCount = (requests: number): number => Math.max(50, Math.round(requests / MACHINE_FACTOR))

/** Number of iterations that run in 0.4 s on the reference machine: one idle core of a current server. */
const BENCHMARK_ITERATIONS = 290_000_000
const REFERENCE_MS = 400

/**
 * Returns how many times slower this machine is than the reference machine, at least 1. Other load counts too. Tests
 * multiply their time limits by this factor (tests/support/machine.ts).
 */
export function measureSlowness(): number {
  const started = performance.now()
  const checksum = runLoop(BENCHMARK_ITERATIONS)
  const factor = (performance.now() - started) / REFERENCE_MS
  // The checksum keeps the loop from being optimized away.
  return Number.isNaN(checksum) ? 1 : Math.max(1, Math.round(factor * 10) / 10)
}

/**
 * Runs a loop that stays within 32-bit integers. V8 may compile a loop that can overflow to code that is five times
 * slower.
 */
function runLoop(iterations: number): number {
  let checksum = 1
  for (let i = 0; i < iterations; i++) checksum = Math.imul(checksum, 31) ^ i
  return checksum
}

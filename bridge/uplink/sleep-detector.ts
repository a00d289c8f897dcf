import os from 'node:os'

/** Time between two checks above which the process counts as stopped or starved, ms. */
const MIN_STALL_MS = 10_000
/**
 * Minimum difference between performance clock and uptime that counts as sleep, ms. A smaller difference is inaccuracy.
 */
const MIN_SLEEP_MS = 2000

/**
 * Detects sleep of the computer and pauses of this process. Compares the system uptime, which includes sleep, with
 * `performance.now()`, which on some systems does not. Changes of the system clock have no effect.
 */
export class SleepDetector {
  #lastPerformanceMs = performance.now()
  #lastUptimeMs = os.uptime() * 1000

  /**
   * Returns the changes since the previous call; must be called every second. `sleptMs`: sleep that `performance.now()`
   * missed. `stoodStill`: true if the process was stopped or starved.
   */
  check(): { sleptMs: number; stoodStill: boolean } {
    const [performanceMs, uptimeMs] = [performance.now(), os.uptime() * 1000]
    const [ran, passed] = [performanceMs - this.#lastPerformanceMs, uptimeMs - this.#lastUptimeMs]
    this.#lastPerformanceMs = performanceMs
    this.#lastUptimeMs = uptimeMs
    return { sleptMs: passed - ran > MIN_SLEEP_MS ? passed - ran : 0, stoodStill: ran > MIN_STALL_MS }
  }
}

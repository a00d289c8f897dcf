import os from 'node:os'

/** A longer gap between checks means that the process was stopped or starved. */
const STOOD_STILL_MS = 10_000
/** Minimum difference between performance clock and uptime that counts as sleep, ms; a smaller one is inaccuracy. */
const SLEPT_MS = 2000

/**
 * Detects sleep of the computer and stops of this process. `performance.now()`, which stamps frames, does not count
 * sleep on every system, but the system uptime does. Changes of the system clock affect neither.
 */
export class SleepWatch {
  private awake = performance.now()
  private up = os.uptime() * 1000

  /**
   * Must be called each second. Returns what happened since the previous call. `sleptMs`: time that `performance.now()`
   * missed; `stoodStill`: true if the process was stopped or starved.
   */
  check(): { sleptMs: number; stoodStill: boolean } {
    const [awake, up] = [performance.now(), os.uptime() * 1000]
    const [ran, passed] = [awake - this.awake, up - this.up]
    this.awake = awake
    this.up = up
    return { sleptMs: passed - ran > SLEPT_MS ? passed - ran : 0, stoodStill: ran > STOOD_STILL_MS }
  }
}

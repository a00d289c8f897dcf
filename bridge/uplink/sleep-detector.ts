import os from 'node:os'

/** Looks that are further apart are those of a process that stood still: it was stopped, or had no time. */
const STOOD_STILL_MS = 10_000
/** The clocks tell sleep apart from their own inaccuracy from here on. */
const SLEPT_MS = 2000

/**
 * Tells when the computer slept or this process was stopped. `performance.now()`, by which pictures are stamped, does not count
 * sleep everywhere, but the time since the computer was started does; a system clock that somebody sets moves neither.
 */
export class SleepWatch {
  private awake = performance.now()
  private up = os.uptime() * 1000

  /** To be called each second: what happened since. `sleptMs`: of which `performance.now()` knows nothing. */
  check(): { sleptMs: number; stoodStill: boolean } {
    const [awake, up] = [performance.now(), os.uptime() * 1000]
    const [ran, passed] = [awake - this.awake, up - this.up]
    this.awake = awake
    this.up = up
    return { sleptMs: passed - ran > SLEPT_MS ? passed - ran : 0, stoodStill: ran > STOOD_STILL_MS }
  }
}

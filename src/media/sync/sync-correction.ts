/**
 * Rules that keep clips of several cameras in sync, as pure functions; synced-player.ts applies them. Times in ms;
 * `off` is how far a video is ahead of the clock (negative: behind).
 */

/** Maximum offset that counts as in sync. */
export const IN_STEP_MS = 100
/** Offset below which nothing is corrected: a screen shows a frame up to 17 ms after its time. */
const CALM_MS = 20
const JUMP_MS = 500
/** Maximum change of speed for a video that is in sync, small enough not to be noticed. */
const NUDGE = 0.04
/** Maximum change of speed for a video that is out of sync. With `NUDGE`, 400 ms would take ten seconds. */
const CATCH_UP = 0.2
/** Time in which a correction should close the offset. */
const SETTLE_MS = 1000

type Correction = { readonly kind: 'jump' } | { readonly kind: 'rate'; readonly rate: number }

/** Returns the correction for a video whose offset from the clock is `off`. `rate`: speed of the clock. */
export function correct(off: number, rate: number): Correction {
  const distance = Math.abs(off)
  // At double speed, the same time on the screen is twice as long in the clip.
  if (distance > JUMP_MS * Math.max(1, rate)) return { kind: 'jump' }
  if (distance <= CALM_MS) return { kind: 'rate', rate }
  const maxChange = distance > IN_STEP_MS ? CATCH_UP : NUDGE
  const change = Math.min(maxChange, Math.max(-maxChange, -off / SETTLE_MS / rate))
  return { kind: 'rate', rate: rate * (1 + change) }
}

/** Returns the median of the last readings, so that one late frame has no effect. */
export function medianReading(readings: readonly number[]): number | null {
  return readings.toSorted((a, b) => a - b)[Math.floor((readings.length - 1) / 2)] ?? null
}

/**
 * Returns the largest time difference between the videos, given the offset of each from the clock; null for fewer than
 * two.
 */
export function computeSpread(offs: readonly number[]): number | null {
  return offs.length < 2 ? null : Math.max(...offs) - Math.min(...offs)
}

/** Clip with its begin and end on the shared clock, ms UTC. */
export interface SyncedRecording {
  readonly id: string
  readonly begin: number
  readonly end: number
}

export type RecordingPhase = 'before' | 'during' | 'after'

/**
 * Returns the clip of a camera for the moment `at`: the current one, else the last that ended, else the first.
 * `stretches` is in order of time and not empty.
 */
export function stretchAt<S extends SyncedRecording>(
  stretches: readonly S[],
  at: number,
): { stretch: S; place: RecordingPhase } | null {
  const stretch = stretches.findLast(({ begin }) => begin <= at)
  if (stretch) return { stretch, place: at < stretch.end ? 'during' : 'after' }
  const first = stretches[0]
  return first ? { stretch: first, place: 'before' } : null
}

/**
 * Clock that can be stopped, moved and sped up. It returns the time in the clips, ms UTC; `t` is the time of the page's
 * clock, ms.
 */
export class StepClock {
  rate = 1
  isRunning = false
  private shown: number
  private since = 0

  constructor(at: number) {
    this.shown = at
  }

  at(t: number): number {
    return this.isRunning ? this.shown + (t - this.since) * this.rate : this.shown
  }

  set(at: number, t: number): void {
    this.shown = at
    this.since = t
  }

  run(isRunning: boolean, t: number): void {
    if (isRunning === this.isRunning) return
    this.set(this.at(t), t)
    this.isRunning = isRunning
  }

  setRate(rate: number, t: number): void {
    this.set(this.at(t), t)
    this.rate = rate
  }
}

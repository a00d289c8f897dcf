/**
 * How pictures of several recordings are kept in step, as rules on numbers; synced-player.ts applies them. Times in ms, `off` is
 * how far a picture is ahead of the clock (behind it when negative).
 */

/** Pictures this close count as in step. */
export const IN_STEP_MS = 100
/** Closer than this nothing is done: a screen shows a picture up to 17 ms after its time. */
const CALM_MS = 20
/** Further off than this it jumps. */
const JUMP_MS = 500
/** Speeds are changed by so much at most while pictures are still in step: nobody sees or hears it. */
const NUDGE = 0.04
/** And by so much when they are not: 4 % would need ten seconds for 400 ms. */
const CATCH_UP = 0.2
/** A correction is meant to take so long. */
const SETTLE_MS = 1000

type Correction = { readonly kind: 'jump' } | { readonly kind: 'rate'; readonly rate: number }

/** What to do with a video that is `off`, when the clock runs at `rate`. */
export function correct(off: number, rate: number): Correction {
  const distance = Math.abs(off)
  // At twice the speed the same time on the screen is twice as long in the recording.
  if (distance > JUMP_MS * Math.max(1, rate)) return { kind: 'jump' }
  if (distance <= CALM_MS) return { kind: 'rate', rate }
  const maxChange = distance > IN_STEP_MS ? CATCH_UP : NUDGE
  const change = Math.min(maxChange, Math.max(-maxChange, -off / SETTLE_MS / rate))
  return { kind: 'rate', rate: rate * (1 + change) }
}

/** The middle of the last readings: one late picture moves nothing. */
export function medianReading(readings: readonly number[]): number | null {
  return readings.toSorted((a, b) => a - b)[Math.floor((readings.length - 1) / 2)] ?? null
}

/** How far apart pictures are, given how far each is off the clock; null with fewer than two. */
export function computeSpread(offs: readonly number[]): number | null {
  return offs.length < 2 ? null : Math.max(...offs) - Math.min(...offs)
}

/** A recording on the clock's time, ms UTC. */
export interface Stretch {
  readonly id: string
  readonly begin: number
  readonly end: number
}

export type Place = 'before' | 'during' | 'after'

/** Which of a camera's recordings (in order of time, at least one) stands for the moment `at`: the one under way, else the last that ended, else the first. */
export function stretchAt<S extends Stretch>(stretches: readonly S[], at: number): { stretch: S; place: Place } | null {
  const stretch = stretches.findLast(({ begin }) => begin <= at)
  if (stretch) return { stretch, place: at < stretch.end ? 'during' : 'after' }
  const first = stretches[0]
  return first ? { stretch: first, place: 'before' } : null
}

/** Runs in time and can be stopped, moved and sped up. What the clock shows is ms UTC of the recordings, `t` is ms of the page. */
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

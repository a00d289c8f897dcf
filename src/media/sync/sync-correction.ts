/**
 * Rules that keep clips of several cameras in sync, as pure functions. synced-player.ts and synced-video.ts apply them.
 * Times in ms. An offset is positive if a video is ahead of the clock.
 */

export const MAX_IN_SYNC_OFFSET_MS = 100
/** Offset below which nothing is corrected: a screen shows a frame up to 17 ms after its time. */
const IGNORED_OFFSET_MS = 20
const JUMP_OFFSET_MS = 500
/** Maximum change of speed for a video in sync, as a share of the clock's speed; small enough not to be noticed. */
const IN_SYNC_RATE_CHANGE = 0.04
/**
 * Maximum change of speed for a video that is out of sync, as a share of the clock's speed. With
 * `IN_SYNC_RATE_CHANGE`, closing 400 ms would take ten seconds.
 */
const OUT_OF_SYNC_RATE_CHANGE = 0.2
/** Time in which a correction should close the offset. */
const CORRECTION_TIME_MS = 1000

type SyncCorrection = { readonly kind: 'jump' } | { readonly kind: 'rate'; readonly rate: number }

/** Returns the correction for a video whose offset from the clock is `offsetMs`. `rate`: speed of the clock. */
export function computeSyncCorrection(offsetMs: number, rate: number): SyncCorrection {
  const distance = Math.abs(offsetMs)
  // The limit grows with the speed: at double speed, the same delay on the screen is twice as long in the clip.
  if (distance > JUMP_OFFSET_MS * Math.max(1, rate)) return { kind: 'jump' }
  if (distance <= IGNORED_OFFSET_MS) return { kind: 'rate', rate }
  const maxChange = distance > MAX_IN_SYNC_OFFSET_MS ? OUT_OF_SYNC_RATE_CHANGE : IN_SYNC_RATE_CHANGE
  const change = Math.min(maxChange, Math.max(-maxChange, -offsetMs / CORRECTION_TIME_MS / rate))
  return { kind: 'rate', rate: rate * (1 + change) }
}

/** Returns the median of `readings`, so that one late frame has no effect; null if there are no readings. */
export function computeMedian(readings: readonly number[]): number | null {
  return readings.toSorted((a, b) => a - b)[Math.floor((readings.length - 1) / 2)] ?? null
}

/**
 * Returns the largest time difference between the videos, given the offset of each from the clock; null for fewer than
 * two.
 */
export function computeSpread(offsetsMs: readonly number[]): number | null {
  return offsetsMs.length < 2 ? null : Math.max(...offsetsMs) - Math.min(...offsetsMs)
}

/** Clip with its begin and end on the shared clock, ms UTC. */
export interface SyncedClip {
  readonly id: string
  readonly begin: number
  readonly end: number
}

export type ClipPhase = 'before' | 'during' | 'after'

/**
 * Returns the clip of a camera for the moment `at`: the current one, else the last that ended, else the first. Returns
 * null if there are no clips. `clips` must be sorted by time.
 */
export function findClipAt<S extends SyncedClip>(
  clips: readonly S[],
  at: number,
): { clip: S; place: ClipPhase } | null {
  const clip = clips.findLast(({ begin }) => begin <= at)
  if (clip) return { clip, place: at < clip.end ? 'during' : 'after' }
  const first = clips[0]
  return first ? { clip: first, place: 'before' } : null
}

/**
 * Clock that can be stopped, moved and sped up. It returns the time in the clips, ms UTC. `t` is the time of the page's
 * clock, ms.
 */
export class SyncClock {
  rate = 1
  isRunning = false
  #baseTime: number
  #basePageTimeMs = 0

  constructor(timeAt: number) {
    this.#baseTime = timeAt
  }

  getTimeAt(t: number): number {
    return this.isRunning ? this.#baseTime + (t - this.#basePageTimeMs) * this.rate : this.#baseTime
  }

  setTime(timeAt: number, t: number): void {
    this.#baseTime = timeAt
    this.#basePageTimeMs = t
  }

  setRunning(isRunning: boolean, t: number): void {
    if (isRunning === this.isRunning) return
    this.setTime(this.getTimeAt(t), t)
    this.isRunning = isRunning
  }

  setRate(rate: number, t: number): void {
    this.setTime(this.getTimeAt(t), t)
    this.rate = rate
  }
}

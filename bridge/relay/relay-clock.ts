/**
 * Relay time of the first frame, ms. Later frames may be up to a GOP older than the first one, and relay times must not
 * be negative.
 */
const BEFORE_MS = 10_000

/** Clock shared by all relays of a camera, so that a player can synchronize audio and video. */
export class RelayClock {
  private from: number | undefined

  /** Returns the relay time of a `pts`, ms. */
  of(pts: number): number {
    this.from ??= pts - BEFORE_MS
    return Math.max(0, pts - this.from)
  }
}

/** Offset of the clock, ms: later frames may be older than the first one sent by up to a GOP. */
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

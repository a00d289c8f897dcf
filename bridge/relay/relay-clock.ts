/**
 * Relay time of the first frame, ms. It is greater than 0, because a later relay may start with frames that are up to
 * one GOP older than this first frame.
 */
const FIRST_FRAME_MS = 10_000

/** Clock shared by all relays of a camera, so that a player can synchronize audio and video. */
export class RelayClock {
  #originPts: number | undefined

  /** Returns the relay time of a `pts`, ms; 0 for a `pts` that is more than `FIRST_FRAME_MS` before the first `pts`. */
  toRelayTime(pts: number): number {
    this.#originPts ??= pts - FIRST_FRAME_MS
    return Math.max(0, pts - this.#originPts)
  }
}

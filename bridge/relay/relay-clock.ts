/** Later pictures may be older than the first that was sent by the length of a group, ms. */
const BEFORE_MS = 10_000

/** The clock of all that one camera sends over the relay, so that a player can put sound beside pictures. */
export class RelayClock {
  private from: number | undefined

  /** Time of something with this `pts`, ms. */
  of(pts: number): number {
    this.from ??= pts - BEFORE_MS
    return Math.max(0, pts - this.from)
  }
}

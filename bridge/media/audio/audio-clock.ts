/** A packet of Opus, 20 ms unless its encoder differs. `pts`: ms on the clock of the camera's frames. */
export interface AudioPacket {
  readonly data: Buffer
  readonly pts: number
}

/** Duration of a packet of Opus, ms. */
export const PACKET_MS = 20

/** Sound that comes later than this behind its predecessor was interrupted, ms. */
const LATE_MS = 200
/** Cameras send up to an eighth of a second at once; what is further ahead than this is left out, ms. */
const AHEAD_MS = 300
/** After so many packets it is known whether the sound is ahead of the present all the time, and is cut if by more than this. */
const WINDOW = 100
const AHEAD_ALWAYS_MS = 40

/**
 * Says when a packet is heard. Packets follow each other without gaps however unevenly they come; never backwards. Sound
 * that has piled up before the first picture, or of a camera with a fast clock, is shortened.
 */
export class SoundClock {
  private next: number | undefined
  private least = Infinity
  private count = 0
  private skip = 0

  /** Time of the packet that comes at `now`, on the same clock in ms; undefined: leave it out. */
  stamp(now: number): number | undefined {
    const next = this.next === undefined || now - this.next > LATE_MS ? now : this.next
    this.next = next
    if (next - now > AHEAD_MS) return undefined
    this.measure(next - now)
    if (this.skip > 0) {
      this.skip--
      return undefined
    }
    this.next = next + PACKET_MS
    return next
  }

  private measure(ahead: number): void {
    this.least = Math.min(this.least, ahead)
    if (++this.count < WINDOW) return
    this.skip = this.least > AHEAD_ALWAYS_MS ? Math.floor(this.least / PACKET_MS) : 0
    this.count = 0
    this.least = Infinity
  }
}

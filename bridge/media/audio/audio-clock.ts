/** Opus packet, 20 ms unless the encoder differs. `pts`: ms on the clock of the camera's frames. */
export interface AudioPacket {
  readonly data: Buffer
  readonly pts: number
}

export const PACKET_MS = 20

/** Delay after the previous packet beyond which the audio counts as interrupted, ms. */
const LATE_MS = 200
/** Maximum lead of a packet, ms; packets further ahead are dropped. Cameras send bursts of up to 1/8 s. */
const AHEAD_MS = 300
/**
 * Number of packets over which a constant lead is measured, and the maximum constant lead, ms. The clock removes any
 * lead above it.
 */
const WINDOW = 100
const AHEAD_ALWAYS_MS = 40

/**
 * Assigns presentation times to audio packets: gapless despite network jitter, and never backwards. Shortens audio that
 * piled up before the first frame, or that comes from a camera with a fast clock.
 */
export class SoundClock {
  private next: number | undefined
  private least = Infinity
  private count = 0
  private skip = 0

  /**
   * Returns the presentation time of the packet that arrives at `now`, ms on the same clock; undefined if the packet
   * must be dropped.
   */
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

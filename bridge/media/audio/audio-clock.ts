/** Opus packet, normally of 20 ms. `pts`: presentation time, ms on the clock of the camera's frames. */
export interface AudioPacket {
  readonly data: Buffer
  readonly pts: number
}

export const PACKET_MS = 20

/**
 * Maximum delay of a packet after its expected time, ms. A packet with a longer delay gets its arrival time as `pts`.
 */
const MAX_DELAY_MS = 200
/**
 * Maximum time by which a packet may arrive early, ms. The clock drops a packet that arrives even earlier. Cameras send
 * bursts of up to 125 ms.
 */
const MAX_LEAD_MS = 300
/**
 * Number of packets over which the clock measures the smallest lead, and maximum of this lead, ms. A packet's lead is
 * the time by which it arrives early. The clock drops packets to remove a longer lead.
 */
const LEAD_WINDOW_PACKETS = 100
const MAX_CONSTANT_LEAD_MS = 40

/**
 * Assigns increasing presentation times to audio packets: `PACKET_MS` apart despite network jitter, with a gap only
 * after a delay of more than `MAX_DELAY_MS`. Drops packets if audio piled up before the first frame or if the camera's
 * clock is fast.
 */
export class AudioClock {
  #nextPts: number | undefined
  #minLeadMs = Infinity
  #count = 0
  #packetsToDrop = 0

  /**
   * Returns the presentation time of the packet that arrives at `now`; undefined if the packet must be dropped. Both
   * times are ms on the clock of the camera's frames.
   */
  stamp(now: number): number | undefined {
    const nextPts = this.#nextPts === undefined || now - this.#nextPts > MAX_DELAY_MS ? now : this.#nextPts
    this.#nextPts = nextPts
    if (nextPts - now > MAX_LEAD_MS) return undefined
    this.#measureLead(nextPts - now)
    if (this.#packetsToDrop > 0) {
      this.#packetsToDrop--
      return undefined
    }
    this.#nextPts = nextPts + PACKET_MS
    return nextPts
  }

  #measureLead(leadMs: number): void {
    this.#minLeadMs = Math.min(this.#minLeadMs, leadMs)
    if (++this.#count < LEAD_WINDOW_PACKETS) return
    this.#packetsToDrop = this.#minLeadMs > MAX_CONSTANT_LEAD_MS ? Math.floor(this.#minLeadMs / PACKET_MS) : 0
    this.#count = 0
    this.#minLeadMs = Infinity
  }
}

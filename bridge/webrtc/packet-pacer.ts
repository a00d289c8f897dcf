/**
 * Maximum number of packets per burst, and minimum time per burst, ms: at most 90 Mbit/s. A small frame fits into one
 * burst, so pacing does not delay it.
 */
const MAX_BURST_PACKETS = 50
const BURST_WINDOW_MS = 5

export interface OutgoingPacket {
  readonly payload: Buffer
  readonly timestamp: number
  readonly marker: boolean
}

/** Sends packets in order, and paces large GOPs: one long burst would overflow the receiver's socket buffer. */
export class PacketPacer {
  readonly #send: (packet: OutgoingPacket) => void
  #queue: OutgoingPacket[] = []
  #windowStart = -Infinity
  #sentInWindow = 0
  #timer: NodeJS.Timeout | undefined

  constructor(send: (packet: OutgoingPacket) => void) {
    this.#send = send
  }

  push(packet: OutgoingPacket): void {
    this.#queue.push(packet)
    if (this.#timer === undefined) this.#drain()
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#queue = []
  }

  #drain(): void {
    this.#timer = undefined
    const now = performance.now()
    if (now - this.#windowStart >= BURST_WINDOW_MS) {
      this.#windowStart = now
      this.#sentInWindow = 0
    }
    const portion = this.#queue.splice(0, MAX_BURST_PACKETS - this.#sentInWindow)
    this.#sentInWindow += portion.length
    for (const packet of portion) this.#send(packet)
    if (this.#queue.length > 0) this.#timer = setTimeout(() => this.#drain(), BURST_WINDOW_MS)
  }
}

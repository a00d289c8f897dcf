/**
 * Maximum number of packets in a burst, and the time window for one burst, ms: together 90 Mbit/s. A small frame is
 * never delayed.
 */
const AT_ONCE = 50
const PAUSE_MS = 5

export interface Packet {
  readonly payload: Buffer
  readonly timestamp: number
  readonly marker: boolean
}

/**
 * Sends packets in order and paces large GOPs: a full burst would overrun the receiver's socket and lose the first
 * frame.
 */
export class Pacer {
  private readonly send: (packet: Packet) => void
  private waiting: Packet[] = []
  private windowStart = -Infinity
  private sent = 0
  private timer: NodeJS.Timeout | undefined

  constructor(send: (packet: Packet) => void) {
    this.send = send
  }

  push(packet: Packet): void {
    this.waiting.push(packet)
    if (this.timer === undefined) this.drain()
  }

  stop(): void {
    clearTimeout(this.timer)
    this.waiting = []
  }

  private drain(): void {
    this.timer = undefined
    const now = performance.now()
    if (now - this.windowStart >= PAUSE_MS) {
      this.windowStart = now
      this.sent = 0
    }
    const portion = this.waiting.splice(0, AT_ONCE - this.sent)
    this.sent += portion.length
    for (const packet of portion) this.send(packet)
    if (this.waiting.length > 0) this.timer = setTimeout(() => this.drain(), PAUSE_MS)
  }
}

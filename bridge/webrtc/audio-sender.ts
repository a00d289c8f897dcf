import { randomInt } from 'node:crypto'
import type { AudioPacket } from '../media/audio/audio-clock.ts'
import type { Source } from '../sources/video-source.ts'
import type { Packet } from './packet-pacer.ts'

/** Ticks of the RTP clock per ms: for Opus, it runs at 48 kHz regardless of the sampling rate (RFC 7587 §4.1). */
const TICKS_PER_MS = 48

/** Audio of one viewer: sends each packet as it arrives. A pause becomes a jump in the timestamps. */
export class SoundLane {
  private readonly watchAudio: NonNullable<Source['watchAudio']>
  private readonly push: (packet: Packet) => void
  private readonly base = randomInt(0x4000_0000)
  private unwatch: (() => void) | undefined
  private origin: number | undefined
  private lastTicks = -1

  constructor(watchAudio: NonNullable<Source['watchAudio']>, send: (packet: Packet) => void) {
    this.watchAudio = watchAudio
    this.push = send
  }

  start(): void {
    this.unwatch = this.watchAudio((packet) => this.send(packet))
  }

  end(): void {
    this.unwatch?.()
    this.unwatch = undefined
  }

  private send({ data, pts }: AudioPacket): void {
    this.origin ??= pts
    const ticks = Math.round((pts - this.origin) * TICKS_PER_MS)
    if (ticks <= this.lastTicks) return
    // The RTP marker bit marks the first packet of a talkspurt (RFC 3551 §4.1).
    const marker = this.lastTicks < 0
    this.lastTicks = ticks
    this.push({ payload: data, timestamp: (this.base + ticks) >>> 0, marker })
  }
}

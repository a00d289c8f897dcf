import { randomInt } from 'node:crypto'
import type { AudioPacket } from '../media/audio/audio-clock.ts'
import type { VideoSource } from '../sources/video-source.ts'
import type { OutgoingPacket } from './packet-pacer.ts'

/** RTP clock ticks per ms. The clock for Opus always runs at 48 kHz (RFC 7587 §4.1). */
const TICKS_PER_MS = 48

/** Sends audio to one viewer, each packet as it arrives. A pause becomes a jump in the timestamps. */
export class AudioSender {
  readonly #watchAudio: NonNullable<VideoSource['watchAudio']>
  readonly #sendPacket: (packet: OutgoingPacket) => void
  readonly #timestampOffset = randomInt(0x4000_0000)
  #unwatch: (() => void) | undefined
  #firstPts: number | undefined
  #lastTicks = -1

  constructor(watchAudio: NonNullable<VideoSource['watchAudio']>, send: (packet: OutgoingPacket) => void) {
    this.#watchAudio = watchAudio
    this.#sendPacket = send
  }

  start(): void {
    this.#unwatch = this.#watchAudio((packet) => this.#send(packet))
  }

  end(): void {
    this.#unwatch?.()
    this.#unwatch = undefined
  }

  #send({ data, pts }: AudioPacket): void {
    this.#firstPts ??= pts
    const ticks = Math.round((pts - this.#firstPts) * TICKS_PER_MS)
    if (ticks <= this.#lastTicks) return
    // The RTP marker bit marks the first packet of a talkspurt (RFC 3551 §4.1).
    const marker = this.#lastTicks < 0
    this.#lastTicks = ticks
    this.#sendPacket({ payload: data, timestamp: (this.#timestampOffset + ticks) >>> 0, marker })
  }
}

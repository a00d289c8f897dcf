import { getExtraTrackOffset, RELAY_MESSAGE_TYPES } from '../../contract/live/relay-protocol.ts'
import { PACKET_MS, type AudioPacket } from '../media/audio/audio-clock.ts'
import { SILENT_PACKET } from '../media/mp4/audio-track.ts'
import type { VideoSource } from '../sources/video-source.ts'
import { createAudioFragment, createAudioInitialization } from './fmp4-fragments.ts'
import { createInitializationMessage, type RelayContext, type RelaySocket, MAX_WAITING_BYTES } from './video-relay.ts'

/** Number of audio packets per fragment; five packets take 100 ms. */
const PACKETS_PER_FRAGMENT = 5
/** Maximum lag of audio behind video, ms. If audio is later, the relay sends silence, so that no player stalls. */
const MAX_LAG_MS = 400
/** Maximum number of missing packets that the relay replaces by silence. It skips a longer gap. */
const MAX_SILENCE_PACKETS = 100

/**
 * Relays the audio of one camera to the provider, one packet per 20 ms. Replaces missing packets by silence, because a
 * player does not show a frame without audio.
 */
export class AudioRelay {
  readonly #source: VideoSource
  readonly #context: RelayContext
  readonly #socket: RelaySocket
  readonly #unwatchFunctions: (() => void)[] = []
  #packets: Buffer[] = []
  #nextSlot: number | undefined
  #sequence = 0

  constructor(source: VideoSource, context: RelayContext) {
    this.#source = source
    this.#context = context
    this.#socket = context.open(() => this.end())
    this.start()
  }

  get isOpen(): boolean {
    return this.#socket.isOpen
  }

  start(): void {
    this.#unwatch()
    this.#packets = []
    this.#nextSlot = undefined
    this.#socket.send(createInitializationMessage(createAudioInitialization(), this.#context.name))
    const source = this.#source
    this.#unwatchFunctions.push(source.watch(({ pts }) => this.#fillWithSilence(this.#toSlot(pts - MAX_LAG_MS))))
    if (source.watchAudio) this.#unwatchFunctions.push(source.watchAudio((packet) => this.#handlePacket(packet)))
  }

  end(): void {
    if (this.#unwatchFunctions.length === 0) return
    this.#unwatch()
    this.#socket.close()
    this.#context.ended()
  }

  #unwatch(): void {
    for (const unwatchFunctions of this.#unwatchFunctions.splice(0)) unwatchFunctions()
  }

  #toSlot(pts: number): number {
    return Math.round(this.#context.epoch.toRelayTime(pts) / PACKET_MS)
  }

  #handlePacket({ data, pts }: AudioPacket): void {
    const slot = this.#toSlot(pts)
    this.#fillWithSilence(slot)
    if (slot === this.#nextSlot) this.#addPacket(data)
  }

  #fillWithSilence(slot: number): void {
    if (this.#nextSlot === undefined || slot - this.#nextSlot > MAX_SILENCE_PACKETS) {
      this.#sendFragment()
      this.#nextSlot = slot
    }
    while (this.#nextSlot < slot) this.#addPacket(SILENT_PACKET)
  }

  #addPacket(packet: Buffer): void {
    this.#nextSlot = (this.#nextSlot ?? 0) + 1
    this.#packets.push(packet)
    if (this.#packets.length >= PACKETS_PER_FRAGMENT) this.#sendFragment()
  }

  #sendFragment(): void {
    const packets = this.#packets.splice(0)
    if (packets.length === 0 || this.#nextSlot === undefined || this.#socket.waiting > MAX_WAITING_BYTES) return
    const bytes = createAudioFragment(packets, ++this.#sequence, this.#nextSlot - packets.length)
    this.#socket.send(
      Buffer.concat([Buffer.of(RELAY_MESSAGE_TYPES.key + getExtraTrackOffset(this.#context.name)), bytes]),
    )
  }
}

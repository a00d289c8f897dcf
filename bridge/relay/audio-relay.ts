import { extraTrackOffset, RELAY } from '../../contract/live/relay-protocol.ts'
import { PACKET_MS, type AudioPacket } from '../media/audio/audio-clock.ts'
import { SILENCE } from '../media/mp4/audio-track.ts'
import type { Source } from '../sources/video-source.ts'
import { soundFragment, createAudioInitialization } from './fmp4-fragments.ts'
import { beginning, type RelayLine, type RelaySocket, WAITING_MAX } from './video-relay.ts'

/** Number of audio packets per fragment: together 100 ms. */
const TOGETHER = 5
/** Maximum lag of the audio behind the video, ms. Beyond it, silence is sent, because a player stalls without audio. */
const LATE_MS = 400
/** Maximum number of missing packets that are replaced by silence; more than that counts as a gap in the audio. */
const GAP = 100

/**
 * Sends the audio of one camera to the provider: one packet for each 20 ms, with silence for missing packets, because a
 * player does not show a frame for which it has no audio.
 */
export class SoundRelay {
  private readonly source: Source
  private readonly line: RelayLine
  private readonly socket: RelaySocket
  private readonly leave: (() => void)[] = []
  private packets: Buffer[] = []
  private next: number | undefined
  private sequence = 0

  constructor(source: Source, line: RelayLine) {
    this.source = source
    this.line = line
    this.socket = line.open(() => this.end())
    this.start()
  }

  get isOpen(): boolean {
    return this.socket.isOpen
  }

  start(): void {
    this.unwatch()
    this.packets = []
    this.next = undefined
    this.socket.send(beginning(createAudioInitialization(), this.line.name))
    const { source } = this
    this.leave.push(source.watch(({ pts }) => this.fill(this.toSlot(pts - LATE_MS))))
    if (source.watchAudio) this.leave.push(source.watchAudio((packet) => this.handlePacket(packet)))
  }

  end(): void {
    if (this.leave.length === 0) return
    this.unwatch()
    this.socket.close()
    this.line.ended()
  }

  private unwatch(): void {
    for (const leave of this.leave.splice(0)) leave()
  }

  private toSlot(pts: number): number {
    return Math.round(this.line.epoch.of(pts) / PACKET_MS)
  }

  private handlePacket({ data, pts }: AudioPacket): void {
    const slot = this.toSlot(pts)
    this.fill(slot)
    if (slot === this.next) this.add(data)
  }

  private fill(slot: number): void {
    if (this.next === undefined || slot - this.next > GAP) {
      this.send()
      this.next = slot
    }
    while (this.next < slot) this.add(SILENCE)
  }

  private add(packet: Buffer): void {
    this.next = (this.next ?? 0) + 1
    this.packets.push(packet)
    if (this.packets.length >= TOGETHER) this.send()
  }

  /** Drops packets when the socket has too many bytes waiting. */
  private send(): void {
    const packets = this.packets.splice(0)
    if (packets.length === 0 || this.next === undefined || this.socket.waiting > WAITING_MAX) return
    const bytes = soundFragment(packets, ++this.sequence, this.next - packets.length)
    this.socket.send(Buffer.concat([Buffer.of(RELAY.key + extraTrackOffset(this.line.name)), bytes]))
  }
}

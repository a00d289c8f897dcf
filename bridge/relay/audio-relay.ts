import { extraTrackOffset, RELAY } from '../../contract/live/relay-protocol.ts'
import { PACKET_MS, type AudioPacket } from '../media/audio/audio-clock.ts'
import { SILENCE } from '../media/mp4/audio-track.ts'
import type { Source } from '../sources/video-source.ts'
import { soundFragment, createAudioInitialization } from './fmp4-fragments.ts'
import { beginning, type RelayLine, type RelaySocket, WAITING_MAX } from './video-relay.ts'

/** Packets in a fragment: a tenth of a second. */
const TOGETHER = 5
/** Sound that is further behind the pictures than this, ms, is not waited for: a player without it would stop. */
const LATE_MS = 400
/** A longer gap than this, in packets, is one. */
const GAP = 100

/**
 * The sound of one camera on its way to the provider: a packet for each 20 ms, with silence where none came, for a player
 * shows no picture for which it has no sound.
 */
export class SoundRelay {
  private readonly source: Source
  private readonly line: RelayLine
  private readonly socket: RelaySocket
  private readonly leave: (() => void)[] = []
  private packets: Buffer[] = []
  /** Number of the packet that is due; undefined: none has come. */
  private next: number | undefined
  private sequence = 0

  constructor(source: Source, line: RelayLine) {
    this.source = source
    this.line = line
    this.socket = line.open(() => this.end())
    this.start()
  }

  /** Whether what is sent still arrives. */
  get isOpen(): boolean {
    return this.socket.isOpen
  }

  /** From the start, for a provider that has lost what it had. */
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

  /** Silence for everything before this packet. */
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

  /** What does not fit on the line is left out. */
  private send(): void {
    const packets = this.packets.splice(0)
    if (packets.length === 0 || this.next === undefined || this.socket.waiting > WAITING_MAX) return
    const bytes = soundFragment(packets, ++this.sequence, this.next - packets.length)
    this.socket.send(Buffer.concat([Buffer.of(RELAY.key + extraTrackOffset(this.line.name)), bytes]))
  }
}

import type { LensFrames, VideoSource } from '../sources/video-source.ts'
import type { OutgoingPacket } from './packet-pacer.ts'
import type { ReceivedIceCandidate, SenderPeer, PeerFactory, TrackName } from './peer.ts'
import { AudioSender } from './audio-sender.ts'
import { VideoSender } from './video-sender.ts'

const CONNECT_TIMEOUT_MS = 10_000

export class Viewer {
  requestedRendition: string | undefined
  readonly #source: VideoSource
  #mainFrames: LensFrames
  readonly #peer: SenderPeer
  readonly #onEnd: () => void
  readonly #connectTimer: NodeJS.Timeout
  readonly #videoSenders = new Map<TrackName, VideoSender>()
  #audioSender: AudioSender | undefined
  #hasStarted = false
  #hasEnded = false

  constructor(source: VideoSource, createPeer: PeerFactory, onEnd: () => void) {
    this.#source = source
    this.#mainFrames = source
    this.#onEnd = onEnd
    const events = {
      connected: () => this.#start(),
      keyframeWanted: (track: TrackName) => this.#videoSenders.get(track)?.requestKeyframe(),
      ended: () => this.end(),
    }
    this.#peer = createPeer(events, listTracks(source))
    this.#connectTimer = setTimeout(() => this.end(), CONNECT_TIMEOUT_MS)
  }

  answer(offerSdp: string): Promise<string> {
    return this.#peer.answer(offerSdp)
  }

  addCandidate(candidate: ReceivedIceCandidate): Promise<void> {
    return this.#peer.addCandidate(candidate)
  }

  switchTo(frames: LensFrames): void {
    this.#mainFrames = frames
    this.#videoSenders.get('main')?.switchTo(frames)
  }

  requestKeyframe(): void {
    for (const lane of this.#videoSenders.values()) lane.requestKeyframe()
  }

  end(): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    clearTimeout(this.#connectTimer)
    for (const lane of this.#videoSenders.values()) lane.end()
    this.#audioSender?.end()
    this.#peer.close()
    this.#onEnd()
  }

  #start(): void {
    if (this.#hasEnded || this.#hasStarted) return
    this.#hasStarted = true
    clearTimeout(this.#connectTimer)
    const { inset, watchAudio } = this.#source
    const { tracks } = this.#peer
    this.#videoSenders.set('main', new VideoSender(this.#mainFrames, this.#createPacketSender('main')))
    if (inset && tracks.has('inset'))
      this.#videoSenders.set('inset', new VideoSender(inset, this.#createPacketSender('inset')))
    for (const lane of this.#videoSenders.values()) lane.start()
    if (!watchAudio || !tracks.has('sound')) return
    this.#audioSender = new AudioSender(watchAudio, this.#createPacketSender('sound'))
    this.#audioSender.start()
  }

  #createPacketSender(track: TrackName): (packet: OutgoingPacket) => void {
    return ({ payload, timestamp, marker }) => this.#peer.send(track, payload, timestamp, marker)
  }
}

function listTracks({ inset, watchAudio }: VideoSource): ReadonlySet<TrackName> {
  return new Set<TrackName>(['main', ...(inset ? ['inset' as const] : []), ...(watchAudio ? ['sound' as const] : [])])
}

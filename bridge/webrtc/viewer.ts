import type { LensFrames, Source } from '../sources/video-source.ts'
import type { Packet } from './packet-pacer.ts'
import type { Candidate, SenderPeer, PeerFactory, TrackName } from './peer.ts'
import { SoundLane } from './audio-sender.ts'
import { VideoLane } from './video-sender.ts'

const CONNECT_MS = 10_000

export class Viewer {
  /** Requested rendition; undefined: the camera chooses. */
  wish: string | undefined
  private readonly source: Source
  private shown: LensFrames
  private readonly peer: SenderPeer
  private readonly onEnd: () => void
  private readonly connectTimer: NodeJS.Timeout
  private readonly pictures = new Map<TrackName, VideoLane>()
  private sound: SoundLane | undefined
  private begun = false
  private over = false

  constructor(source: Source, createPeer: PeerFactory, onEnd: () => void) {
    this.source = source
    this.shown = source
    this.onEnd = onEnd
    const events = {
      connected: () => this.start(),
      keyframeWanted: (track: TrackName) => this.pictures.get(track)?.requestKeyframe(),
      ended: () => this.end(),
    }
    this.peer = createPeer(events, listTracks(source))
    this.connectTimer = setTimeout(() => this.end(), CONNECT_MS)
  }

  answer(offerSdp: string): Promise<string> {
    return this.peer.answer(offerSdp)
  }

  addCandidate(candidate: Candidate): Promise<void> {
    return this.peer.addCandidate(candidate)
  }

  turnTo(pictures: LensFrames): void {
    this.shown = pictures
    this.pictures.get('main')?.turnTo(pictures)
  }

  requestKeyframe(): void {
    for (const lane of this.pictures.values()) lane.requestKeyframe()
  }

  end(): void {
    if (this.over) return
    this.over = true
    clearTimeout(this.connectTimer)
    for (const lane of this.pictures.values()) lane.end()
    this.sound?.end()
    this.peer.close()
    this.onEnd()
  }

  private start(): void {
    if (this.over || this.begun) return
    this.begun = true
    clearTimeout(this.connectTimer)
    const { inset, watchAudio } = this.source
    const { tracks } = this.peer
    this.pictures.set('main', new VideoLane(this.shown, this.sender('main')))
    if (inset && tracks.has('inset')) this.pictures.set('inset', new VideoLane(inset, this.sender('inset')))
    for (const lane of this.pictures.values()) lane.start()
    if (!watchAudio || !tracks.has('sound')) return
    this.sound = new SoundLane(watchAudio, this.sender('sound'))
    this.sound.start()
  }

  private sender(track: TrackName): (packet: Packet) => void {
    return ({ payload, timestamp, marker }) => this.peer.send(track, payload, timestamp, marker)
  }
}

function listTracks({ inset, watchAudio }: Source): ReadonlySet<TrackName> {
  return new Set<TrackName>(['main', ...(inset ? ['inset' as const] : []), ...(watchAudio ? ['sound' as const] : [])])
}

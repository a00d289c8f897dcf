import { randomInt } from 'node:crypto'
import { MediaStream, RTCPeerConnection, RTCRtpCodecParameters, RtpHeader, RtpPacket, type RTCRtpSender } from 'werift'
import { filterCandidate, filterDescription, type CandidatePolicy } from '../../contract/live/ice-candidates.ts'
import type { IceServers } from '../../contract/live/ice-servers.ts'
import {
  disableDefaultStunServer,
  chooseIceServers,
  gatherCandidates,
  markServerWithoutCandidate,
} from './ice-gathering.ts'
import type { ReceivedIceCandidate, SenderPeer, PeerEvents, TrackName } from './peer.ts'

/** Describes H.264 constrained baseline, level 3.1. Every browser supports this profile, and the scenes use it. */
const createH264Codec = () =>
  new RTCRtpCodecParameters({
    mimeType: 'video/H264',
    clockRate: 90_000,
    payloadType: 102,
    rtcpFeedback: [{ type: 'nack' }, { type: 'nack', parameter: 'pli' }, { type: 'ccm', parameter: 'fir' }],
    parameters: 'level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=42e01f',
  })

const createOpusCodec = () =>
  new RTCRtpCodecParameters({
    mimeType: 'audio/opus',
    clockRate: 48_000,
    channels: 2,
    payloadType: 111,
    parameters: 'minptime=10;useinbandfec=1',
  })
/** Internal payload types. werift replaces them for each viewer, so they never appear on the wire. */
const PAYLOAD_TYPE: Readonly<Record<TrackName, number>> = { main: 102, inset: 102, sound: 111 }

/** Additional host address for viewers on this machine, because werift omits loopback addresses. */
const LOOPBACK = '127.0.0.1'

/**
 * Kinds of viewer candidates that the peer sends to. mDNS names are excluded, because the bridge cannot resolve them.
 * Viewers with mDNS names still connect by their own connectivity checks.
 */
const REACHABLE_CANDIDATES: CandidatePolicy = { lan: true, loopback: true, names: false }

/** Duration of an interruption after which a connection counts as ended, ms. */
const DISCONNECT_TIMEOUT_MS = 10_000

class WeriftPeer implements SenderPeer {
  readonly #connection: RTCPeerConnection
  readonly #events: PeerEvents
  readonly #cameraTracks: ReadonlySet<TrackName>
  readonly #servers: IceServers
  readonly #senders = new Map<TrackName, { readonly sender: RTCRtpSender; sequence: number }>()
  #hasEnded = false
  #disconnectTimer: NodeJS.Timeout | undefined

  constructor(events: PeerEvents, cameraTracks: ReadonlySet<TrackName>, servers: IceServers) {
    this.#events = events
    this.#cameraTracks = cameraTracks
    this.#servers = servers
    this.#connection = new RTCPeerConnection({
      codecs: { video: [createH264Codec()], audio: [createOpusCodec()] },
      headerExtensions: { video: [], audio: [] },
      iceServers: chooseIceServers(servers),
      iceAdditionalHostAddresses: [LOOPBACK],
      iceUseTcp: false,
    })
    this.#connection.connectionStateChange.subscribe((state) => this.#handleStateChange(state, events))
  }

  get tracks(): ReadonlySet<TrackName> {
    return new Set(this.#senders.keys())
  }

  #handleStateChange(state: RTCPeerConnection['connectionState'], events: PeerEvents): void {
    const end = () => {
      if (this.#hasEnded) return
      this.#hasEnded = true
      events.ended()
    }
    clearTimeout(this.#disconnectTimer)
    if (state === 'connected') events.connected()
    if (state === 'disconnected') this.#disconnectTimer = setTimeout(end, DISCONNECT_TIMEOUT_MS)
    if (state === 'failed' || state === 'closed') end()
  }

  async answer(offerSdp: string): Promise<string> {
    this.#addTracks(offerSdp)
    await this.#connection.setRemoteDescription({
      type: 'offer',
      sdp: filterDescription(offerSdp, REACHABLE_CANDIDATES),
    })
    const answer = await this.#connection.createAnswer()
    await gatherCandidates(this.#connection, () => this.#hasEnded)
    if (!this.#hasEnded) markServerWithoutCandidate(this.#servers, this.#connection)
    await this.#connection.setLocalDescription(answer)
    return this.#connection.localDescription?.sdp ?? ''
  }

  /**
   * Adds the tracks. Main video and audio share a media stream, so that the viewer synchronizes them; the inset has its
   * own media stream.
   */
  #addTracks(offerSdp: string): void {
    const media = new MediaStream()
    const countOffered = (kind: string) => offerSdp.split(`\nm=${kind} `).length - 1
    this.#addTrack('main', 'video', media)
    if (this.#cameraTracks.has('inset') && countOffered('video') > 1)
      this.#addTrack('inset', 'video', new MediaStream())
    if (this.#cameraTracks.has('sound') && countOffered('audio') > 0) this.#addTrack('sound', 'audio', media)
  }

  #addTrack(track: TrackName, kind: 'video' | 'audio', media: MediaStream): void {
    const { sender } = this.#connection.addTransceiver(kind, { direction: 'sendonly', streams: [media] })
    sender.onPictureLossIndication.subscribe(() => this.#events.keyframeWanted(track))
    this.#senders.set(track, { sender, sequence: randomInt(0x8000) })
  }

  async addCandidate(candidate: ReceivedIceCandidate): Promise<void> {
    const reachable = filterCandidate(candidate.candidate, REACHABLE_CANDIDATES)
    if (!reachable) return
    await this.#connection.addIceCandidate({
      candidate: reachable,
      ...(candidate.sdpMid == null ? {} : { sdpMid: candidate.sdpMid }),
      ...(candidate.sdpMLineIndex == null ? {} : { sdpMLineIndex: candidate.sdpMLineIndex }),
    })
  }

  send(track: TrackName, payload: Buffer, timestamp: number, marker: boolean): void {
    const sender = this.#senders.get(track)
    if (!sender) return
    sender.sequence = (sender.sequence + 1) & 0xffff
    const payloadType = PAYLOAD_TYPE[track]
    const header = new RtpHeader({ sequenceNumber: sender.sequence, timestamp, marker, payloadType })
    void sender.sender.sendRtp(new RtpPacket(header, payload))
  }

  close(): void {
    this.#hasEnded = true
    clearTimeout(this.#disconnectTimer)
    void this.#connection.close().catch(() => undefined)
  }
}

export function createWeriftPeer(
  events: PeerEvents,
  cameraTracks: ReadonlySet<TrackName>,
  servers: IceServers = [],
): SenderPeer {
  return new WeriftPeer(events, cameraTracks, servers)
}

/**
 * Opens a loopback connection to create the certificate and compile the code. This shortens the first answer from 84 to
 * 28 ms. Ignores connection errors, and waits at most three seconds for the connection.
 */
export async function warmUpWebRtc(): Promise<void> {
  const viewer = new RTCPeerConnection({
    codecs: { video: [createH264Codec()], audio: [] },
    iceServers: [],
    iceAdditionalHostAddresses: [LOOPBACK],
  })
  const done = Promise.withResolvers<void>()
  const events = { connected: done.resolve, keyframeWanted: () => undefined, ended: done.resolve }
  const peer = createWeriftPeer(events, new Set(['main']))
  const timer = setTimeout(done.resolve, 3000)
  try {
    viewer.addTransceiver('video', { direction: 'recvonly' })
    disableDefaultStunServer(viewer)
    await viewer.setLocalDescription(await viewer.createOffer())
    const answer = await peer.answer(viewer.localDescription?.sdp ?? '')
    await viewer.setRemoteDescription({ type: 'answer', sdp: answer })
    await done.promise
  } catch {
    // Ignore errors: a permanent problem appears again with the first viewer.
  }
  clearTimeout(timer)
  peer.close()
  await viewer.close()
}

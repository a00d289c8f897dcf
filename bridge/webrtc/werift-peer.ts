import { randomInt } from 'node:crypto'
import { MediaStream, RTCPeerConnection, RTCRtpCodecParameters, RtpHeader, RtpPacket, type RTCRtpSender } from 'werift'
import { filterCandidate, filterDescription, type CandidatePolicy } from '../../contract/live/ice-candidates.ts'
import type { IceServers } from '../../contract/live/ice-servers.ts'
import { disableDefaultStunServer, chooseServers, gather, markSilentServer } from './ice-gathering.ts'
import type { Candidate, SenderPeer, PeerEvents, TrackName } from './peer.ts'

/** Constrained baseline, level 3.1: supported by every browser, and the format of the scenes. */
const H264 = () =>
  new RTCRtpCodecParameters({
    mimeType: 'video/H264',
    clockRate: 90_000,
    payloadType: 102,
    rtcpFeedback: [{ type: 'nack' }, { type: 'nack', parameter: 'pli' }, { type: 'ccm', parameter: 'fir' }],
    parameters: 'level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=42e01f',
  })

const OPUS = () =>
  new RTCRtpCodecParameters({
    mimeType: 'audio/opus',
    clockRate: 48_000,
    channels: 2,
    payloadType: 111,
    parameters: 'minptime=10;useinbandfec=1',
  })
/** werift renumbers payload types for each viewer, so these never appear on the wire. */
const PAYLOAD_TYPE: Readonly<Record<TrackName, number>> = { main: 102, inset: 102, sound: 111 }

/** werift omits loopback, which viewers on the same machine need. */
const LOOPBACK = '127.0.0.1'

/**
 * Candidates that the peer sends to; the provider decides who may view. mDNS names cannot be resolved here, but the
 * viewer's connectivity checks still arrive.
 */
const REACHABLE: CandidatePolicy = { lan: true, loopback: true, names: false }

/** A connection that is interrupted for this long has ended. */
const DISCONNECTED_MS = 10_000

class WeriftPeer implements SenderPeer {
  private readonly connection: RTCPeerConnection
  private readonly events: PeerEvents
  private readonly has: ReadonlySet<TrackName>
  private readonly servers: IceServers
  private readonly lanes = new Map<TrackName, { readonly sender: RTCRtpSender; sequence: number }>()
  private over = false
  private lost: NodeJS.Timeout | undefined

  constructor(events: PeerEvents, has: ReadonlySet<TrackName>, servers: IceServers) {
    this.events = events
    this.has = has
    this.servers = servers
    this.connection = new RTCPeerConnection({
      codecs: { video: [H264()], audio: [OPUS()] },
      headerExtensions: { video: [], audio: [] },
      iceServers: chooseServers(servers),
      iceAdditionalHostAddresses: [LOOPBACK],
      iceUseTcp: false,
    })
    this.connection.connectionStateChange.subscribe((state) => this.changed(state, events))
  }

  get tracks(): ReadonlySet<TrackName> {
    return new Set(this.lanes.keys())
  }

  private changed(state: RTCPeerConnection['connectionState'], events: PeerEvents): void {
    const end = () => {
      if (this.over) return
      this.over = true
      events.ended()
    }
    clearTimeout(this.lost)
    if (state === 'connected') events.connected()
    if (state === 'disconnected') this.lost = setTimeout(end, DISCONNECTED_MS)
    if (state === 'failed' || state === 'closed') end()
  }

  async answer(offerSdp: string): Promise<string> {
    this.addTracks(offerSdp)
    await this.connection.setRemoteDescription({ type: 'offer', sdp: filterDescription(offerSdp, REACHABLE) })
    const answer = await this.connection.createAnswer()
    await gather(this.connection, () => this.over)
    if (!this.over) markSilentServer(this.servers, this.connection)
    await this.connection.setLocalDescription(answer)
    return this.connection.localDescription?.sdp ?? ''
  }

  /**
   * Adds the tracks. Main video and audio share a media stream, so that the viewer synchronizes them; the inset has its
   * own media stream.
   */
  private addTracks(offerSdp: string): void {
    const media = new MediaStream()
    const offered = (kind: string) => offerSdp.split(`\nm=${kind} `).length - 1
    this.add('main', 'video', media)
    if (this.has.has('inset') && offered('video') > 1) this.add('inset', 'video', new MediaStream())
    if (this.has.has('sound') && offered('audio') > 0) this.add('sound', 'audio', media)
  }

  private add(track: TrackName, kind: 'video' | 'audio', media: MediaStream): void {
    const { sender } = this.connection.addTransceiver(kind, { direction: 'sendonly', streams: [media] })
    sender.onPictureLossIndication.subscribe(() => this.events.keyframeWanted(track))
    this.lanes.set(track, { sender, sequence: randomInt(0x8000) })
  }

  async addCandidate(candidate: Candidate): Promise<void> {
    const reachable = filterCandidate(candidate.candidate, REACHABLE)
    if (!reachable) return
    await this.connection.addIceCandidate({
      candidate: reachable,
      ...(candidate.sdpMid == null ? {} : { sdpMid: candidate.sdpMid }),
      ...(candidate.sdpMLineIndex == null ? {} : { sdpMLineIndex: candidate.sdpMLineIndex }),
    })
  }

  send(track: TrackName, payload: Buffer, timestamp: number, marker: boolean): void {
    const lane = this.lanes.get(track)
    if (!lane) return
    lane.sequence = (lane.sequence + 1) & 0xffff
    const payloadType = PAYLOAD_TYPE[track]
    const header = new RtpHeader({ sequenceNumber: lane.sequence, timestamp, marker, payloadType })
    void lane.sender.sendRtp(new RtpPacket(header, payload))
  }

  close(): void {
    this.over = true
    clearTimeout(this.lost)
    void this.connection.close().catch(() => undefined)
  }
}

export function weriftPeer(events: PeerEvents, has: ReadonlySet<TrackName>, servers: IceServers = []): SenderPeer {
  return new WeriftPeer(events, has, servers)
}

/**
 * Warms up certificate and compiler with a loopback connection, which cuts the first answer from 84 to 28 ms (measured
 * on a busy machine). Never rejects; resolves after three seconds at most.
 */
export async function warmUpWebRtc(): Promise<void> {
  const viewer = new RTCPeerConnection({
    codecs: { video: [H264()], audio: [] },
    iceServers: [],
    iceAdditionalHostAddresses: [LOOPBACK],
  })
  const done = Promise.withResolvers<void>()
  const events = { connected: done.resolve, keyframeWanted: () => undefined, ended: done.resolve }
  const peer = weriftPeer(events, new Set(['main']))
  const timer = setTimeout(done.resolve, 3000)
  try {
    viewer.addTransceiver('video', { direction: 'recvonly' })
    disableDefaultStunServer(viewer)
    await viewer.setLocalDescription(await viewer.createOffer())
    const answer = await peer.answer(viewer.localDescription?.sdp ?? '')
    await viewer.setRemoteDescription({ type: 'answer', sdp: answer })
    await done.promise
  } catch {
    // Ignore errors here: a lasting problem will also appear with the first viewer.
  }
  clearTimeout(timer)
  peer.close()
  await viewer.close()
}

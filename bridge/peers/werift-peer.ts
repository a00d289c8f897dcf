import { randomInt } from 'node:crypto'
import { RTCPeerConnection, RTCRtpCodecParameters, RtpHeader, RtpPacket, type RTCRtpSender } from 'werift'
import type { Candidate, Peer, PeerEvents } from './peer.ts'

/** Constrained baseline, level 3.1: what every browser decodes, and what the scenes are. */
const H264 = () =>
  new RTCRtpCodecParameters({
    mimeType: 'video/H264',
    clockRate: 90_000,
    payloadType: 102,
    rtcpFeedback: [{ type: 'nack' }, { type: 'nack', parameter: 'pli' }, { type: 'ccm', parameter: 'fir' }],
    parameters: 'level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=42e01f',
  })

/** werift leaves loopback out, which is where a viewer on the same machine is. */
const LOOPBACK = '127.0.0.1'

/** A connection that is interrupted for this long is over. */
const DISCONNECTED_MS = 10_000

class WeriftPeer implements Peer {
  private readonly connection: RTCPeerConnection
  private readonly sender: RTCRtpSender
  private sequence = randomInt(0x8000)
  private over = false
  private lost: NodeJS.Timeout | undefined

  constructor(events: PeerEvents) {
    this.connection = new RTCPeerConnection({
      codecs: { video: [H264()], audio: [] },
      headerExtensions: { video: [], audio: [] },
      iceServers: [],
      iceAdditionalHostAddresses: [LOOPBACK],
      iceUseTcp: false,
    })
    this.sender = this.connection.addTransceiver('video', { direction: 'sendonly' }).sender
    this.connection.connectionStateChange.subscribe((state) => this.changed(state, events))
    this.sender.onPictureLossIndication.subscribe(() => events.keyframeWanted())
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
    await this.connection.setRemoteDescription({ type: 'offer', sdp: withoutLocalNames(offerSdp) })
    await this.connection.setLocalDescription(await this.connection.createAnswer())
    return this.connection.localDescription?.sdp ?? ''
  }

  async addCandidate(candidate: Candidate): Promise<void> {
    if (candidate.candidate === '' || isLocalName(candidate.candidate)) return
    await this.connection.addIceCandidate({
      candidate: candidate.candidate,
      ...(candidate.sdpMid == null ? {} : { sdpMid: candidate.sdpMid }),
      ...(candidate.sdpMLineIndex == null ? {} : { sdpMLineIndex: candidate.sdpMLineIndex }),
    })
  }

  send(payload: Buffer, timestamp: number, marker: boolean): void {
    this.sequence = (this.sequence + 1) & 0xffff
    const header = new RtpHeader({ sequenceNumber: this.sequence, timestamp, marker, payloadType: 102 })
    void this.sender.sendRtp(new RtpPacket(header, payload))
  }

  close(): void {
    this.over = true
    clearTimeout(this.lost)
    void this.connection.close().catch(() => undefined)
  }
}

/** mDNS names of candidates cannot be resolved here; the viewer's checks reach us all the same. */
function isLocalName(candidate: string): boolean {
  return / \S+\.local /.test(`${candidate} `)
}

function withoutLocalNames(sdp: string): string {
  return sdp
    .split('\r\n')
    .filter((line) => !line.startsWith('a=candidate:') || !isLocalName(line))
    .join('\r\n')
}

export const weriftPeer = (events: PeerEvents): Peer => new WeriftPeer(events)

/**
 * Connects once to itself and hangs up, so that the first viewer waits neither for the certificate nor for the compiler:
 * measured on a busy machine, its answer takes 28 instead of 84 ms. Resolves in any case, after three seconds at most.
 */
export async function rehearse(): Promise<void> {
  const viewer = new RTCPeerConnection({
    codecs: { video: [H264()], audio: [] },
    iceAdditionalHostAddresses: [LOOPBACK],
  })
  const done = Promise.withResolvers<void>()
  const peer = weriftPeer({ connected: done.resolve, keyframeWanted: () => undefined, ended: done.resolve })
  const timer = setTimeout(done.resolve, 3000)
  try {
    viewer.addTransceiver('video', { direction: 'recvonly' })
    await viewer.setLocalDescription(await viewer.createOffer())
    const answer = await peer.answer(viewer.localDescription?.sdp ?? '')
    await viewer.setRemoteDescription({ type: 'answer', sdp: answer })
    await done.promise
  } catch {
    // The first viewer will tell.
  }
  clearTimeout(timer)
  peer.close()
  await viewer.close()
}

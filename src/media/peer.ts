import type { Stream } from '../../contract/live.ts'
import { onlyBaseline } from './kvs.ts'

/** A receiving connection whose offer is already being made, so that it costs nothing once the ticket arrives. */
export interface Peer {
  readonly pc: RTCPeerConnection
  readonly video: RTCRtpTransceiver
  /** Null when this browser has no H.264 constrained baseline decoder. */
  offer: Promise<RTCSessionDescriptionInit> | null
}

const spares: Peer[] = []

/** Makes connections ahead of their use: the first ones of a page cost the browser most. */
export function warmPeers(count: number): void {
  while (spares.length < count) spares.push(makePeer())
}

/** Closes the connections that were made ahead and not used. */
export function dropSparePeers(): void {
  for (const { pc } of spares.splice(0)) pc.close()
}

/** A connection with one receiving H.264 track and its offer under way; it belongs to the caller, who closes it. */
export function preparePeer(): Peer {
  return spares.pop() ?? makePeer()
}

function makePeer(): Peer {
  const pc = new RTCPeerConnection({ bundlePolicy: 'max-bundle' })
  const video = pc.addTransceiver('video', { direction: 'recvonly' })
  if (!chooseBaseline(video)) return { pc, video, offer: null }
  return { pc, video, offer: makeOffer(pc) }
}

/** Applies what the ticket says; an offer made before is used again unless the camera also sends sound. */
export async function readyOffer(peer: Peer, iceServers: Stream['ice_servers'], audio: boolean): Promise<string> {
  const { pc } = peer
  if (iceServers.length > 0)
    pc.setConfiguration({ bundlePolicy: 'max-bundle', iceServers: iceServers as RTCIceServer[] })
  if (audio) {
    pc.addTransceiver('audio', { direction: 'recvonly' })
    peer.offer = makeOffer(pc)
  }
  const offer = await peer.offer
  if (!offer) throw new Error('No H.264 decoder.')
  await pc.setLocalDescription(offer)
  return offer.sdp ?? ''
}

/** A peer closed before its turn rejects its offer, which nobody waits for then. */
function makeOffer(pc: RTCPeerConnection): Promise<RTCSessionDescriptionInit> {
  const offer = pc.createOffer()
  offer.catch(() => undefined)
  return offer
}

function chooseBaseline(video: RTCRtpTransceiver): boolean {
  const codecs = onlyBaseline(RTCRtpReceiver.getCapabilities('video')?.codecs ?? [])
  if (codecs.length === 0) return false
  video.setCodecPreferences(codecs)
  if ('jitterBufferTarget' in video.receiver) video.receiver.jitterBufferTarget = 0
  return true
}

/** What the connection knows of itself: frames decoded so far and the round trip of its path, ms. */
export async function readStats(pc: RTCPeerConnection): Promise<{ framesDecoded: number; roundTripMs: number | null }> {
  let framesDecoded = 0
  let roundTripMs: number | null = null
  const report = await pc.getStats()
  report.forEach((entry: Record<string, unknown>) => {
    if (entry.type === 'inbound-rtp' && entry.kind === 'video') framesDecoded += Number(entry.framesDecoded ?? 0)
    if (entry.type === 'candidate-pair' && entry.nominated && typeof entry.currentRoundTripTime === 'number') {
      roundTripMs = entry.currentRoundTripTime * 1000
    }
  })
  return { framesDecoded, roundTripMs }
}

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
  while (spares.length < count && hasWebRtc()) spares.push(makePeer())
}

/** Closes the connections that were made ahead and not used. */
export function dropSparePeers(): void {
  for (const { pc } of spares.splice(0)) pc.close()
}

/** A connection with one receiving H.264 track and its offer under way; it belongs to the caller, who closes it. Null: no WebRTC. */
export function preparePeer(): Peer | null {
  return spares.pop() ?? (hasWebRtc() ? makePeer() : null)
}

const hasWebRtc = () => 'RTCPeerConnection' in globalThis

function makePeer(): Peer {
  const pc = new RTCPeerConnection({ bundlePolicy: 'max-bundle' })
  const video = pc.addTransceiver('video', { direction: 'recvonly' })
  if (!chooseBaseline(video)) return { pc, video, offer: null }
  return { pc, video, offer: makeOffer(pc) }
}

/** Applies what the ticket says; an offer made before is used again unless the camera also sends a second picture or sound. */
export async function readyOffer(peer: Peer, { ice_servers: iceServers, dual, audio }: Stream): Promise<string> {
  const { pc } = peer
  if (iceServers.length > 0)
    pc.setConfiguration({ bundlePolicy: 'max-bundle', iceServers: iceServers as RTCIceServer[] })
  if (dual) chooseBaseline(pc.addTransceiver('video', { direction: 'recvonly' }))
  if (audio) chooseOpus(pc.addTransceiver('audio', { direction: 'recvonly' }))
  if (dual || audio) peer.offer = makeOffer(pc)
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

/** Offers carry at most 10 KB: codecs that no camera sends are left out. */
function chooseOpus(audio: RTCRtpTransceiver): void {
  const codecs = RTCRtpReceiver.getCapabilities('audio')?.codecs ?? []
  audio.setCodecPreferences(codecs.filter(({ mimeType }) => mimeType.toLowerCase() === 'audio/opus'))
}

function chooseBaseline(video: RTCRtpTransceiver): boolean {
  const codecs = onlyBaseline(RTCRtpReceiver.getCapabilities('video')?.codecs ?? [])
  if (codecs.length === 0) return false
  video.setCodecPreferences(codecs)
  if ('jitterBufferTarget' in video.receiver) video.receiver.jitterBufferTarget = 0
  return true
}

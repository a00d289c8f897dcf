import type { LiveStream } from '../../../contract/live/live-calls.ts'
import { filterBaselineCodecs } from './kvs-messages.ts'

/** Receive-only peer connection, with the transceiver of its main video. */
export interface ReceiverPeer {
  readonly pc: RTCPeerConnection
  readonly video: RTCRtpTransceiver
}

/**
 * Creates a peer connection without ICE servers; the caller must close it. Returns null in a browser without WebRTC.
 */
export function createReceiverPeer(): ReceiverPeer | null {
  if (!('RTCPeerConnection' in globalThis)) return null
  const pc = new RTCPeerConnection({ bundlePolicy: 'max-bundle' })
  return { pc, video: pc.addTransceiver('video', { direction: 'recvonly' }) }
}

/**
 * Creates an offer for one H.264 video, plus inset and audio if the camera sends them. Sets the offer as the local
 * description and returns its SDP. Rejects if the browser has no H.264 decoder.
 */
export async function createOffer(
  { pc, video }: ReceiverPeer,
  { ice_servers, dual, audio }: LiveStream,
): Promise<string> {
  if (ice_servers.length > 0)
    pc.setConfiguration({ bundlePolicy: 'max-bundle', iceServers: ice_servers as RTCIceServer[] })
  if (!preferBaseline(video)) throw new Error('No H.264 decoder.')
  if (dual) preferBaseline(pc.addTransceiver('video', { direction: 'recvonly' }))
  if (audio) preferOpus(pc.addTransceiver('audio', { direction: 'recvonly' }))
  const offer = await pc.createOffer()
  await pc.setLocalDescription(offer)
  return offer.sdp ?? ''
}

/** Keeps only Opus: an offer can be at most 10 KB, so codecs that no camera sends are omitted. */
function preferOpus(audio: RTCRtpTransceiver): void {
  const codecs = RTCRtpReceiver.getCapabilities('audio')?.codecs ?? []
  audio.setCodecPreferences(codecs.filter(({ mimeType }) => mimeType.toLowerCase() === 'audio/opus'))
}

function preferBaseline(video: RTCRtpTransceiver): boolean {
  const codecs = filterBaselineCodecs(RTCRtpReceiver.getCapabilities('video')?.codecs ?? [])
  if (codecs.length === 0) return false
  video.setCodecPreferences(codecs)
  if ('jitterBufferTarget' in video.receiver) video.receiver.jitterBufferTarget = 0
  return true
}

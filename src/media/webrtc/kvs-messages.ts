import { is, safeParse } from 'valibot'
import {
  cameraStatePayload,
  decodePayload,
  encodePayload,
  SIGNALING_PAYLOAD_MAX,
  signalFromService,
  type CameraStatePayload,
} from '../../../contract/live/signaling.ts'
import type { SignalToService } from '../../../contract/live/viewer-messages.ts'

export type Signal =
  | { kind: 'answer'; sdp: string }
  | { kind: 'candidate'; candidate: RTCIceCandidateInit }
  | { kind: 'camera'; camera: CameraStatePayload }
  /** A rendition was chosen for all viewers. */
  | { kind: 'chosen'; name: string }
  | { kind: 'refused'; statusCode: string; text: string }
  | { kind: 'unknown' }

const UNKNOWN_SIGNAL: Signal = { kind: 'unknown' }

/**
 * Parses a text message of the signaling socket. Returns kind `unknown` for a message that is invalid or has an unknown
 * type; never throws.
 */
export function parseSignal(text: string): Signal {
  const parsed = safeParse(signalFromService, parseJson(text))
  if (!parsed.success) return UNKNOWN_SIGNAL
  const { messageType, messagePayload, statusResponse } = parsed.output
  if (messageType === 'STATUS_RESPONSE') {
    return statusResponse
      ? { kind: 'refused', statusCode: statusResponse.statusCode, text: statusResponse.description }
      : UNKNOWN_SIGNAL
  }
  return parsePayload(messageType, safeDecode(messagePayload))
}

function parsePayload(messageType: string, payload: unknown): Signal {
  if (!isRecord(payload)) return UNKNOWN_SIGNAL
  if (messageType === 'SDP_ANSWER' && typeof payload.sdp === 'string') return { kind: 'answer', sdp: payload.sdp }
  if (messageType === 'ICE_CANDIDATE' && typeof payload.candidate === 'string') {
    return { kind: 'candidate', candidate: parseCandidate(payload.candidate, payload) }
  }
  if (messageType === 'CAMERA_STATE' && is(cameraStatePayload, payload)) return { kind: 'camera', camera: payload }
  if (messageType === 'RENDITION' && typeof payload.name === 'string') return { kind: 'chosen', name: payload.name }
  return UNKNOWN_SIGNAL
}

function parseCandidate(candidate: string, payload: Record<string, unknown>): RTCIceCandidateInit {
  const { sdpMid, sdpMLineIndex } = payload
  return {
    candidate,
    sdpMid: typeof sdpMid === 'string' ? sdpMid : null,
    sdpMLineIndex: typeof sdpMLineIndex === 'number' ? sdpMLineIndex : 0,
  }
}

/** Builds the offer message. Throws RangeError if the encoded offer exceeds the service's payload limit. */
export function createOfferMessage(sdp: string, correlationId: string): string {
  const messagePayload = encodePayload({ type: 'offer', sdp })
  if (messagePayload.length > SIGNALING_PAYLOAD_MAX)
    throw new RangeError(`Offer too large: ${messagePayload.length} bytes.`)
  return serialize({ action: 'SDP_OFFER', messagePayload, correlationId })
}

export function createCandidateMessage({ candidate, sdpMid, sdpMLineIndex }: RTCIceCandidateInit): string {
  return serialize({ action: 'ICE_CANDIDATE', messagePayload: encodePayload({ candidate, sdpMid, sdpMLineIndex }) })
}

/** Filters for H.264 constrained baseline with packetization-mode 1, the one codec that every camera sends. */
export function filterBaselineCodecs<Codec extends { mimeType: string; sdpFmtpLine?: string }>(
  codecs: readonly Codec[],
): Codec[] {
  return codecs.filter(({ mimeType, sdpFmtpLine = '' }) => {
    const profile = /profile-level-id=([0-9a-f]{6})/i.exec(sdpFmtpLine)?.[1]?.toLowerCase()
    return (
      mimeType.toLowerCase() === 'video/h264' && /packetization-mode=1/.test(sdpFmtpLine) && /^42e0/.test(profile ?? '')
    )
  })
}

const serialize = (message: SignalToService): string => JSON.stringify(message)
const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function safeDecode(payload: string): unknown {
  try {
    return decodePayload(payload)
  } catch {
    return undefined
  }
}

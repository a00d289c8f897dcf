import { is, safeParse } from 'valibot'
import {
  cameraStatePayload,
  decodePayload,
  encodePayload,
  SIGNALING_PAYLOAD_MAX,
  signalIn,
  type CameraStatePayload,
} from '../../../contract/live/signaling.ts'
import type { SignalOut } from '../../../contract/live/viewer-messages.ts'

export type Signal =
  | { kind: 'answer'; sdp: string }
  | { kind: 'candidate'; candidate: RTCIceCandidateInit }
  | { kind: 'camera'; camera: CameraStatePayload }
  /** A rendition was chosen for all viewers. */
  | { kind: 'chosen'; name: string }
  | { kind: 'refused'; statusCode: string; text: string }
  | { kind: 'unknown' }

const unknown: Signal = { kind: 'unknown' }

/**
 * Parses a text message of the signaling socket. Returns `unknown` for anything outside the KVS shapes; never throws.
 */
export function readSignal(text: string): Signal {
  const parsed = safeParse(signalIn, parseJson(text))
  if (!parsed.success) return unknown
  const { messageType, messagePayload, statusResponse } = parsed.output
  if (messageType === 'STATUS_RESPONSE') {
    return statusResponse
      ? { kind: 'refused', statusCode: statusResponse.statusCode, text: statusResponse.description }
      : unknown
  }
  return readPayload(messageType, safeDecode(messagePayload))
}

function readPayload(messageType: string, payload: unknown): Signal {
  if (!isRecord(payload)) return unknown
  if (messageType === 'SDP_ANSWER' && typeof payload.sdp === 'string') return { kind: 'answer', sdp: payload.sdp }
  if (messageType === 'ICE_CANDIDATE' && typeof payload.candidate === 'string') {
    return { kind: 'candidate', candidate: readCandidate(payload.candidate, payload) }
  }
  if (messageType === 'CAMERA_STATE' && is(cameraStatePayload, payload)) return { kind: 'camera', camera: payload }
  if (messageType === 'RENDITION' && typeof payload.name === 'string') return { kind: 'chosen', name: payload.name }
  return unknown
}

function readCandidate(candidate: string, payload: Record<string, unknown>): RTCIceCandidateInit {
  const { sdpMid, sdpMLineIndex } = payload
  return {
    candidate,
    sdpMid: typeof sdpMid === 'string' ? sdpMid : null,
    sdpMLineIndex: typeof sdpMLineIndex === 'number' ? sdpMLineIndex : 0,
  }
}

/** Builds the offer message. Throws RangeError if it exceeds the service's payload limit. */
export function offerMessage(sdp: string, correlationId: string): string {
  const messagePayload = encodePayload({ type: 'offer', sdp })
  if (messagePayload.length > SIGNALING_PAYLOAD_MAX) throw new RangeError(`Offer of ${messagePayload.length} bytes.`)
  return write({ action: 'SDP_OFFER', messagePayload, correlationId })
}

export function candidateMessage({ candidate, sdpMid, sdpMLineIndex }: RTCIceCandidateInit): string {
  return write({ action: 'ICE_CANDIDATE', messagePayload: encodePayload({ candidate, sdpMid, sdpMLineIndex }) })
}

/** Filters for H.264 constrained baseline with packetization-mode 1: the one codec that every camera sends. */
export function onlyBaseline<Codec extends { mimeType: string; sdpFmtpLine?: string }>(
  codecs: readonly Codec[],
): Codec[] {
  return codecs.filter(({ mimeType, sdpFmtpLine = '' }) => {
    const level = /profile-level-id=([0-9a-f]{6})/i.exec(sdpFmtpLine)?.[1]?.toLowerCase()
    return (
      mimeType.toLowerCase() === 'video/h264' && /packetization-mode=1/.test(sdpFmtpLine) && /^42e0/.test(level ?? '')
    )
  })
}

const write = (message: SignalOut): string => JSON.stringify(message)
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

import * as v from 'valibot'
import { cameraState } from '../cameras/devices.ts'

/**
 * Maximum characters of a payload, which is base64 of JSON. Signaling messages have the shapes of Kinesis Video
 * Streams.
 */
export const SIGNALING_PAYLOAD_MAX = 10_000

/**
 * Message from the provider (the service) to a viewer or to the bridge (the master). `CAMERA_STATE` and `RENDITION` are
 * Porchlight's extensions. The payload of `CAMERA_STATE` is a `CameraStatePayload`, sent on connect and on every
 * change.
 */
export const signalFromService = v.object({
  messageType: v.picklist(['SDP_OFFER', 'SDP_ANSWER', 'ICE_CANDIDATE', 'STATUS_RESPONSE', 'CAMERA_STATE', 'RENDITION']),
  messagePayload: v.string(),
  senderClientId: v.optional(v.string()),
  statusResponse: v.optional(
    v.object({
      correlationId: v.optional(v.string()),
      errorType: v.string(),
      statusCode: v.string(),
      description: v.string(),
    }),
  ),
})
export type SignalFromService = v.InferOutput<typeof signalFromService>

/**
 * `reason`: sentence that tells the owner why the camera sends no video or records nothing; '' if all is well. `since`:
 * ms UTC.
 */
export const cameraStatePayload = v.object({ state: cameraState, reason: v.string(), since: v.number() })
export type CameraStatePayload = v.InferOutput<typeof cameraStatePayload>

/** Returns a JSON value as base64 of its UTF-8 bytes, the format of `messagePayload`. */
export function encodePayload(value: unknown): string {
  const bytes = new TextEncoder().encode(JSON.stringify(value))
  return btoa(String.fromCharCode(...bytes))
}

/**
 * Returns the JSON value inside a `messagePayload`. Throws `SyntaxError` or `InvalidCharacterError` if it is malformed.
 */
export function decodePayload(payload: string): unknown {
  const bytes = Uint8Array.from(atob(payload), (c) => c.charCodeAt(0))
  return JSON.parse(new TextDecoder().decode(bytes))
}

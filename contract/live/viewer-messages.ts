import * as v from 'valibot'
import { SIGNALING_PAYLOAD_MAX } from './signaling.ts'

const SIGNALING_ID = /^[a-zA-Z0-9_.-]{1,256}$/

/**
 * Message from a viewer or the master (the bridge) to the service. `RENDITION` is Porchlight's extension. A viewer
 * sends it after its offer to request a rendition from the next keyframe on, at most the maximum of `setResolution`;
 * the bridge ignores unknown names. The bridge sends it to announce a new maximum.
 */
export const signalToService = v.object({
  action: v.picklist(['SDP_OFFER', 'SDP_ANSWER', 'ICE_CANDIDATE', 'RENDITION']),
  messagePayload: v.pipe(v.string(), v.maxLength(SIGNALING_PAYLOAD_MAX)),
  recipientClientId: v.optional(v.pipe(v.string(), v.regex(SIGNALING_ID))),
  correlationId: v.optional(v.pipe(v.string(), v.regex(SIGNALING_ID))),
})
export type SignalToService = v.InferOutput<typeof signalToService>

import * as v from 'valibot'
import { SIGNALING_PAYLOAD_MAX } from './signaling.ts'

const SIGNALING_ID_PATTERN = /^[a-zA-Z0-9_.-]{1,256}$/

/**
 * Message from a viewer or the bridge (the master) to the provider (the service). `RENDITION` is Porchlight's
 * extension. A viewer sends `RENDITION` after its offer to request a rendition. The bridge limits this rendition to the
 * maximum of `setResolution`, switches at a keyframe, and ignores unknown names. The bridge sends `RENDITION` to
 * announce a new maximum.
 */
export const signalToService = v.object({
  action: v.picklist(['SDP_OFFER', 'SDP_ANSWER', 'ICE_CANDIDATE', 'RENDITION']),
  messagePayload: v.pipe(v.string(), v.maxLength(SIGNALING_PAYLOAD_MAX)),
  recipientClientId: v.optional(v.pipe(v.string(), v.regex(SIGNALING_ID_PATTERN))),
  correlationId: v.optional(v.pipe(v.string(), v.regex(SIGNALING_ID_PATTERN))),
})
export type SignalToService = v.InferOutput<typeof signalToService>

import * as v from 'valibot'
import { SIGNALING_PAYLOAD_MAX } from './signaling.ts'

const SIGNALING_ID = /^[a-zA-Z0-9_.-]{1,256}$/

/**
 * Viewer or master → service. `RENDITION` is Porchlight's extension, sent after the offer. From a viewer, it requests a
 * rendition from its next keyframe on, at most the maximum of `setResolution`; unknown names are ignored. From the
 * camera, it announces a new maximum.
 */
export const signalToService = v.object({
  action: v.picklist(['SDP_OFFER', 'SDP_ANSWER', 'ICE_CANDIDATE', 'RENDITION']),
  messagePayload: v.pipe(v.string(), v.maxLength(SIGNALING_PAYLOAD_MAX)),
  recipientClientId: v.optional(v.pipe(v.string(), v.regex(SIGNALING_ID))),
  correlationId: v.optional(v.pipe(v.string(), v.regex(SIGNALING_ID))),
})
export type SignalToService = v.InferOutput<typeof signalToService>

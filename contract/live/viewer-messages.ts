import * as v from 'valibot'
import { SIGNALING_PAYLOAD_MAX } from './signaling.ts'

const SIGNALING_ID = /^[a-zA-Z0-9_.-]{1,256}$/

/**
 * Viewer or master → service. `RENDITION` is ours, its payload names one. From a viewer: it shall be shown in this one from
 * its next keyframe on; names that the camera does not have are left alone, one above the camera's chosen rendition
 * (`setResolution`) means that one, and it follows the offer. From the camera: this one was chosen for all who watch.
 */
export const signalOut = v.object({
  action: v.picklist(['SDP_OFFER', 'SDP_ANSWER', 'ICE_CANDIDATE', 'RENDITION']),
  messagePayload: v.pipe(v.string(), v.maxLength(SIGNALING_PAYLOAD_MAX)),
  recipientClientId: v.optional(v.pipe(v.string(), v.regex(SIGNALING_ID))),
  correlationId: v.optional(v.pipe(v.string(), v.regex(SIGNALING_ID))),
})
export type SignalOut = v.InferOutput<typeof signalOut>

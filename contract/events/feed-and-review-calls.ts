import * as v from 'valibot'
import { call } from '../wire/call.ts'
import { deviceId, envelope, id, ms, text } from '../wire/envelope.ts'
import { cameraState } from '../live/signaling.ts'

/**
 * Calls beyond the CALL requirements: web back-end host, raw Authorization and request_id, unsigned, nonce on writes.
 */

/** Single-use URL of the home feed, valid for 60 s. */
export const feedTicket = call(
  'EXT-feed-ticket',
  'POST',
  '/extension/feed-ticket',
  'extension',
  { request: v.object({}), response: envelope(200, v.object({ url: v.string() })) },
  { nonce: true },
)

/** Marks events as reviewed, or as unreviewed with `reviewed: false`. The feed notifies every open page of the home. */
export const reviewEvents = call(
  'EXT-review',
  'POST',
  '/extension/review',
  'extension',
  {
    request: v.object({
      event_ids: v.pipe(v.array(id), v.minLength(1), v.maxLength(500)),
      reviewed: v.optional(v.boolean(), true),
    }),
    /** Number of ids that are events visible to the account. */
    response: envelope(200, v.object({ reviewed: v.number() })),
  },
  { nonce: true },
)

/**
 * State history of a camera: gapless runs, oldest first, clipped to the range and to now. Empty before the camera was
 * known.
 */
export const cameraStates = call(
  'EXT-camera-states',
  'POST',
  '/extension/camera-states',
  'extension',
  {
    request: v.object({ device_id: deviceId, begin_time: ms, end_time: ms }),
    response: envelope(
      200,
      v.object({ runs: v.array(v.object({ from: ms, to: ms, state: cameraState, reason: text(300) })) }),
    ),
  },
  { nonce: true },
)

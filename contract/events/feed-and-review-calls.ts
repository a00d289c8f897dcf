import * as v from 'valibot'
import { call } from '../wire/call.ts'
import { deviceId, envelope, id, ms, text } from '../wire/envelope.ts'
import { cameraState } from '../live/signaling.ts'

/** Calls beyond the rows CALL: web back-end host, raw Authorization and request_id, unsigned, nonce on writes. */

/** A single-use address of the home feed, valid for 60 s. */
export const feedTicket = call(
  'EXT-feed-ticket',
  'POST',
  '/extension/feed-ticket',
  'extension',
  { request: v.object({}), response: envelope(200, v.object({ url: v.string() })) },
  { nonce: true },
)

/** Marks events as seen, or as not seen with `reviewed: false`; every open page of the home hears of it through the feed. */
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
    /** How many of the ids are events that the account may see. */
    response: envelope(200, v.object({ reviewed: v.number() })),
  },
  { nonce: true },
)

/**
 * What a camera did in a time range: gapless runs, oldest first, cut to the range; the last one to now at most. Empty before
 * the camera was known.
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

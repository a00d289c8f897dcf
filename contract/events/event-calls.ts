import * as v from 'valibot'
import { call } from '../wire/call.ts'
import { deviceId, envelope, id, timestampMs, text } from '../wire/envelope.ts'
import { event } from './events.ts'

/** Calls about single events, clips and retention periods. Pages make these calls after the event list has loaded. */

export const getEvent = call(
  'CALL-24',
  'POST',
  '/app/v4/device/get-event',
  'v4-event',
  { request: v.object({ event_id: id, device_id: deviceId }), response: envelope(200, event) },
  { nonce: true },
)

const replayRequest = v.object({
  device_id: deviceId,
  product_model: text(64),
  start_time: v.pipe(v.string(), v.regex(/^\d{1,16}$/)),
  end_time: v.pipe(v.string(), v.regex(/^\d{1,16}$/)),
  resource_version: v.pipe(v.string(), v.regex(/^\d{1,4}$/)),
  resource_type: v.picklist(['kvs', 'wvs', 's3']),
  is_live: v.picklist(['true', 'false']),
})
/**
 * Playable URL of a clip: absolute, signed, valid for 5 minutes. `mime`: `video/mp4` from `replayArchive` for an `s3`
 * resource; otherwise `HLS_MEDIA_TYPE` (media-urls.ts) for an HLS playlist. 404: no clip at that time.
 */
const replayResponse = envelope(
  200,
  v.object({
    replay_url: v.string(),
    mime: text(60),
    /** Detections in the clip for `parseDetections` (detections.ts); left out if unknown. */
    found: v.optional(v.unknown()),
  }),
)

export const replayArchive = call('CALL-26', 'GET', '/replays/archive/replay_url', 'replays', {
  request: replayRequest,
  response: replayResponse,
})
/**
 * Like `replayArchive`, but for a clip that may still be uploading (`is_live` is `true`). Returns the URL of a
 * playlist. Pages reload the playlist until it has an end tag (`#EXT-X-ENDLIST`), which means that the clip is stored.
 */
export const replayLive = call('CALL-25', 'GET', '/replays/live/replay_url', 'replays', {
  request: replayRequest,
  response: replayResponse,
})

export const getEventTags = call(
  'CALL-36',
  'POST',
  '/app/v4/device/get-event-tags',
  'v4-event',
  {
    request: v.object({}),
    response: envelope(
      200,
      v.array(
        v.object({
          id: text(20),
          name: text(60),
          kind: v.picklist(['motion', 'sound', 'face', 'other']),
          icon: text(40),
        }),
      ),
    ),
  },
  { nonce: true },
)

export const EVENT_IDS_MAX = 500
export const ANOMALY_IDS_MAX = 200

/** Returns events in the order of the ids; missing or invisible ones are left out. */
export const getEventListByIds = call('CALL-39', 'POST', '/app/v4/device/get-event-list-by-ids', 'v4-event', {
  request: v.object({ event_id_list: v.pipe(v.array(id), v.maxLength(EVENT_IDS_MAX)) }),
  response: envelope(200, v.object({ event_list: v.array(event) })),
})

/**
 * Returns the longest retention period in the account's own home, or that of the free plan if the account has no own
 * home. Also returns the retention period of each camera. All periods are in days. `include_shared` adds cameras of
 * homes in which the account is only a guest. Events before `kept_since` (ms UTC) are hidden and later deleted.
 */
export const retentionPolicy = call('CALL-40', 'GET', '/user/retention-policy', 'ai-subscription', {
  request: v.object({ include_shared: v.optional(v.picklist(['true', 'false']), 'false') }),
  response: envelope(
    200,
    v.object({
      days: v.number(),
      kept_since: timestampMs,
      devices: v.array(
        v.object({
          device_id: deviceId,
          days: v.number(),
          kept_since: timestampMs,
          /** Clips before this time were deleted to free up space. Missing from earlier providers. */
          freed_until: v.optional(v.nullable(timestampMs)),
          /** Limit in days that the owner set for the camera. Missing from earlier providers. */
          max_days: v.optional(v.nullable(v.number())),
        }),
      ),
    }),
  ),
})

/**
 * Returns for each event whether it is unusual for its camera and time of day. `text`: one sentence about an unusual
 * event; '' for a usual one. Leaves out events that the account may not see.
 */
export const anomalyBatch = call(
  'CALL-43',
  'POST',
  '/events/anomaly/batch',
  'event-da',
  {
    request: v.object({ event_ids: v.pipe(v.array(id), v.maxLength(ANOMALY_IDS_MAX)) }),
    response: envelope(
      200,
      v.object({ anomalies: v.array(v.object({ event_id: id, anomaly: v.boolean(), text: text(200) })) }),
    ),
  },
  { nonce: true },
)

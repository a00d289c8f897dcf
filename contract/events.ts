import * as v from 'valibot'
import { call } from './call.ts'
import { EVENT_QUERY_COUNT, ORDER_NEWEST_FIRST } from './constants.ts'
import { deviceId, envelope, id, ms, text } from './envelope.ts'

/** A recording that belongs to an event. Times in ms UTC. */
export const eventResource = v.object({
  begin_time: ms,
  end_time: ms,
  resource_version: v.number(),
  resource_type: v.picklist(['kvs', 'wvs', 's3']),
})
export type EventResource = v.InferOutput<typeof eventResource>

/** Something that happened in front of a camera (spec §3 Event). `event_ts` is its beginning, ms UTC. */
export const event = v.object({
  event_id: id,
  device_id: deviceId,
  event_ts: ms,
  /** Tag ids as digit strings; names in event-tags.ts. */
  tags: v.array(text(20)),
  /** Detected values: words, sound categories, names of people (OPEN-64). */
  event_values: v.array(text(80)),
  /** What to call it: "Person with a box". */
  title: text(120),
  event_resources: v.array(eventResource),
  /** `uploading`: recorded, but still on its way from the bridge; left out: by whether there are resources. */
  clip_state: v.optional(v.picklist(['ready', 'uploading', 'none'])),
  /** Whether somebody of the home has opened it. */
  reviewed: v.boolean(),
})
export type Event = v.InferOutput<typeof event>

const listRequest = v.object({
  begin_time: ms,
  end_time: ms,
  count: v.literal(EVENT_QUERY_COUNT),
  device_id_list: v.pipe(v.array(deviceId), v.maxLength(99)),
  event_tag_list: v.pipe(v.array(text(20)), v.maxLength(50)),
  event_value_list: v.pipe(v.array(text(80)), v.maxLength(50)),
  order_by: v.literal(ORDER_NEWEST_FIRST),
})
export type EventListRequest = v.InferOutput<typeof listRequest>

/** One question of the event lists or the timeline may span this much at most: 62 days, 2 more than any plan keeps. */
export const EVENT_SPAN_MAX_MS = 62 * 86_400_000

/**
 * Newest first. `device_id_list` empty means every camera that the user may see; the tag lists empty mean no filter. A
 * longer span than `EVENT_SPAN_MAX_MS` is answered with code 3056 (HTTP 400): ask for a smaller range.
 */
const listSchemas = { request: listRequest, response: envelope(200, v.object({ event_list: v.array(event) })) }

/** Paid view (OPEN-62). */
export const eventHistory = call('CALL-37', 'POST', '/backend/event/history', 'web-backend', listSchemas, {
  nonce: true,
  userId: true,
})
/** Free view (OPEN-62). */
export const getEventList = call('CALL-38', 'POST', '/app/v4/device/get-event-list', 'v4-event', listSchemas, {
  nonce: true,
})

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
 * A playable address of a clip: absolute, signed, valid for 5 minutes. `mime` says what it is: `video/mp4` for an `s3`
 * resource, an HLS playlist (`HLS_TYPE` of media.ts) for `kvs` and `wvs`. 404: nothing was recorded then.
 */
const replayResponse = envelope(200, v.object({ replay_url: v.string(), mime: text(60) }))

export const replayArchive = call('CALL-26', 'GET', '/replays/archive/replay_url', 'replays', {
  request: replayRequest,
  response: replayResponse,
})
/**
 * The same of a clip that may still be on its way (`is_live` `true`): always a playlist. It stays open, to be loaded again,
 * until the clip is stored, then it lists the clip and ends.
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

/** In the order of the ids; those that are not there, or may not be seen, are left out. */
export const getEventListByIds = call('CALL-39', 'POST', '/app/v4/device/get-event-list-by-ids', 'v4-event', {
  request: v.object({ event_id_list: v.pipe(v.array(id), v.maxLength(500)) }),
  response: envelope(200, v.object({ event_list: v.array(event) })),
})

/**
 * How long the plans keep what cameras record: `days` of the account's own home (of the plan without services where it has
 * none), and of each camera by the plan of its owner. With `include_shared` cameras of other homes too. What is older than
 * `kept_since` (ms UTC) is deleted.
 */
export const retentionPolicy = call('CALL-40', 'GET', '/user/retention-policy', 'ai-subscription', {
  request: v.object({ include_shared: v.optional(v.picklist(['true', 'false']), 'false') }),
  response: envelope(
    200,
    v.object({
      days: v.number(),
      kept_since: ms,
      devices: v.array(v.object({ device_id: deviceId, days: v.number(), kept_since: ms })),
    }),
  ),
})

/** Which of the events are unusual for their camera and time of day, with one sentence; ids that may not be seen are left out. */
export const anomalyBatch = call(
  'CALL-43',
  'POST',
  '/events/anomaly/batch',
  'event-da',
  {
    request: v.object({ event_ids: v.pipe(v.array(id), v.maxLength(200)) }),
    response: envelope(
      200,
      v.object({ anomalies: v.array(v.object({ event_id: id, anomaly: v.boolean(), text: text(200) })) }),
    ),
  },
  { nonce: true },
)

import * as v from 'valibot'
import { call, later } from './call.ts'
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

/** Newest first. `device_id_list` empty means every camera that the user may see; the tag lists empty mean no filter. */
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
/** A playable address of a clip: absolute, signed, valid for 5 minutes. */
const replayResponse = envelope(200, v.object({ replay_url: v.string(), mime: text(60) }))

export const replayArchive = call('CALL-26', 'GET', '/replays/archive/replay_url', 'replays', {
  request: replayRequest,
  response: replayResponse,
})
export const replayLive = later('CALL-25', 'GET', '/replays/live/replay_url', 'replays')

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

export const getEventListByIds = later('CALL-39', 'POST', '/app/v4/device/get-event-list-by-ids', 'v4-event')
export const retentionPolicy = later('CALL-40', 'GET', '/user/retention-policy', 'ai-subscription')
export const anomalyBatch = later('CALL-43', 'POST', '/events/anomaly/batch', 'event-da', { nonce: true })

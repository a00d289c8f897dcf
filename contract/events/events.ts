import * as v from 'valibot'
import { call } from '../wire/call.ts'
import { EVENT_QUERY_COUNT, ORDER_NEWEST_FIRST } from '../wire/constants.ts'
import { deviceId, envelope, id, timestampMs, text } from '../wire/envelope.ts'
import { DAY_MS, MINUTE_MS } from '../time-units.ts'

/** Clip of an event. Times in ms UTC. */
export const eventResource = v.object({
  begin_time: timestampMs,
  end_time: timestampMs,
  resource_version: v.number(),
  resource_type: v.picklist(['kvs', 'wvs', 's3']),
})
export type EventResource = v.InferOutput<typeof eventResource>

/** Event that a camera detected (EVENT-16). `event_ts` is its start, ms UTC. */
export const event = v.object({
  event_id: id,
  device_id: deviceId,
  event_ts: timestampMs,
  /** Tag ids as digit strings; names in event-tags.ts. */
  tags: v.array(text(20)),
  /** Detected values: words, sound categories, names of people (OPEN-64). */
  event_values: v.array(text(80)),
  title: text(120),
  event_resources: v.array(eventResource),
  /**
   * `uploading`: the bridge has not uploaded the recorded clip yet. If omitted, the event has a clip only if
   * `event_resources` contains one.
   */
  clip_state: v.optional(v.picklist(['ready', 'uploading', 'none'])),
  /** True if an account that can see the event has opened it or marked it as reviewed. */
  reviewed: v.boolean(),
})
export type Event = v.InferOutput<typeof event>

/** Clips of one camera form one visit if the gaps between them are shorter than this. */
export const VISIT_GAP_MS = MINUTE_MS

const listRequest = v.object({
  begin_time: timestampMs,
  end_time: timestampMs,
  count: v.literal(EVENT_QUERY_COUNT),
  device_id_list: v.pipe(v.array(deviceId), v.maxLength(99)),
  event_tag_list: v.pipe(v.array(text(20)), v.maxLength(50)),
  event_value_list: v.pipe(v.array(text(80)), v.maxLength(50)),
  order_by: v.literal(ORDER_NEWEST_FIRST),
})
export type EventListRequest = v.InferOutput<typeof listRequest>

/**
 * Maximum span of one event list or timeline request: 62 days, which is 2 days longer than the longest retention period
 * of a plan.
 */
export const EVENT_SPAN_MAX_MS = 62 * DAY_MS

/**
 * Request and response of the event lists, newest event first. An empty `device_id_list` means every visible camera,
 * and an empty `event_tag_list` or `event_value_list` means no filter. A span above `EVENT_SPAN_MAX_MS` fails with code
 * 3056 (HTTP 400).
 */
const listSchemas = { request: listRequest, response: envelope(200, v.object({ event_list: v.array(event) })) }

/** Event list of the paid view (OPEN-62). */
export const eventHistory = call('CALL-37', 'POST', '/backend/event/history', 'web-backend', listSchemas, {
  nonce: true,
  userId: true,
})
/** Event list of the free view (OPEN-62). */
export const getEventList = call('CALL-38', 'POST', '/app/v4/device/get-event-list', 'v4-event', listSchemas, {
  nonce: true,
})

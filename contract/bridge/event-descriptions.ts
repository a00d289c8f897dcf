import * as v from 'valibot'
import { moments } from './bridge-protocol.ts'
import { deviceId, id, timestampMs, text } from '../wire/envelope.ts'
import { event } from '../events/events.ts'

/**
 * Source of a description: the `camera`, a `model` that analyzed the clip, or a `person`. `model`: name of the source.
 * `at`: ms UTC by the provider's clock; 422 outside `EVENT_TIME_LIMITS`.
 */
export const describer = v.object({
  kind: v.picklist(['camera', 'model', 'person']),
  model: v.pipe(text(80), v.trim(), v.minLength(1)),
  at: timestampMs,
})

/**
 * Describes an event seconds or weeks after it was posted. The description with the newest `by.at` wins; data posted
 * with the event counts as oldest. Empty `moments` are a valid description. The response is also 200 if the description
 * is ignored, because it is not the newest or the event is permanently deleted. 404: the event is unknown, or its
 * tombstone was deleted. Earlier providers lack this call.
 */
export const postMomentsRequest = v.object({
  device_id: deviceId,
  event_id: id,
  moments,
  /** Tag ids, as in an event. They replace the event's tags. */
  tags: v.pipe(event.entries.tags, v.maxLength(50)),
  values: v.pipe(event.entries.event_values, v.maxLength(50)),
  /** New title. If omitted, the event gets the title with which it was posted. */
  title: v.optional(event.entries.title),
  by: describer,
})
export type PostMomentsRequest = v.InferOutput<typeof postMomentsRequest>

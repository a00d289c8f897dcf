import * as v from 'valibot'
import { moments } from './bridge-protocol.ts'
import { deviceId, id, ms, text } from '../wire/envelope.ts'
import { event } from '../events/events.ts'

/**
 * Source of a description: the `camera`, a `model` that analyzed the clip, or a `person`. `model`: its name, free text.
 * `at`: ms UTC by the provider's clock; an impossible time (`EVENT_TIMES`) is rejected with 422.
 */
export const describer = v.object({
  kind: v.picklist(['camera', 'model', 'person']),
  model: v.pipe(text(80), v.trim(), v.minLength(1)),
  at: ms,
})

/**
 * Describes an event after it was posted, seconds or weeks later. The description with the newest `by.at` wins; an
 * older or equal one changes nothing and gets 200. Data posted with the event counts as oldest. Empty `moments` mean
 * that there is nothing to report, which is a description too. 404: the event is unknown (post it first) or was deleted
 * too long ago. All other events get 200: a deleted event that can be restored stores the text without a notification,
 * a permanently deleted event stores nothing, and an event may be hidden by the plan. Earlier providers lack this call.
 */
export const postMoments = v.object({
  device_id: deviceId,
  event_id: id,
  moments,
  /** Replaces the event's tags; ids as in an event. */
  tags: v.pipe(event.entries.tags, v.maxLength(50)),
  values: v.pipe(event.entries.event_values, v.maxLength(50)),
  /** Left out: the event keeps its posted title. */
  title: v.optional(event.entries.title),
  by: describer,
})
export type PostMoments = v.InferOutput<typeof postMoments>

import * as v from 'valibot'
import { moments } from './bridge-protocol.ts'
import { deviceId, id, ms, text } from '../wire/envelope.ts'
import { event } from '../events/events.ts'

/**
 * Who says what a clip shows: the `camera` itself, a `model` that has looked at it, or a `person`. `model`: which one, in words of
 * its own; `at`: when it was said, ms UTC by the provider's clock. A time that cannot be (`EVENT_TIMES`) is refused with 422.
 */
export const describer = v.object({
  kind: v.picklist(['camera', 'model', 'person']),
  model: v.pipe(text(80), v.trim(), v.minLength(1)),
  at: ms,
})

/**
 * What an event shows, said after it was posted: seconds later or weeks. Of several descriptions the newest counts, by `by.at`; one
 * that is as old as the one that is held, or older, changes nothing and is answered 200. What was posted with the event is older
 * than any. Without moments it says that there is nothing to tell: that is a description too.
 * 404: the event is not known, post it first, or it went so long ago that nobody knows of it any more. An event that was deleted takes
 * its words and tells nobody, for as long as it can be brought back; one that is gone for good takes nothing. Both are answered 200,
 * as is one that the plan hides. Not known to earlier providers.
 */
export const postMoments = v.object({
  device_id: deviceId,
  event_id: id,
  moments,
  /** In place of those that the event has; ids as in an event. */
  tags: v.pipe(event.entries.tags, v.maxLength(50)),
  /** In place of its `event_values`. */
  values: v.pipe(event.entries.event_values, v.maxLength(50)),
  /** Left out: the event is called what it was posted as. */
  title: v.optional(event.entries.title),
  by: describer,
})
export type PostMoments = v.InferOutput<typeof postMoments>

import { cameraState } from '../cameras/devices.ts'
import * as v from 'valibot'
import { deviceId, id, timestampMs } from '../wire/envelope.ts'
import { event, eventResource } from './events.ts'

/** Message of a page on its feed: asks the home to check the connections of its bridges. */
export const FEED_CHECK_TEXT = '{"type":"check"}'

/** Messages that the home feed (one WebSocket per page) pushes. Times in ms UTC. */
export const feedMessage = v.variant('type', [
  v.object({ type: v.literal('hello'), now: timestampMs }),
  /** New, changed or restored event. A page replaces its copy of the event. */
  v.object({ type: v.literal('event'), event }),
  v.object({ type: v.literal('clip'), event_id: id, resource: eventResource }),
  v.object({ type: v.literal('removed'), event_ids: v.array(id) }),
  /** Events were marked as reviewed or, with `reviewed: false`, as unreviewed. */
  v.object({ type: v.literal('reviewed'), event_ids: v.array(id), reviewed: v.optional(v.boolean()) }),
  v.object({
    type: v.literal('camera-state'),
    device_id: deviceId,
    state: cameraState,
    reason: v.string(),
    since: timestampMs,
  }),
  /** Cameras that the account may see, or their names, order, power or plans, have changed: reload the cameras. */
  v.object({ type: v.literal('access') }),
  /** The people, their names or the recognition settings have changed: reload events and people. */
  v.object({ type: v.literal('people') }),
  /** The camera filter of the account has changed, possibly in another browser: reload the settings. */
  v.object({ type: v.literal('settings') }),
])
export type FeedMessage = v.InferOutput<typeof feedMessage>

/** Response to `FEED_CHECK_TEXT`, also sent after a page that sends checks has connected. */
const feedCheckResponse = v.object({
  type: v.literal('checked'),
  /** Time after which the page requests the next check. Until then, no check can find a silent bridge. */
  next_ms: v.pipe(v.number(), v.minValue(0), v.maxValue(60_000)),
})
export type FeedCheckResponse = v.InferOutput<typeof feedCheckResponse>

/** All messages on the feed. */
export const feedSocketMessage = v.variant('type', [...feedMessage.options, feedCheckResponse])

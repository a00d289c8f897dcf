import * as v from 'valibot'
import { deviceId, id, timestampMs } from '../wire/envelope.ts'
import { event, eventResource } from './events.ts'
import { cameraState } from '../live/signaling.ts'

/** Messages that the home feed (one WebSocket per page) pushes. Times in ms UTC. */
export const feedMessage = v.variant('type', [
  v.object({ type: v.literal('hello'), now: timestampMs }),
  /** New, changed or restored event. It replaces a stored event with the same id. */
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
  /** The set of cameras that the user may see has changed: reload the cameras. */
  v.object({ type: v.literal('access') }),
  /** Names of people on clips have changed: reload events and people. */
  v.object({ type: v.literal('people') }),
  /** An account setting has changed, possibly in another browser: reload it. */
  v.object({ type: v.literal('settings') }),
])
export type FeedMessage = v.InferOutput<typeof feedMessage>

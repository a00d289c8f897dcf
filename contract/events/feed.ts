import * as v from 'valibot'
import { deviceId, id, ms } from '../wire/envelope.ts'
import { event, eventResource } from './events.ts'
import { cameraState } from '../live/signaling.ts'

/** What the home feed (one WebSocket per page) pushes. Times in ms UTC. */
export const feedMessage = v.variant('type', [
  v.object({ type: v.literal('hello'), now: ms }),
  /** A new event, or one of which something else is said now: it takes the place of the one that is held. */
  v.object({ type: v.literal('event'), event }),
  v.object({ type: v.literal('clip'), event_id: id, resource: eventResource }),
  v.object({ type: v.literal('removed'), event_ids: v.array(id) }),
  /** `reviewed` false: they count as not seen again; left out, as seen. An event that is brought back after it was removed comes as `event`. */
  v.object({ type: v.literal('reviewed'), event_ids: v.array(id), reviewed: v.optional(v.boolean()) }),
  v.object({ type: v.literal('camera-state'), device_id: deviceId, state: cameraState, reason: v.string(), since: ms }),
  /** The set of cameras this user may see has changed: load the list again. */
  v.object({ type: v.literal('access') }),
  /** Names of people on clips have changed: load events and people again. */
  v.object({ type: v.literal('people') }),
  /** A setting of the account has changed, maybe in another browser: read it again. */
  v.object({ type: v.literal('settings') }),
])
export type FeedMessage = v.InferOutput<typeof feedMessage>

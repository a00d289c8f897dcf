import * as v from 'valibot'
import { event, type Event } from '../../contract/events/events.ts'
import { TAG_ID_BY_SCENE_WORD } from '../../contract/events/event-tags.ts'

/**
 * Queue entry for a recording of a real camera. The clip and the thumbnail are files in the same folder, named by the
 * event id.
 */
export const recordedClipSchema = v.object({
  kind: v.literal('clip'),
  /** Event with empty `event_resources`; the delivery adds the resources together with the clip. */
  event,
  /** Interval that the clip shows, ms UTC; null without a clip. */
  clip: v.nullable(v.object({ begin: v.number(), end: v.number() })),
  thumb: v.boolean(),
})
export type RecordedClip = v.InferOutput<typeof recordedClipSchema>

export const createEventId = (deviceId: string, begin: number) => `${deviceId}-${Math.round(begin).toString(36)}`

/** Creates the event of motion that began at `begin`, ms UTC. */
export function createMotionEvent(deviceId: string, begin: number): Event {
  return {
    event_id: createEventId(deviceId, begin),
    device_id: deviceId,
    event_ts: Math.round(begin),
    tags: [TAG_ID_BY_SCENE_WORD['motion'] ?? '4'],
    event_values: ['motion'],
    title: 'Motion',
    event_resources: [],
    reviewed: false,
  }
}

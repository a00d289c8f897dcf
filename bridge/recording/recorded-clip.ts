import * as v from 'valibot'
import { event, type Event } from '../../contract/events/events.ts'
import { TAG_OF_WORD } from '../../contract/events/event-tags.ts'

/** A recording of a real camera in the queue: its clip and thumbnail lie beside it, named by the event's id. */
export const recordedClip = v.object({
  kind: v.literal('clip'),
  /** Without `event_resources`; they come with the clip. */
  event,
  /** What the clip shows, ms UTC; null: there is none. */
  clip: v.nullable(v.object({ begin: v.number(), end: v.number() })),
  thumb: v.boolean(),
})
export type RecordedClip = v.InferOutput<typeof recordedClip>

export const toEventId = (deviceId: string, begin: number) => `${deviceId}-${Math.round(begin).toString(36)}`

/** The event of motion that began at `begin`, ms UTC. */
export function motionEvent(deviceId: string, begin: number): Event {
  return {
    event_id: toEventId(deviceId, begin),
    device_id: deviceId,
    event_ts: Math.round(begin),
    tags: [TAG_OF_WORD['motion'] ?? '4'],
    event_values: ['motion'],
    title: 'Motion',
    event_resources: [],
    reviewed: false,
  }
}

import type { Event } from '../../../../contract/events/events.ts'
import { $openEventId, openEvent } from '../../../stores/events/event-url.ts'
import { $filteredEvents } from '../../../stores/events/events.ts'

/**
 * Returns the events just before and just after the open event in time; undefined if there is none. `events` must be
 * sorted, newest first.
 */
export function findAdjacentEvents(
  events: readonly Event[],
  openId: string,
): { earlier: Event | undefined; later: Event | undefined } {
  const at = events.findIndex((event) => event.event_id === openId)
  return { earlier: at < 0 ? undefined : events[at + 1], later: at < 0 ? undefined : events[at - 1] }
}

export function openAdjacentEvent(direction: 1 | -1): void {
  const { earlier, later } = findAdjacentEvents($filteredEvents.get(), $openEventId.get())
  const event = direction === 1 ? later : earlier
  if (event) openEvent({ eventId: event.event_id, deviceId: event.device_id })
}

import type { Event } from '../../../../contract/events/events.ts'
import { $address, openEvent } from '../../../stores/events/event-url.ts'
import { $shown } from '../../../stores/events/events.ts'

/** The events before and after the open one, in time, among those that the list shows (newest first). */
export function neighbours(
  shown: readonly Event[],
  openId: string | undefined,
): { earlier: Event | undefined; later: Event | undefined } {
  const at = shown.findIndex((event) => event.event_id === openId)
  return { earlier: at < 0 ? undefined : shown[at + 1], later: at < 0 ? undefined : shown[at - 1] }
}

/** Opens the next event in time, or with -1 the previous one. */
export function openNeighbour(direction: 1 | -1): void {
  const { earlier, later } = neighbours($shown.get(), $address.get().open?.eventId)
  const event = direction === 1 ? later : earlier
  if (event) openEvent({ eventId: event.event_id, deviceId: event.device_id })
}

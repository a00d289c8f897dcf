import type { Event } from '../../../../contract/events/events.ts'
import { DEFAULT_FILTER, formatEventsQuery } from '../../../domain/events/event-url.ts'

/** Returns the URL of the events page on which the event is open. */
export const formatEventHref = ({ event_id, device_id }: Pick<Event, 'event_id' | 'device_id'>): string =>
  `/events${formatEventsQuery({ filter: DEFAULT_FILTER, open: { eventId: event_id, deviceId: device_id } })}`

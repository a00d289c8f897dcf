import type { Event, EventResource } from '../../../contract/events/events.ts'
import type { FeedMessage } from '../../../contract/events/feed.ts'
import { markReviewed, mergeEvents, removeEvents } from '../../domain/events/event-list.ts'

/** Applies a feed message and returns the resulting list. Returns the same list if the message is not about events. */
export function applyFeedMessage(events: readonly Event[], message: FeedMessage): readonly Event[] {
  switch (message.type) {
    case 'event':
      return mergeEvents(events, [message.event])
    case 'clip':
      return addClip(events, message.event_id, message.resource)
    case 'removed':
      return removeEvents(events, message.event_ids)
    case 'reviewed':
      return markReviewed(events, message.event_ids, message.reviewed)
    case 'hello':
    case 'camera-state':
    case 'access':
    case 'people':
    case 'settings':
      return events
  }
}

function addClip(events: readonly Event[], id: string, resource: EventResource): readonly Event[] {
  const index = events.findIndex((event) => event.event_id === id)
  const event = events[index]
  if (!event) return events
  const others = event.event_resources.filter((existing) => existing.begin_time !== resource.begin_time)
  return events.with(index, { ...event, event_resources: [...others, resource] })
}

import type { ReadableAtom } from 'nanostores'
import type { FeedMessage } from '../../../contract/events/feed.ts'
import { includesTime } from '../../domain/events/event-url.ts'
import { onFeed } from '../home/feed.ts'
import { onFeedReconnect } from '../home/feed-reconnect.ts'
import { $eventUrl } from './event-url.ts'
import type { EventListState } from './event-list.ts'
import { loadEventsByIds } from './events-by-ids.ts'

export interface FeedEventList {
  readonly $list: ReadableAtom<EventListState>
  readonly applyMessage: (message: FeedMessage) => void
}

/**
 * Reloads the whole list in the background when the feed may have missed messages, because the list's own catch-up
 * requests only events since 10 minutes before the last feed message. Returns an unsubscribe function.
 */
export const reloadAfterFeedBreaks = (list: FeedEventList): (() => void) =>
  onFeedReconnect(() => list.applyMessage({ type: 'access' }))

/**
 * Loads an event by id if the feed announces its clip but the list lacks the event (OPEN-136). In that case, the page
 * missed the message about the event. Ignores clips outside the filter's date range. Returns an unsubscribe function.
 */
export function watchMissedEvents(eventList: FeedEventList): () => void {
  return onFeed((message) => {
    const list = eventList.$list.get()
    if (message.type !== 'clip' || list.state !== 'ready') return
    if (list.events.some(({ event_id }) => event_id === message.event_id)) return
    if (!includesTime($eventUrl.get().filter, message.resource.begin_time, Date.now())) return
    void loadEventsByIds([message.event_id]).then((response) => {
      if (response.ok) for (const event of response.data) eventList.applyMessage({ type: 'event', event })
    })
  })
}

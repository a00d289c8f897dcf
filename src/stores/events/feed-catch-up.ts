import type { ReadableAtom } from 'nanostores'
import type { FeedMessage } from '../../../contract/events/feed.ts'
import { holdsTime } from '../../domain/events/event-url.ts'
import { onFeed } from '../home/feed.ts'
import { onFeedBreak } from '../home/feed-reconnect.ts'
import { $address } from './event-url.ts'
import type { EventListState } from './event-list.ts'
import { loadEventsByIds } from './events-by-ids.ts'

export interface FedList {
  readonly $list: ReadableAtom<EventListState>
  readonly hear: (message: FeedMessage) => void
}

/**
 * Reloads the whole list in the background when the feed reconnects, because the list's own catch-up requests only the
 * last minutes. Returns an unsubscribe function.
 */
export const watchFeedBreaks = (list: FedList): (() => void) => onFeedBreak(() => list.hear({ type: 'access' }))

/**
 * Loads an event by id if the feed announces its clip but the loaded days lack the event, which means that its own
 * message was missed (OPEN-136). Returns an unsubscribe function.
 */
export function watchMissedEvents(fed: FedList): () => void {
  return onFeed((message) => {
    const list = fed.$list.get()
    if (message.type !== 'clip' || list.state !== 'ready') return
    if (list.events.some(({ event_id }) => event_id === message.event_id)) return
    if (!holdsTime($address.get().filter, message.resource.begin_time, Date.now())) return
    void loadEventsByIds([message.event_id]).then((answer) => {
      if (answer.ok) for (const event of answer.data) fed.hear({ type: 'event', event })
    })
  })
}

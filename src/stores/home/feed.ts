import { feedTicket } from '../../../contract/events/feed-and-review-calls.ts'
import type { FeedMessage } from '../../../contract/events/feed.ts'
import { request } from '../../api/api-client.ts'

type FeedListener = (message: FeedMessage) => void

const SCRIPT_RETRY_MS = 5000

const feedListeners = new Set<FeedListener>()
let isFeedOpened = false

/** Opens the page's single feed connection and loads its script. Further calls do nothing. */
export function openFeed(): void {
  if (isFeedOpened) return
  isFeedOpened = true
  void connectFeed()
}

async function connectFeed(): Promise<void> {
  try {
    const { createFeedConnection } = await import('./feed-connection.ts')
    const feed = createFeedConnection({
      fetchUrl: fetchFeedUrl,
      createSocket: (url) => new WebSocket(url),
      random: Math.random,
    })
    feed.subscribe((message) => {
      for (const listener of feedListeners) listener(message)
    })
    feed.open()
  } catch (error) {
    console.debug('Feed failed to load, retrying', error)
    setTimeout(() => void connectFeed(), SCRIPT_RETRY_MS)
  }
}

async function fetchFeedUrl(): Promise<string | null> {
  const response = await request(feedTicket, {})
  return response.ok ? response.data.url : null
}

/**
 * Calls `listener` with every message until the returned function is called. The feed sends `hello` after each connect;
 * listeners should then request missed data.
 */
export function onFeed(listener: FeedListener): () => void {
  feedListeners.add(listener)
  return () => feedListeners.delete(listener)
}

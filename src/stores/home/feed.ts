import { feedTicket } from '../../../contract/events/feed-and-review-calls.ts'
import type { FeedMessage } from '../../../contract/events/feed.ts'
import { request } from '../../api/api-client.ts'

type FeedListener = (message: FeedMessage) => void

const RETRY_MS = 5000

const listeners = new Set<FeedListener>()
let isOpened = false

/** Opens the page's single feed connection and loads its script. Further calls do nothing. */
export function openFeed(): void {
  if (isOpened) return
  isOpened = true
  void connect()
}

async function connect(): Promise<void> {
  try {
    const { createFeedConnection } = await import('./feed-connection.ts')
    const feed = createFeedConnection({ address, connect: (url) => new WebSocket(url), random: Math.random })
    feed.on((message) => {
      for (const listener of listeners) listener(message)
    })
    feed.open()
  } catch (error) {
    console.debug('The feed has no script yet.', error)
    setTimeout(() => void connect(), RETRY_MS)
  }
}

async function address(): Promise<string | null> {
  const answer = await request(feedTicket, {})
  return answer.ok ? answer.data.url : null
}

/**
 * Calls `listener` with every message until the returned function is called. The feed sends `hello` after each connect;
 * listeners should then request missed data.
 */
export function onFeed(listener: FeedListener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

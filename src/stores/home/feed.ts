import { feedTicket } from '../../../contract/extension.ts'
import { request } from '../../api/client.ts'
import { createFeedConnection, type FeedListener } from './feed-connection.ts'

const feed = createFeedConnection({
  async address() {
    const answer = await request(feedTicket, {})
    return answer.ok ? answer.data.url : null
  },
  connect: (address) => new WebSocket(address),
  random: Math.random,
})

/** Opens the page's one connection to the home feed; calling it again does nothing. */
export function openFeed(): void {
  feed.open()
}

/**
 * Calls `listener` with every message until the returned function is called. `hello` comes after each connect: then ask
 * for what may have been missed.
 */
export function onFeed(listener: FeedListener): () => void {
  return feed.on(listener)
}

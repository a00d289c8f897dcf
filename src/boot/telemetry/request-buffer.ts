import type { Exchange } from '../../services/logged-fetch.ts'

/** What the page asks for is kept here until somebody has time to record it (record-requests.ts). */
const waiting: Exchange[] = []
let take = (exchange: Exchange): void => void waiting.push(exchange)

export const noteRequest = (exchange: Exchange): void => take(exchange)

/** Hands over what was noted so far, and from now on each request as it ends. */
export function takeRequests(next: (exchange: Exchange) => void): void {
  take = next
  waiting.splice(0).forEach(next)
}

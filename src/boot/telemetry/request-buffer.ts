import type { Exchange } from '../../services/logged-fetch.ts'

/** What the page asks for is kept here until somebody has time to record it (record-requests.ts). */
const waiting: Exchange[] = []
let forward = (exchange: Exchange): void => void waiting.push(exchange)

export const recordRequest = (exchange: Exchange): void => forward(exchange)

/** Hands over what was noted so far, and from now on each request as it ends. */
export function forwardRequests(next: (exchange: Exchange) => void): void {
  forward = next
  waiting.splice(0).forEach(next)
}

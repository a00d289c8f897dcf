import type { Exchange } from '../../services/logged-fetch.ts'

/** Buffers the page's requests until record-requests.ts has loaded. */
const waiting: Exchange[] = []
let forward = (exchange: Exchange): void => void waiting.push(exchange)

export const recordRequest = (exchange: Exchange): void => forward(exchange)

/** Passes the buffered requests to `next`, and from then on each request when it is complete. */
export function forwardRequests(next: (exchange: Exchange) => void): void {
  forward = next
  waiting.splice(0).forEach(next)
}

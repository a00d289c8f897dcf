import type { LoggedRequest } from '../../services/logged-fetch.ts'

/** Buffers the page's requests until record-requests.ts has loaded. */
const waiting: LoggedRequest[] = []
let handleRequest = (exchange: LoggedRequest): void => void waiting.push(exchange)

export const recordRequest = (exchange: LoggedRequest): void => handleRequest(exchange)

/** Passes the buffered requests to `next`, and from then on every completed request. */
export function forwardRequests(next: (exchange: LoggedRequest) => void): void {
  handleRequest = next
  waiting.splice(0).forEach(next)
}

import { earlyFetch } from '../../early/early-fetch.ts'
import { connectApiClient } from '../../stores/session/connect-api-client.ts'
import { recordRequest } from '../telemetry/request-buffer.ts'
import { bufferedFetch } from '../telemetry/buffered-fetch.ts'
import { leavePage } from '../page/leave-page.ts'

/**
 * `fetch` of this page: uses the document's early responses, and records all requests for the action log (OPEN-137).
 */
export const pageFetch = earlyFetch(bufferedFetch, recordRequest)

let hasLeft = false
/** Leaves this page, but only once: a request and the refresh timer may both detect the end of the session. */
export function leaveOnce(path: string): void {
  if (!hasLeft) leavePage(path)
  hasLeft = true
}

/** Token refresher of the page's API client. This module configures the client once for all importing modules. */
export const refresher = connectApiClient({
  fetch: pageFetch,
  navigate: leaveOnce,
  wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
})

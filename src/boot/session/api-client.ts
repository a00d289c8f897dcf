import { earlyFetch } from '../../early/early-fetch.ts'
import { connect } from '../../stores/session/connect-api-client.ts'
import { recordRequest } from '../telemetry/request-buffer.ts'
import { notedFetch } from '../telemetry/buffered-fetch.ts'
import { leave } from '../page/leave-page.ts'

/**
 * `fetch` of this page: uses the document's early responses, and records all requests for the action log (OPEN-137).
 */
export const pageFetch = earlyFetch(notedFetch, recordRequest)

let isLeft = false
/** Leaves this page once: a request and the timer may detect the end of the session at the same time. */
export function leaveOnce(path: string): void {
  if (!isLeft) leave(path)
  isLeft = true
}

/** The page's API client, connected once for all importing modules. */
export const refresher = connect({
  fetch: pageFetch,
  leave: leaveOnce,
  wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
})

import { earlyFetch } from '../../early/early-fetch.ts'
import { connect } from '../../stores/session/connect-api-client.ts'
import { recordRequest } from '../telemetry/request-buffer.ts'
import { notedFetch } from '../telemetry/buffered-fetch.ts'
import { leave } from '../page/leave-page.ts'

/** Every request of this page: what the document has asked is taken, and all of them are noted for the action log (OPEN-137). */
export const pageFetch = earlyFetch(notedFetch, recordRequest)

let isLeft = false
/** Ends this page, once: a request and the timer may find at the same moment that the session is over. */
export function leaveOnce(path: string): void {
  if (!isLeft) leave(path)
  isLeft = true
}

/** The API client of this page, connected once, however many modules import this. */
export const refresher = connect({
  fetch: pageFetch,
  leave: leaveOnce,
  wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
})

import { AUTOMATIC_EVENTS } from '../../contract/telemetry/analytics-events.ts'
import type { EventProps } from './analytics.ts'

/** Paths of the portal's own sinks. A failure of a sink must not create further events. */
const SINK_URL = /^(?:https?:\/\/[^/]+)?\/t\//

/**
 * Tracks requests that get a status from 500 to 599 (ANALYTICS-12). Replaces `fetch` of the page. Returns a function
 * that ends this.
 */
export function observeFailedRequests(track: (type: string, props: EventProps) => void): () => void {
  const originalFetch = window.fetch
  let isActive = true
  const observedFetch: typeof fetch = async (input, init) => {
    const startedAt = Date.now()
    const response = await originalFetch.call(window, input, init)
    const url = input instanceof Request ? input.url : String(input)
    const isFailure = response.status >= 500 && response.status <= 599
    if (isActive && isFailure && !SINK_URL.test(url)) {
      const method = init?.method ?? (input instanceof Request ? input.method : 'GET')
      const props = describeRequest(url, method, response.status, Date.now() - startedAt)
      // Later, so that an error here cannot fail the page's request.
      queueMicrotask(() => track(AUTOMATIC_EVENTS.networkRequest, props))
    }
    return response
  }
  window.fetch = observedFetch
  return () => {
    isActive = false
    if (window.fetch === observedFetch) window.fetch = originalFetch
  }
}

const describeRequest = (url: string, method: string, status: number, ms: number): EventProps => ({
  '[Amplitude] URL': url,
  '[Amplitude] Status Code': status,
  '[Amplitude] Request Method': method,
  '[Amplitude] Duration': ms,
})

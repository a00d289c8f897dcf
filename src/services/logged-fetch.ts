import { REQUEST_ID_HEADER } from '../../contract/wire/call.ts'

/** One logged request with its response status, before secrets are masked. */
export interface LoggedRequest {
  /** ms UTC */
  readonly at: number
  readonly method: string
  readonly url: string
  /** HTTP status; 0 without a response. */
  readonly status: number
  readonly ms: number
  /** `REQUEST_ID_HEADER` of the response. */
  readonly requestId?: string | undefined
  readonly payload?: string
}

/** Wraps `fetch` and reports every request to `onRequest`, which must not throw. */
export function createLoggedFetch(
  fetcher: typeof fetch,
  onRequest: (exchange: LoggedRequest) => void,
  now: () => number = Date.now,
): typeof fetch {
  return async (input, init) => {
    const at = now()
    const reportExchange = (status: number, requestId?: string) =>
      onRequest({
        at,
        method: init?.method ?? 'GET',
        url: input instanceof Request ? input.url : String(input),
        status,
        ms: now() - at,
        requestId,
        ...(typeof init?.body === 'string' ? { payload: init.body } : {}),
      })
    try {
      const response = await fetcher(input, init)
      reportExchange(response.status, response.headers.get(REQUEST_ID_HEADER) ?? undefined)
      return response
    } catch (error) {
      reportExchange(0)
      throw error
    }
  }
}

import { HTTP_DEFAULT_TIMEOUT_MS } from '../../contract/wire/constants.ts'
import { createNoResponseFailure, type RequestFailure } from './result.ts'

export interface SendOptions {
  readonly fetch: typeof fetch
  readonly signal?: AbortSignal | undefined
  /** Milliseconds; 0, the default, disables the timeout (CONST-14). */
  readonly timeout?: number | undefined
  /** Reports a timeout as `ETIMEDOUT` instead of `ECONNABORTED` (OPEN-113). */
  readonly clarifyTimeout?: boolean | undefined
}

export interface HttpResponse {
  readonly ok: true
  readonly status: number
  /** Parsed JSON, or undefined if the body is not JSON. */
  readonly body: unknown
}

/**
 * Makes one HTTP exchange and never throws. Returns an `HttpResponse` for any HTTP status, and a `RequestFailure` if
 * the request is canceled, times out or gets no response.
 */
export async function send(
  url: string,
  init: RequestInit,
  options: SendOptions,
): Promise<HttpResponse | RequestFailure> {
  const { signal, timeout = HTTP_DEFAULT_TIMEOUT_MS, fetch: fetcher } = options
  const timeoutSignal = timeout > 0 ? AbortSignal.timeout(timeout) : undefined
  try {
    const response = await fetcher(url, {
      ...init,
      signal: AbortSignal.any([signal, timeoutSignal].filter((entry) => !!entry)),
    })
    const text = await response.text()
    return { ok: true, status: response.status, body: parseJson(text) }
  } catch {
    if (signal?.aborted) return createNoResponseFailure('ERR_CANCELED')
    if (timeoutSignal?.aborted) return createNoResponseFailure(options.clarifyTimeout ? 'ETIMEDOUT' : 'ECONNABORTED')
    return createNoResponseFailure('ERR_NETWORK')
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

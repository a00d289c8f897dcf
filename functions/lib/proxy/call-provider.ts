import { RESPONSE_BODY_BYTES_MAX, readBytes } from '../../../contract/wire/body-limits.ts'
import {
  createProviderDownError,
  createInvalidResponseError,
  createProviderTimeoutError,
  type EdgeError,
} from '../edge-error.ts'

export interface ProxyResponse {
  readonly status: number
  /** UTF-8, checked to be JSON. */
  readonly body: Uint8Array<ArrayBuffer>
  readonly retryAfter: string | null
}

const decoder = new TextDecoder('utf-8', { fatal: true })

/**
 * Sends one request to the provider, without following redirects. Throws an `EdgeError`: 504 after `timeoutMs`, 503
 * without a connection, and 502 for a redirect, an interrupted response, invalid JSON or more than
 * `RESPONSE_BODY_BYTES_MAX.call` bytes. `toEdgeError` returns the error for a response without JSON.
 */
export async function fetchFromProvider(url: string, init: RequestInit, timeoutMs: number): Promise<ProxyResponse> {
  const signal = AbortSignal.timeout(timeoutMs)
  let response: Response
  try {
    response = await fetch(url, { ...init, redirect: 'manual', signal })
  } catch {
    throw signal.aborted ? createProviderTimeoutError() : createProviderDownError()
  }
  if (!isJson(response)) {
    await response.body?.cancel()
    throw toEdgeError(response.status)
  }
  try {
    const body = await readBytes(response, RESPONSE_BODY_BYTES_MAX.call)
    JSON.parse(decoder.decode(body))
    return { status: response.status, body, retryAfter: response.headers.get('retry-after') }
  } catch {
    throw signal.aborted ? createProviderTimeoutError() : createInvalidResponseError()
  }
}

function isJson(response: Response): boolean {
  if (response.status < 200 || (response.status >= 300 && response.status < 400)) return false
  return /^application\/(json|[\w.-]+\+json)\b/i.test(response.headers.get('content-type') ?? '')
}

/**
 * Returns the error for a response without JSON. The provider's own failures are JSON, so a proxy sent a 5xx without
 * JSON because it could not reach the provider.
 */
function toEdgeError(status: number): EdgeError {
  if (status === 504) return createProviderTimeoutError()
  return status >= 500 ? createProviderDownError() : createInvalidResponseError()
}

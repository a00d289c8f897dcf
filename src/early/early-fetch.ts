import { API_CALL_TIMEOUT_MS } from '../../contract/wire/constants.ts'
import type { EarlyExchange } from './early-exchange.ts'

interface RecordedExchange {
  readonly at: number
  readonly method: string
  readonly url: string
  readonly status: number
  readonly ms: number
  readonly payload?: string
}

/**
 * Returns the index of an unused early request with this method, URL and body. Returns -1 if there is none, or if the
 * request is older than the timeout of a page's request.
 */
export const findEarlyIndex = (method: string, url: string, body: string): number =>
  window.early?.findIndex(
    (exchange) =>
      exchange.method === method &&
      exchange.url === url &&
      exchange.body === body &&
      Date.now() - exchange.at < API_CALL_TIMEOUT_MS,
  ) ?? -1

/**
 * Returns the token of the unused early request with this method, URL and body: '' if this browser stored no token,
 * undefined if there is no such request.
 */
export function getEarlyToken(method: string, url: string, body: string): string | undefined {
  return window.early?.[findEarlyIndex(method, url, body)]?.token
}

/**
 * Wraps `fetch` to use each early response (src/boot/early/inline-script.ts) once, for an equal method, URL and body.
 * Other requests go to `fetcher`, and so do requests whose early request failed. `recordExchange` receives each used
 * early exchange and must not throw (OPEN-137).
 */
export function earlyFetch(fetcher: typeof fetch, recordExchange: (exchange: RecordedExchange) => void): typeof fetch {
  return async (input, init) => {
    const { method = 'GET', body, signal } = init ?? {}
    const index = findEarlyIndex(method, String(input), typeof body === 'string' ? body : '')
    const [early] = index < 0 ? [] : (window.early?.splice(index, 1) ?? [])
    return (early && (await awaitEarlyResponse(early, signal ?? null, recordExchange))) ?? fetcher(input, init)
  }
}

/** Returns the response; null if none arrived. Throws if `signal` is aborted. */
async function awaitEarlyResponse(
  early: EarlyExchange,
  signal: AbortSignal | null,
  recordExchange: (exchange: RecordedExchange) => void,
): Promise<Response | null> {
  const { answer, at, method, url, body } = early
  const recordStatus = (status: number) =>
    recordExchange({ at, method, url, status, ms: early.ms ?? Date.now() - at, ...(body && { payload: body }) })
  try {
    const { status, text } = await rejectOnAbort(answer, signal)
    recordStatus(status)
    return new Response(text || null, { status })
  } catch (error) {
    recordStatus(0)
    if (signal?.aborted) throw error
    return null
  }
}

async function rejectOnAbort<T>(promise: Promise<T>, signal: AbortSignal | null): Promise<T> {
  signal?.throwIfAborted()
  const aborted = new Promise<never>((_, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
  })
  return Promise.race([promise, aborted])
}

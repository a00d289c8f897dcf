import { PAGE_CALL_TIMEOUT_MS } from '../../contract/wire/constants.ts'
import type { EarlyExchange } from './early-exchange.ts'

interface Noted {
  readonly at: number
  readonly method: string
  readonly url: string
  readonly status: number
  readonly ms: number
  readonly payload?: string
}

/**
 * Returns the index of an early request whose response is still unused. -1 if there is none with this method, URL and
 * body, or if it is older than the timeout of a page's request.
 */
export const earlyIndex = (method: string, url: string, body: string): number =>
  window.early?.findIndex(
    (exchange) =>
      exchange.method === method &&
      exchange.url === url &&
      exchange.body === body &&
      Date.now() - exchange.at < PAGE_CALL_TIMEOUT_MS,
  ) ?? -1

/** Returns the token used by the early request; undefined if there is none. */
export function earlyToken(method: string, url: string, body: string): string | undefined {
  return window.early?.[earlyIndex(method, url, body)]?.token
}

/**
 * Wraps `fetch`: uses the response of an early request (src/boot/early/inline-script.ts) once if method, URL and body
 * are equal. All other requests, and early requests without a response, go to `fetcher`. `note` receives each exchange
 * and must not throw (OPEN-137).
 */
export function earlyFetch(fetcher: typeof fetch, note: (exchange: Noted) => void): typeof fetch {
  return async (input, init) => {
    const { method = 'GET', body, signal } = init ?? {}
    const index = earlyIndex(method, String(input), typeof body === 'string' ? body : '')
    const [early] = index < 0 ? [] : (window.early?.splice(index, 1) ?? [])
    return (early && (await awaitEarlyResponse(early, signal ?? null, note))) ?? fetcher(input, init)
  }
}

/** Returns the response, null if none arrived. Throws if `signal` is aborted. */
async function awaitEarlyResponse(
  early: EarlyExchange,
  signal: AbortSignal | null,
  note: (exchange: Noted) => void,
): Promise<Response | null> {
  const { answer, at, method, url, body } = early
  const recordStatus = (status: number) =>
    note({ at, method, url, status, ms: early.ms ?? Date.now() - at, ...(body && { payload: body }) })
  try {
    const { status, text } = await untilAborted(answer, signal)
    recordStatus(status)
    return new Response(text || null, { status })
  } catch (error) {
    recordStatus(0)
    if (signal?.aborted) throw error
    return null
  }
}

async function untilAborted<T>(answer: Promise<T>, signal: AbortSignal | null): Promise<T> {
  signal?.throwIfAborted()
  const aborted = new Promise<never>((_, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
  })
  return Promise.race([answer, aborted])
}

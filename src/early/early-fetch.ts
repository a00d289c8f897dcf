import { PAGE_CALL_TIMEOUT_MS } from '../../contract/wire/constants.ts'
import type { EarlyExchange } from './early-exchange.ts'

/** A request as it went. */
interface Noted {
  readonly at: number
  readonly method: string
  readonly url: string
  readonly status: number
  readonly ms: number
  readonly payload?: string
}

/**
 * Where a request lies among those of the document that nobody has taken; -1 where it was not asked, not with this body, or
 * so long ago that a request of the page would have been given up.
 */
export const earlyIndex = (method: string, url: string, body: string): number =>
  window.early?.findIndex(
    (exchange) =>
      exchange.method === method &&
      exchange.url === url &&
      exchange.body === body &&
      Date.now() - exchange.at < PAGE_CALL_TIMEOUT_MS,
  ) ?? -1

/** The token in use when the document asked that; undefined where it has not. */
export function earlyToken(method: string, url: string, body: string): string | undefined {
  return window.early?.[earlyIndex(method, url, body)]?.token
}

/**
 * `fetch` that takes the answer of a request which the document itself has made (src/boot/early/inline-script.ts), once, where
 * method, address and body are equal; all else, and what was answered by nobody, goes to `fetcher`. `note` is told of each
 * answer that is taken, and must not throw (OPEN-137).
 */
export function earlyFetch(fetcher: typeof fetch, note: (exchange: Noted) => void): typeof fetch {
  return async (input, init) => {
    const { method = 'GET', body, signal } = init ?? {}
    const index = earlyIndex(method, String(input), typeof body === 'string' ? body : '')
    const [early] = index < 0 ? [] : (window.early?.splice(index, 1) ?? [])
    return (early && (await awaitEarlyResponse(early, signal ?? null, note))) ?? fetcher(input, init)
  }
}

/** The answer, null where none arrived. Throws once `signal` is aborted. */
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

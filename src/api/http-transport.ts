import { HTTP_DEFAULT_TIMEOUT_MS } from '../../contract/wire/constants.ts'
import { noAnswer, type RequestFailure } from './result.ts'

export interface SendOptions {
  readonly fetch: typeof fetch
  readonly signal?: AbortSignal | undefined
  /** Milliseconds; 0, the default, waits for ever (CONST-14). */
  readonly timeout?: number | undefined
  /** Report a timeout as `ETIMEDOUT` instead of `ECONNABORTED` (OPEN-113). */
  readonly clarifyTimeout?: boolean | undefined
}

export interface Answer {
  readonly ok: true
  readonly status: number
  /** The parsed JSON, or undefined when the body is none. */
  readonly body: unknown
}

/** One HTTP exchange. Never throws; an answer of any status is an `Answer`. */
export async function send(url: string, init: RequestInit, options: SendOptions): Promise<Answer | RequestFailure> {
  const { signal, timeout = HTTP_DEFAULT_TIMEOUT_MS, fetch: fetcher } = options
  const limit = timeout > 0 ? AbortSignal.timeout(timeout) : undefined
  try {
    const response = await fetcher(url, {
      ...init,
      signal: AbortSignal.any([signal, limit].filter((entry) => !!entry)),
    })
    const text = await response.text()
    return { ok: true, status: response.status, body: parsed(text) }
  } catch {
    if (signal?.aborted) return noAnswer('ERR_CANCELED')
    if (limit?.aborted) return noAnswer(options.clarifyTimeout ? 'ETIMEDOUT' : 'ECONNABORTED')
    return noAnswer('ERR_NETWORK')
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

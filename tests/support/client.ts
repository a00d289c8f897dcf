import { configureClient } from '../../src/api/api-client.ts'
import type { RefreshOutcome } from '../../src/api/token-refresh.ts'

export interface SentRequest {
  readonly path: string
  readonly body: unknown
}

/**
 * Stubs the responses of the API client, keyed by the last path segment. A missing or null response simulates a network
 * error. A function computes the response from the request body. The HTTP status follows from `code` unless `status` is
 * set. `refreshed`: result of a token refresh. Returns the list of sent requests.
 */
export function stubApiResponses(answers: Record<string, unknown>, refreshed: RefreshOutcome = 'over'): SentRequest[] {
  const requests: SentRequest[] = []
  configureClient({
    fetch: async (input, init) => {
      const path = new URL(String(input), 'http://localhost').pathname
      const body: unknown = typeof init?.body === 'string' ? JSON.parse(init.body) : null
      requests.push({ path, body })
      const stub = answers[path.split('/').at(-1) ?? '']
      const answer: unknown = typeof stub === 'function' ? await (stub as (body: unknown) => unknown)(body) : stub
      if (answer === undefined || answer === null) throw new TypeError('no network')
      // Codes of 600 and above are body codes of the error catalog, not HTTP statuses. For all of them, the stub
      // responds with the HTTP status 400.
      const { code, status = code < 400 ? 200 : code < 600 ? code : 400 } = answer as { code: number; status?: number }
      return Response.json(answer, { status })
    },
    token: () => 'handle',
    xsrf: () => 'xsrf',
    refresh: () => Promise.resolve(refreshed),
    onSignedOut: () => undefined,
  })
  return requests
}

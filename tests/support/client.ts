import { configureClient } from '../../src/api/client.ts'
import type { RefreshOutcome } from '../../src/api/refresh.ts'

export interface Asked {
  readonly path: string
  readonly body: unknown
}

/**
 * Connects the API client with recorded answers, by the last part of the path; null: no network. The HTTP status
 * follows from `code`, or is named by `status`. `refreshed` is how a refresh of the token ends. Hands back what was asked.
 */
export function answerWith(answers: Record<string, unknown>, refreshed: RefreshOutcome = 'over'): Asked[] {
  const asked: Asked[] = []
  configureClient({
    fetch: (input, init) => {
      const path = new URL(String(input), 'http://localhost').pathname
      asked.push({ path, body: typeof init?.body === 'string' ? JSON.parse(init.body) : null })
      const answer = answers[path.split('/').at(-1) ?? '']
      if (answer === undefined || answer === null) return Promise.reject(new TypeError('no network'))
      // Codes of the catalogue are told with 400.
      const { code, status = code < 400 ? 200 : code < 600 ? code : 400 } = answer as { code: number; status?: number }
      return Promise.resolve(Response.json(answer, { status }))
    },
    token: () => 'handle',
    xsrf: () => 'xsrf',
    refresh: () => Promise.resolve(refreshed),
    signedOut: () => undefined,
  })
  return asked
}

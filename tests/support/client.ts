import { configureClient } from '../../src/api/client.ts'

export interface Asked {
  readonly path: string
  readonly body: unknown
}

/** Connects the API client with recorded answers, by the last part of the path; null: no network. Hands back what was asked. */
export function answerWith(answers: Record<string, unknown>): Asked[] {
  const asked: Asked[] = []
  configureClient({
    fetch: (input, init) => {
      const path = new URL(String(input), 'http://localhost').pathname
      asked.push({ path, body: typeof init?.body === 'string' ? JSON.parse(init.body) : null })
      const answer = answers[path.split('/').at(-1) ?? '']
      if (answer === undefined || answer === null) return Promise.reject(new TypeError('no network'))
      const status = (answer as { code: number }).code
      return Promise.resolve(Response.json(answer, { status: status >= 400 ? status : 200 }))
    },
    token: () => 'handle',
    xsrf: () => 'xsrf',
    refresh: () => Promise.resolve('over'),
    failed: () => undefined,
    signedOut: () => undefined,
  })
  return asked
}

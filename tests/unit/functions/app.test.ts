import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { findCatalogEntry } from '../../../contract/wire/error-codes.ts'
import { REQUEST_ID_HEADER } from '../../../contract/wire/call.ts'
import { SESSION_COOKIE } from '../../../contract/wire/cookies.ts'
import { RATE_LIMITS } from '../../../contract/wire/edge-rate-limits.ts'
import { app } from '../../../functions/app.ts'
import { countAttempt } from '../../../functions/lib/security/rate-limit.ts'
import { createSessionId, tagSessionId } from '../../../functions/lib/auth/session-id.ts'
import { isSampledForTracing } from '../../../contract/telemetry/sentry-client-options.ts'
import { makeEnvironment, makeSecrets } from '../../../scripts/lib/secrets.ts'
import { openEnvelopeSink, type EnvelopeSink } from '../../support/envelope-sink.ts'

const PORTAL = 'https://cam.example.com'
const CANARY_TOKEN = 'eyJhbGciOiJFUzI1NiJ9.canary.sig'

let sink: EnvelopeSink
beforeEach(async () => {
  sink = await openEnvelopeSink()
})
afterEach(() => sink.close())

const brokenSessions = {
  idFromName: (name: string) => name,
  get: () => ({ read: () => Promise.reject(new TypeError(`lost ${CANARY_TOKEN} of owner@example.com`)) }),
}

/** Sends a request with a session cookie while the session is unreachable. Resolves when all reports are sent. */
async function fetchWithBrokenSessions(portalOrigin: string, overrides: NodeJS.ProcessEnv) {
  const run = { portalOrigin, providerOrigin: 'https://cam-id.example.com', buildId: 'test', overrides }
  const env = { ...makeEnvironment(makeSecrets(), run), SESSIONS: brokenSessions }
  const tasks: Promise<unknown>[] = []
  const context = {
    waitUntil: (task: Promise<unknown>) => void tasks.push(task),
    passThroughOnException() {},
    props: {},
  }
  const cookie = `${SESSION_COOKIE}=${tagSessionId(createSessionId(), env.COOKIE_KEY)}`
  const answer = await app.request('/api/auth/me', { headers: { cookie } }, env, context)
  for (let done = 0; done < tasks.length; done++) await tasks[done]
  return answer
}

describe('a failure of the edge itself', () => {
  test('returns a 500 of the error catalog, and sends one masked event with its stack', async () => {
    const answer = await fetchWithBrokenSessions(PORTAL, { SENTRY_DSN: sink.dsn })
    expect([answer.status, await answer.json()]).toEqual([500, { code: 500, msg: expect.any(String) }])
    expect(sink.events().map(({ event }) => event)).toEqual([
      expect.objectContaining({
        release: 'test',
        tags: { from: 'edge', route: 'GET /api/auth/me', [REQUEST_ID_HEADER]: answer.headers.get(REQUEST_ID_HEADER) },
        exception: {
          values: [
            expect.objectContaining({
              type: 'TypeError',
              value: 'lost [masked] of [masked]',
              stacktrace: { frames: expect.arrayContaining([expect.objectContaining({ lineno: expect.any(Number) })]) },
            }),
          ],
        },
      }),
    ])
    expect(sink.rejectedRequests).toEqual([])
    for (const { text } of sink.items) expect(text).not.toMatch(/canary|owner@example|__Host/)
  })

  test('REPORT-02 is not reported if the host contains local', async () => {
    const answer = await fetchWithBrokenSessions('https://cam.localcompany.example', { SENTRY_DSN: sink.dsn })
    expect(answer.status).toBe(500)
    expect([sink.items, sink.rejectedRequests]).toEqual([[], []])
  })
})

test('REPORT-10 one request in ten is traced: a draw below 0.1 is, one of 0.1 is not', () => {
  expect([0, 0.0999, 0.1, 0.5, 0.9999].map(isSampledForTracing)).toEqual([true, true, false, false, false])
})

describe('requests from one IP address', () => {
  test('are rejected with 429 above the limit if the platform has no counter; other addresses are not', async () => {
    const overrides = { TRUST_PROXY: '1' }
    const run = { portalOrigin: PORTAL, providerOrigin: 'https://cam-id.example.com', buildId: 'test', overrides }
    const env = makeEnvironment(makeSecrets(), run)
    const fetchFrom = (url: string) => app.request('/api/nothing', { headers: { 'cf-connecting-ip': url } }, env)
    for (let n = 0; n < RATE_LIMITS.REQUESTS - 1; n++) await fetchFrom('192.0.2.1')
    expect((await fetchFrom('192.0.2.1')).status).toBe(404)
    const answer = await fetchFrom('192.0.2.1')
    expect([answer.status, await answer.json()]).toEqual([429, { code: 429, msg: findCatalogEntry('429')?.text }])
    expect(answer.headers.get('retry-after')).toBe('60')
    expect((await fetchFrom('192.0.2.2')).status).toBe(404)
  })

  test('count only within one time window', () => {
    const counts = [0, 0, 59_999, 60_000, 60_001].map((now) => countAttempt('a key', 2, 60_000, now))
    expect(counts).toEqual([true, true, false, true, true])
  })
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeEnvironment, makeSecrets } from '../../scripts/lib/secrets.ts'
import { openWorker, type RunningWorker } from '../support/harness.ts'

const origins = { portalOrigin: 'http://localhost:8787', providerOrigin: 'http://127.0.0.1:9', buildId: 'test' }
const environment = { ...makeEnvironment(makeSecrets(), origins), COOKIE_KEY: 'short' }
let portal: RunningWorker

beforeAll(async () => {
  portal = await openWorker('portal', environment)
})
afterAll(() => portal.close())

describe('an edge without its secrets', () => {
  test.each(['/healthz', '/api/auth/me', '/m/thumb/evt_1'])('answers %s with 503 and instructions', async (path) => {
    const answer = await fetch(portal.origin + path)
    expect(answer.status).toBe(503)
    expect(await answer.json()).toEqual({ code: 503, msg: expect.stringMatching(/COOKIE_KEY.*secrets\.env/) })
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
  })
})

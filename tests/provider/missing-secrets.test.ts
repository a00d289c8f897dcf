import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeEnvironment, makeSecrets } from '../../scripts/lib/secrets.ts'
import { openWorker, type RunningWorker } from '../support/harness.ts'

const origins = { portalOrigin: 'https://cam.example.com', providerOrigin: 'https://id.example.com', buildId: 'test' }
const incompleteEnvironment = { ...makeEnvironment(makeSecrets(), origins), ADMIN_KEY: '', TICKET_KEY: '' }
let provider: RunningWorker

beforeAll(async () => {
  provider = await openWorker('provider', incompleteEnvironment)
})
afterAll(() => provider.close())

test.each(['/healthz', '/.well-known/openid-configuration', '/admin/v1/setup', '/media/clip/evt_1'])(
  'a provider without its secrets answers %s with 503 and the names of the missing secrets',
  async (path) => {
    const answer = await fetch(provider.origin + path)
    expect([answer.status, await answer.json()]).toEqual([
      503,
      { code: 503, msg: expect.stringMatching(/Missing: TICKET_KEY, ADMIN_KEY/) as string },
    ])
  },
)

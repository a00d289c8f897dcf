import { fileURLToPath } from 'node:url'
import { createTestHarness, type TestHarness } from 'wrangler'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeEnvironment, makeSecrets } from '../../scripts/lib/secrets.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const origins = { portalOrigin: 'https://cam.example.com', providerOrigin: 'https://id.example.com', buildId: 'test' }
const vars = { ...makeEnvironment(makeSecrets(), origins), ADMIN_KEY: '', TICKET_KEY: '' }
let provider: TestHarness

beforeAll(async () => {
  provider = createTestHarness({ root, workers: [{ configPath: `${root}provider/wrangler.toml`, vars }] })
  await provider.listen()
})
afterAll(() => provider.close())

it.each(['/healthz', '/.well-known/openid-configuration', '/admin/v1/setup', '/media/clip/evt_1'])(
  'a provider without its secrets answers %s with 503 and what is missing',
  async (path) => {
    const answer = await provider.fetch(path)
    expect([answer.status, await answer.json()]).toEqual([
      503,
      { code: 503, msg: expect.stringMatching(/TICKET_KEY, ADMIN_KEY missing/) as string },
    ])
  },
)

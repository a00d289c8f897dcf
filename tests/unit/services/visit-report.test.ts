import { createHash } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { REVENUE_PATH } from '../../../contract/telemetry/visits.ts'

const EMAIL = 'owner@example.com'
const PERSON = createHash('sha256').update(EMAIL).digest('hex')
const TOKEN = 'a-token'

const send = vi.fn<typeof fetch>()
async function load() {
  vi.resetModules()
  return await import('../../../src/services/visit-report.ts')
}
const sent = () => send.mock.calls.map(([, init]) => init?.body)

beforeEach(() => {
  send.mockReset().mockImplementation(() => Promise.resolve(new Response(null, { status: 204 })))
  vi.stubGlobal('fetch', send)
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

describe('revenue tracking', () => {
  test('ANALYTICS-01 reports the user once per document, only by the hash of the email', async () => {
    const { startRevenue } = await load()
    await Promise.all([startRevenue(TOKEN, EMAIL), startRevenue(TOKEN, EMAIL)])
    await startRevenue(TOKEN, 'other@example.com')
    expect(send).toHaveBeenCalledExactlyOnceWith(REVENUE_PATH, {
      method: 'POST',
      keepalive: true,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token: TOKEN, person: PERSON }),
    })
    expect(JSON.stringify(send.mock.calls)).not.toMatch(/owner|example|@/)
  })

  test.each([
    ['without a token', '', EMAIL],
    ['ANALYTICS-01 signed out', TOKEN, ''],
    ['with an e-mail of spaces', TOKEN, '  '],
  ])('%s is off', async (_, token, email) => {
    await (await load()).startRevenue(token, email)
    expect(send).not.toHaveBeenCalled()
  })

  test('is off in a browser without a digest function', async () => {
    vi.stubGlobal('crypto', {})
    await (await load()).startRevenue(TOKEN, EMAIL)
    expect(send).not.toHaveBeenCalled()
  })

  test('starts once the email is known', async () => {
    const { startRevenue } = await load()
    await startRevenue(TOKEN, '')
    await startRevenue(TOKEN, EMAIL)
    expect(send).toHaveBeenCalledOnce()
  })

  test.each([' owner@example.com ', 'Owner@Example.COM', '\tOWNER@EXAMPLE.COM\n'])(
    'treats %j as the same person',
    async (email) => {
      await (await load()).startRevenue(TOKEN, email)
      expect(sent()).toEqual([JSON.stringify({ token: TOKEN, person: PERSON })])
    },
  )
})

describe('a revenue tracking failure', () => {
  const silent = async (fail: () => void) => {
    const spies = (['log', 'info', 'warn', 'error'] as const).map((name) => vi.spyOn(console, name))
    fail()
    const { startRevenue } = await load()
    await expect(startRevenue(TOKEN, EMAIL)).resolves.toBeUndefined()
    await startRevenue(TOKEN, EMAIL)
    for (const spy of spies) expect(spy).not.toHaveBeenCalled()
  }

  test.each([
    ['of the network', () => Promise.reject(new TypeError('Failed to fetch'))],
    ['of the server', () => Promise.resolve(new Response('x', { status: 500 }))],
  ])('%s is silent and causes no retry', async (_, answer) => {
    await silent(() => send.mockImplementation(answer))
    expect(send).toHaveBeenCalledOnce()
  })

  test('of the digest is silent and sends nothing', async () => {
    await silent(() => vi.stubGlobal('crypto', { subtle: { digest: () => Promise.reject(new Error('broken')) } }))
    expect(send).not.toHaveBeenCalled()
  })
})

import { createHash } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { REVENUE_PATH } from '../../../contract/telemetry/visits.ts'

const EMAIL = 'owner@example.com'
const EMAIL_HASH = createHash('sha256').update(EMAIL).digest('hex')
const TOKEN = 'a-token'

const fetchMock = vi.fn<typeof fetch>()
async function loadVisitReport() {
  vi.resetModules()
  return await import('../../../src/services/visit-report.ts')
}
const listSentBodies = () => fetchMock.mock.calls.map(([, init]) => init?.body)

beforeEach(() => {
  fetchMock.mockReset().mockImplementation(() => Promise.resolve(new Response(null, { status: 204 })))
  vi.stubGlobal('fetch', fetchMock)
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

describe('revenue tracking', () => {
  test('ANALYTICS-01 reports the user once per document, only by the hash of the email', async () => {
    const { reportVisit } = await loadVisitReport()
    await Promise.all([reportVisit(TOKEN, EMAIL), reportVisit(TOKEN, EMAIL)])
    await reportVisit(TOKEN, 'other@example.com')
    expect(fetchMock).toHaveBeenCalledExactlyOnceWith(REVENUE_PATH, {
      method: 'POST',
      keepalive: true,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token: TOKEN, person: EMAIL_HASH }),
    })
    expect(JSON.stringify(fetchMock.mock.calls)).not.toMatch(/owner|example|@/)
  })

  test.each([
    ['without a token', '', EMAIL],
    ['ANALYTICS-01 signed out', TOKEN, ''],
    ['with a blank email address', TOKEN, '  '],
  ])('%s is off', async (_, token, email) => {
    await (await loadVisitReport()).reportVisit(token, email)
    expect(fetchMock).not.toHaveBeenCalled()
  })

  test('is off in a browser without a digest function', async () => {
    vi.stubGlobal('crypto', {})
    await (await loadVisitReport()).reportVisit(TOKEN, EMAIL)
    expect(fetchMock).not.toHaveBeenCalled()
  })

  test('starts once the email is known', async () => {
    const { reportVisit } = await loadVisitReport()
    await reportVisit(TOKEN, '')
    await reportVisit(TOKEN, EMAIL)
    expect(fetchMock).toHaveBeenCalledOnce()
  })

  test.each([' owner@example.com ', 'Owner@Example.COM', '\tOWNER@EXAMPLE.COM\n'])(
    'treats %j as the same person',
    async (email) => {
      await (await loadVisitReport()).reportVisit(TOKEN, email)
      expect(listSentBodies()).toEqual([JSON.stringify({ token: TOKEN, person: EMAIL_HASH })])
    },
  )
})

describe('a revenue tracking failure', () => {
  const expectSilentFailure = async (fail: () => void) => {
    const spies = (['log', 'info', 'warn', 'error'] as const).map((name) => vi.spyOn(console, name))
    fail()
    const { reportVisit } = await loadVisitReport()
    await expect(reportVisit(TOKEN, EMAIL)).resolves.toBeUndefined()
    await reportVisit(TOKEN, EMAIL)
    for (const spy of spies) expect(spy).not.toHaveBeenCalled()
  }

  test.each([
    ['of the network', () => Promise.reject(new TypeError('Failed to fetch'))],
    ['of the server', () => Promise.resolve(new Response('x', { status: 500 }))],
  ])('%s is silent and causes no retry', async (_, answer) => {
    await expectSilentFailure(() => fetchMock.mockImplementation(answer))
    expect(fetchMock).toHaveBeenCalledOnce()
  })

  test('of the digest is silent and sends nothing', async () => {
    await expectSilentFailure(() =>
      vi.stubGlobal('crypto', { subtle: { digest: () => Promise.reject(new Error('broken')) } }),
    )
    expect(fetchMock).not.toHaveBeenCalled()
  })
})

import { beforeEach, describe, expect, test, vi } from 'vitest'
import { getHomes } from '../../../contract/cameras/devices.ts'
import { request } from '../../../src/api/api-client.ts'
import { createRefresher } from '../../../src/api/token-refresh.ts'
import { connectApiClient } from '../../../src/stores/session/connect-api-client.ts'
import { $webAppToken } from '../../../src/stores/session/session.ts'
import { WAIT_OPTIONS } from '../../support/patience.ts'

const jsonResponse = (status: number, body: unknown) => new Response(JSON.stringify(body), { status })
const HOMES = { code: 1, data: [{ home_id: 'home_1', role: 1, name: 'Home' }] }

const leavePage = vi.fn<(path: string) => void>()
const wait = vi.fn(() => Promise.resolve())
const respondToCall = vi.fn<(token: string) => Response>()
const respondToRefresh = vi.fn<() => Promise<Response>>()

/** Fake server: `respondToRefresh` handles /api/auth/refresh, `respondToCall` handles other calls by their token. */
const fetchFromServer: typeof fetch = (url, init) => {
  if (url === '/api/auth/refresh') return respondToRefresh()
  return Promise.resolve(respondToCall((init?.headers as Record<string, string>)['web-app-token'] ?? ''))
}

beforeEach(() => {
  vi.clearAllMocks()
  $webAppToken.set('gen-1')
  respondToCall.mockImplementation((token) =>
    token === 'gen-2' ? jsonResponse(200, HOMES) : jsonResponse(401, { code: 401 }),
  )
  respondToRefresh.mockImplementation(() => Promise.resolve(jsonResponse(200, { code: 200, access_token: 'gen-2' })))
  connectApiClient({ fetch: fetchFromServer, navigate: leavePage, wait })
})

describe('concurrently rejected requests', () => {
  test('REFRESH-04 five parallel 401 responses cause exactly one refresh', async () => {
    const results = await Promise.all(Array.from({ length: 5 }, () => request(getHomes, {})))
    expect(results.every(({ ok }) => ok)).toBe(true)
    expect(respondToRefresh).toHaveBeenCalledOnce()
  })

  test('REFRESH-05 REFRESH-06 wait for the refresh and are retried once each with the new token', async () => {
    let finish: (answer: Response) => void = () => undefined
    respondToRefresh.mockImplementation(() => new Promise((resolve) => (finish = resolve)))
    const all = Promise.all([request(getHomes, {}), request(getHomes, {})])
    await vi.waitFor(() => expect(respondToRefresh).toHaveBeenCalled(), WAIT_OPTIONS)
    expect(respondToCall.mock.calls.flat()).toEqual(['gen-1', 'gen-1'])
    finish(jsonResponse(200, { code: 200, access_token: 'gen-2' }))
    await all
    expect(respondToCall.mock.calls.flat()).toEqual(['gen-1', 'gen-1', 'gen-2', 'gen-2'])
  })

  test('REFRESH-10 CALL-18 the new token replaces the old one', async () => {
    await request(getHomes, {})
    expect($webAppToken.get()).toBe('gen-2')
    expect(localStorage.getItem('web_app_token')).toBe('gen-2')
  })

  test('a request that used an older token than the stored one is retried without a refresh', async () => {
    respondToCall.mockImplementationOnce(() => {
      localStorage.setItem('web_app_token', 'gen-2')
      return jsonResponse(401, { code: 401 })
    })
    expect(await request(getHomes, {})).toMatchObject({ ok: true })
    expect(respondToRefresh).not.toHaveBeenCalled()
  })
})

describe('failed token refresh', () => {
  test.each([0, 1, 403, 500])('REFRESH-08 code %i leaves for /user/redirect immediately', async (code) => {
    respondToRefresh.mockImplementation(() => Promise.resolve(jsonResponse(code >= 400 ? code : 200, { code })))
    await request(getHomes, {})
    expect(leavePage).toHaveBeenCalledExactlyOnceWith('/user/redirect')
    expect(respondToRefresh).toHaveBeenCalledOnce()
  })

  test('REFRESH-09 a lost refresh is attempted three times, then leaves for /user/redirect', async () => {
    respondToRefresh.mockImplementation(() => Promise.reject(new TypeError('Failed to fetch')))
    await request(getHomes, {})
    expect(respondToRefresh).toHaveBeenCalledTimes(3)
    expect(leavePage).toHaveBeenCalledExactlyOnceWith('/user/redirect')
  })

  test('a single outage that ends in time loses nothing', async () => {
    respondToRefresh.mockImplementationOnce(() => Promise.resolve(jsonResponse(503, { code: 503 })))
    expect(await request(getHomes, {})).toMatchObject({ ok: true })
    expect(leavePage).not.toHaveBeenCalled()
  })
})

test('the refresh timer keeps retrying through an outage without leaving the page', async () => {
  let tries = 0
  respondToRefresh.mockImplementation(() =>
    Promise.resolve(
      ++tries < 6 ? jsonResponse(504, { code: 504 }) : jsonResponse(200, { code: 200, access_token: 'gen-2' }),
    ),
  )
  let token = 'gen-1'
  const refresher = createRefresher({
    fetch: fetchFromServer,
    xsrf: () => '',
    token: () => token,
    storeToken: (next) => (token = next),
    runExclusively: (_failed, task) => task(),
    wait,
  })
  expect(await refresher.refreshUntilReachable()).toBe('refreshed')
  expect(token).toBe('gen-2')
  expect(respondToRefresh).toHaveBeenCalledTimes(6)
})

test('a tab that waited for another tab to refresh uses that token without its own call', async () => {
  let token = 'gen-1'
  const refresher = createRefresher({
    fetch: fetchFromServer,
    xsrf: () => '',
    token: () => token,
    storeToken: (next) => (token = next),
    runExclusively: (_failed, task) => {
      token = 'gen-2 of the other tab'
      return task()
    },
    wait,
  })
  expect(await refresher.refreshForRequests('gen-1')).toBe('refreshed')
  expect(respondToRefresh).not.toHaveBeenCalled()
})

import { beforeEach, describe, expect, test, vi } from 'vitest'
import { getHomes } from '../../../contract/cameras/devices.ts'
import { request } from '../../../src/api/api-client.ts'
import { createRefresher } from '../../../src/api/token-refresh.ts'
import { connect } from '../../../src/stores/session/connect-api-client.ts'
import { $webAppToken } from '../../../src/stores/session/session.ts'
import { patience } from '../../support/patience.ts'

const json = (status: number, body: unknown) => new Response(JSON.stringify(body), { status })
const HOMES = { code: 1, data: [{ home_id: 'home_1', role: 1, name: 'Home' }] }

const leave = vi.fn<(path: string) => void>()
const wait = vi.fn(() => Promise.resolve())
const answers = vi.fn<(token: string) => Response>()
const refreshes = vi.fn<() => Promise<Response>>()

/** Fakes a server: `refreshes` answers /api/auth/refresh, and `answers` responds to other calls by their token. */
const server: typeof fetch = (url, init) => {
  if (url === '/api/auth/refresh') return refreshes()
  return Promise.resolve(answers((init?.headers as Record<string, string>)['web-app-token'] ?? ''))
}

beforeEach(() => {
  vi.clearAllMocks()
  $webAppToken.set('gen-1')
  answers.mockImplementation((token) => (token === 'gen-2' ? json(200, HOMES) : json(401, { code: 401 })))
  refreshes.mockImplementation(() => Promise.resolve(json(200, { code: 200, access_token: 'gen-2' })))
  connect({ fetch: server, leave, wait })
})

describe('concurrently rejected requests', () => {
  test('REFRESH-04 five parallel 401 responses cause exactly one refresh', async () => {
    const results = await Promise.all(Array.from({ length: 5 }, () => request(getHomes, {})))
    expect(results.every(({ ok }) => ok)).toBe(true)
    expect(refreshes).toHaveBeenCalledOnce()
  })

  test('REFRESH-05 REFRESH-06 wait for the refresh and are retried once each with the new token', async () => {
    let finish: (answer: Response) => void = () => undefined
    refreshes.mockImplementation(() => new Promise((resolve) => (finish = resolve)))
    const all = Promise.all([request(getHomes, {}), request(getHomes, {})])
    await vi.waitFor(() => expect(refreshes).toHaveBeenCalled(), patience)
    expect(answers.mock.calls.flat()).toEqual(['gen-1', 'gen-1'])
    finish(json(200, { code: 200, access_token: 'gen-2' }))
    await all
    expect(answers.mock.calls.flat()).toEqual(['gen-1', 'gen-1', 'gen-2', 'gen-2'])
  })

  test('REFRESH-10 CALL-18 the new token replaces the old one', async () => {
    await request(getHomes, {})
    expect($webAppToken.get()).toBe('gen-2')
    expect(localStorage.getItem('web_app_token')).toBe('gen-2')
  })

  test('a request that used an older token than the stored one is retried without a refresh', async () => {
    answers.mockImplementationOnce(() => {
      localStorage.setItem('web_app_token', 'gen-2')
      return json(401, { code: 401 })
    })
    expect(await request(getHomes, {})).toMatchObject({ ok: true })
    expect(refreshes).not.toHaveBeenCalled()
  })
})

describe('failed token refresh', () => {
  test.each([0, 1, 403, 500])('REFRESH-08 code %i leaves for /user/redirect immediately', async (code) => {
    refreshes.mockImplementation(() => Promise.resolve(json(code >= 400 ? code : 200, { code })))
    await request(getHomes, {})
    expect(leave).toHaveBeenCalledExactlyOnceWith('/user/redirect')
    expect(refreshes).toHaveBeenCalledOnce()
  })

  test('REFRESH-09 a lost refresh is attempted three times, then leaves for /user/redirect', async () => {
    refreshes.mockImplementation(() => Promise.reject(new TypeError('Failed to fetch')))
    await request(getHomes, {})
    expect(refreshes).toHaveBeenCalledTimes(3)
    expect(leave).toHaveBeenCalledExactlyOnceWith('/user/redirect')
  })

  test('a single outage that ends in time loses nothing', async () => {
    refreshes.mockImplementationOnce(() => Promise.resolve(json(503, { code: 503 })))
    expect(await request(getHomes, {})).toMatchObject({ ok: true })
    expect(leave).not.toHaveBeenCalled()
  })
})

test('the refresh timer keeps retrying through an outage without leaving the page', async () => {
  let tries = 0
  refreshes.mockImplementation(() =>
    Promise.resolve(++tries < 6 ? json(504, { code: 504 }) : json(200, { code: 200, access_token: 'gen-2' })),
  )
  let token = 'gen-1'
  const refresher = createRefresher({
    fetch: server,
    xsrf: () => '',
    token: () => token,
    keepToken: (next) => (token = next),
    lock: (_failed, task) => task(),
    wait,
  })
  expect(await refresher.patiently()).toBe('refreshed')
  expect(token).toBe('gen-2')
  expect(refreshes).toHaveBeenCalledTimes(6)
})

test('a tab that waited for another tab to refresh uses that token without its own call', async () => {
  let token = 'gen-1'
  const refresher = createRefresher({
    fetch: server,
    xsrf: () => '',
    token: () => token,
    keepToken: (next) => (token = next),
    lock: (_failed, task) => {
      token = 'gen-2 of the other tab'
      return task()
    },
    wait,
  })
  expect(await refresher.forRequests('gen-1')).toBe('refreshed')
  expect(refreshes).not.toHaveBeenCalled()
})

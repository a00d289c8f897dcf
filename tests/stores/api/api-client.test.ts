import { beforeEach, describe, expect, test, vi } from 'vitest'
import { getHomeDevices, getHomes } from '../../../contract/cameras/devices.ts'
import { getStreams } from '../../../contract/live/live-calls.ts'
import { getSubscriptions } from '../../../contract/billing/subscriptions.ts'
import { configureClient, request, type ClientEnv } from '../../../src/api/api-client.ts'

const buildJsonResponse = (status: number, body: unknown) => new Response(JSON.stringify(body), { status })
const HOMES = { code: 1, data: [{ home_id: 'home_1', role: 1, name: 'Home' }] }

const fetchMock = vi.fn<typeof fetch>()
const refresh = vi.fn<ClientEnv['refresh']>()
const signedOut = vi.fn<() => void>()
let token = 'gen-1'

beforeEach(() => {
  vi.resetAllMocks()
  token = 'gen-1'
  configureClient({ fetch: fetchMock, token: () => token, xsrf: () => 'x1', refresh, onSignedOut: signedOut })
})

const readHeaders = (call: number) => fetchMock.mock.calls[call]?.[1]?.headers as Record<string, string>

describe('an API request', () => {
  test('a GET goes to its endpoint group with the token generation and no XSRF header', async () => {
    fetchMock.mockResolvedValue(buildJsonResponse(200, HOMES))
    expect(await request(getHomes, {})).toEqual({ ok: true, data: HOMES.data })
    expect(fetchMock.mock.calls[0]?.[0]).toBe('/api/p/new-device/app/v4/home')
    expect(readHeaders(0)).toMatchObject({ 'web-app-token': 'gen-1' })
    expect(readHeaders(0)).not.toHaveProperty('X-XSRF-TOKEN')
  })

  test('a POST repeats the XSRF cookie, sends JSON and fills in path parameters', async () => {
    fetchMock.mockResolvedValue(buildJsonResponse(200, { code: 200, data: { subscriptions: [] } }))
    await request(getSubscriptions, {}, { params: { uuid: 'u_1' } })
    expect(fetchMock.mock.calls[0]?.[0]).toBe('/api/p/web-backend/api/v2/subscriptions/u_1')
    expect(readHeaders(0)).toMatchObject({ 'X-XSRF-TOKEN': 'x1', 'content-type': 'application/json' })
  })

  test('a response that does not match its schema is a bad response', async () => {
    fetchMock.mockResolvedValue(buildJsonResponse(200, { code: 1, data: 'no list' }))
    expect(await request(getHomes, {})).toMatchObject({ ok: false, kind: 'ERR_BAD_RESPONSE' })
  })

  test('a home call succeeds only on code 1, and its message is passed on, cut to 300 characters', async () => {
    fetchMock.mockResolvedValue(buildJsonResponse(200, { code: 200, msg: 'm'.repeat(400) }))
    const answer = await request(getHomeDevices, { device_category: 'camera', env: 'beta' })
    expect(answer).toEqual({ ok: false, code: '200', msg: 'm'.repeat(300), kind: 'ERR_BAD_RESPONSE', status: 200 })
  })
})

describe('failure kinds', () => {
  test('ERROR-31 a missing response is ERR_NETWORK', async () => {
    fetchMock.mockRejectedValue(new TypeError('Failed to fetch'))
    expect(await request(getHomes, {})).toMatchObject({
      ok: false,
      code: 'ERR_NETWORK',
      kind: 'ERR_NETWORK',
      status: 0,
    })
  })

  test.each([
    ['ERROR-32 a timeout is ECONNABORTED', false, 'ECONNABORTED'],
    ['ERROR-33 a timeout is ETIMEDOUT for callers that ask for clarity', true, 'ETIMEDOUT'],
  ])('%s', async (_, clarifyTimeout, kind) => {
    fetchMock.mockImplementation(waitUntilAborted)
    expect(await request(getHomes, {}, { timeout: 1, clarifyTimeout })).toMatchObject({ ok: false, kind })
  })

  test('ERROR-34 a 4xx response is ERR_BAD_REQUEST', async () => {
    fetchMock.mockResolvedValue(buildJsonResponse(404, { code: 404 }))
    expect(await request(getHomes, {})).toMatchObject({ kind: 'ERR_BAD_REQUEST', code: '404' })
  })

  test('ERROR-35 a 5xx response is ERR_BAD_RESPONSE, also without a body', async () => {
    fetchMock.mockResolvedValue(new Response('<html>', { status: 502 }))
    expect(await request(getHomes, {})).toMatchObject({ kind: 'ERR_BAD_RESPONSE', code: '502' })
  })

  test('ERROR-36 a canceled request is ERR_CANCELED', async () => {
    fetchMock.mockImplementation(waitUntilAborted)
    const stop = new AbortController()
    const answer = request(getHomes, {}, { signal: stop.signal })
    stop.abort()
    expect(await answer).toMatchObject({ kind: 'ERR_CANCELED' })
  })
})

describe('a lost session', () => {
  test('a body code 401 leaves the page as signed out, whatever the HTTP status', async () => {
    fetchMock.mockResolvedValue(buildJsonResponse(500, { code: 401 }))
    await request(getHomes, {})
    expect(signedOut).toHaveBeenCalledOnce()
  })

  test('a 404 from the camera streams leaves the page as signed out', async () => {
    fetchMock.mockResolvedValue(buildJsonResponse(404, { code: 404 }))
    await request(getStreams, { device_list: [] })
    expect(signedOut).toHaveBeenCalledOnce()
  })

  test('a call made before the session is known stays on the page', async () => {
    fetchMock.mockResolvedValue(buildJsonResponse(404, { code: 404 }))
    await request(getStreams, { device_list: [] }, { skipRedirect: true })
    expect(signedOut).not.toHaveBeenCalled()
  })
})

describe('401 and 403 responses', () => {
  test.each([
    ['REFRESH-02 a 401 refreshes the token once and repeats the request', 401],
    ['REFRESH-03 a 403 refreshes the token once and repeats the request', 403],
  ])('%s', async (_, status) => {
    fetchMock
      .mockResolvedValueOnce(buildJsonResponse(status, { code: status }))
      .mockResolvedValueOnce(buildJsonResponse(200, HOMES))
    refresh.mockResolvedValue('refreshed')
    expect(await request(getHomes, {})).toMatchObject({ ok: true })
    expect(refresh).toHaveBeenCalledExactlyOnceWith('gen-1')
  })

  test('a second 401 after the retry leaves the page as signed out, without a second refresh', async () => {
    fetchMock.mockImplementation(() => Promise.resolve(buildJsonResponse(401, { code: 401 })))
    refresh.mockResolvedValue('refreshed')
    expect(await request(getHomes, {})).toMatchObject({ ok: false, code: '401' })
    expect([refresh.mock.calls.length, signedOut.mock.calls.length]).toEqual([1, 1])
  })

  test('a second 403 after the retry is an ordinary error on this page', async () => {
    fetchMock.mockImplementation(() => Promise.resolve(buildJsonResponse(403, { code: 403 })))
    refresh.mockResolvedValue('refreshed')
    expect(await request(getHomes, {})).toMatchObject({ ok: false, code: '403' })
    expect(signedOut).not.toHaveBeenCalled()
  })

  test('a rejection by the CSRF rule never starts a refresh', async () => {
    fetchMock.mockResolvedValue(buildJsonResponse(403, { code: 'csrf' }))
    expect(await request(getHomes, {})).toMatchObject({ ok: false, code: 'csrf' })
    expect(refresh).not.toHaveBeenCalled()
  })

  test.each(['over', 'down'] as const)('a refresh with the outcome %s leaves for /user/redirect', async (outcome) => {
    fetchMock.mockResolvedValue(buildJsonResponse(401, { code: 401 }))
    refresh.mockResolvedValue(outcome)
    expect(await request(getHomes, {})).toMatchObject({ ok: false, code: '401' })
    expect(signedOut).toHaveBeenCalledOnce()
    expect(fetchMock).toHaveBeenCalledOnce()
  })
})

function waitUntilAborted(_: unknown, init?: RequestInit): Promise<Response> {
  return new Promise((_resolve, reject) => {
    init?.signal?.addEventListener('abort', () => reject(new DOMException('Aborted', 'AbortError')))
  })
}

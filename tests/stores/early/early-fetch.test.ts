import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { configureClient } from '../../../src/api/api-client.ts'
import { earlyFetch } from '../../../src/early/early-fetch.ts'
import { LIVE_EARLY_REQUESTS } from '../../../src/early/requests/live.ts'
import { createLoggedFetch, type LoggedRequest } from '../../../src/services/logged-fetch.ts'
import { $devices, $homeId, $userCameras, loadDevices } from '../../../src/stores/home/devices.ts'
import {
  type ResponsesByPath,
  DEVICES_RESPONSE,
  HOMES_RESPONSE,
  runInlineScript,
  SIGNED_IN_COOKIES,
} from '../../support/first-document.ts'

describe('response to an early request', () => {
  const exchanges: LoggedRequest[] = []
  const requests: string[] = []
  const fetchFromNetwork = (input: RequestInfo | URL, init?: RequestInit) => {
    requests.push(`${init?.method ?? 'GET'} ${String(input)} ${typeof init?.body === 'string' ? init.body : ''}`)
    return Promise.resolve(Response.json(String(input).endsWith('/home') ? HOMES_RESPONSE : DEVICES_RESPONSE))
  }
  const recordExchange = (exchange: LoggedRequest) => void exchanges.push(exchange)
  const refresh = vi.fn(() => Promise.resolve('over' as const))

  beforeEach(() => {
    exchanges.length = 0
    requests.length = 0
    localStorage.clear()
    $homeId.set('')
    $userCameras.set([])
    $devices.set({ state: 'loading' })
    document.documentElement.dataset['environment'] = 'preview'
    configureClient({
      fetch: earlyFetch(createLoggedFetch(fetchFromNetwork, recordExchange), recordExchange),
      token: () => '',
      xsrf: () => '',
      refresh,
      onSignedOut: () => undefined,
    })
  })
  afterEach(() => {
    delete window.early
  })

  const KNOWN_STORAGE = { web_app_token: '1.handle', home_id: 'h-mine' }
  const openWithEarlyRequests = async (storage: Record<string, string>, answers?: ResponsesByPath) => {
    window.early = (await runInlineScript(LIVE_EARLY_REQUESTS, SIGNED_IN_COOKIES, storage, answers)).window.early ?? []
  }

  test('OPEN-137 is used if the store sends the same request, and logged with its original request time', async () => {
    await openWithEarlyRequests(KNOWN_STORAGE)
    $homeId.set('h-mine')
    const homesRequest = window.early?.find(({ url }) => url === '/api/p/new-device/app/v4/home')
    expect(await loadDevices()).toBe(true)
    expect($devices.get()).toMatchObject({ state: 'ready', devices: [{ device_id: 'A1' }, { device_id: 'B2' }] })
    expect(requests).toEqual([])
    expect(exchanges).toMatchObject([
      { method: 'GET', url: homesRequest?.url, status: 200, at: homesRequest?.at },
      { method: 'POST', status: 200, payload: '{"device_category":"camera","env":"preview","home_id":"h-mine"}' },
    ])
  })

  test('is not used if the store sends a different request', async () => {
    await openWithEarlyRequests({ web_app_token: '1.handle', home_id: 'h-other' })
    $homeId.set('h-known')
    expect(await loadDevices()).toBe(true)
    expect(requests.some((request) => request.includes('"home_id":"h-known"'))).toBe(true)
    expect(requests.at(-1)).toContain('"home_id":"h-mine"')
    expect(window.early?.map(({ body }) => body)).toContain(
      '{"device_category":"camera","env":"preview","home_id":"h-other"}',
    )
  })

  test('refreshes the token it was sent with, not a newer one obtained by another tab', async () => {
    refresh.mockClear()
    await openWithEarlyRequests(KNOWN_STORAGE, { home: () => Response.json({ code: 401 }, { status: 401 }) })
    localStorage.setItem('web_app_token', '2.handle')
    await loadDevices()
    expect(refresh.mock.calls).toEqual([['1.handle']])
  })

  test('is used once', async () => {
    await openWithEarlyRequests(KNOWN_STORAGE)
    $homeId.set('h-mine')
    await loadDevices()
    expect(requests).toEqual([])
    await loadDevices()
    expect(requests).toHaveLength(2)
  })

  test('OPEN-137 is logged and passed on if it is a failure', async () => {
    $homeId.set('h-mine')
    await openWithEarlyRequests(KNOWN_STORAGE, {
      home: () => Response.json(HOMES_RESPONSE),
      'get-home-devices': () => Response.json({ code: 500 }, { status: 500 }),
    })
    expect(await loadDevices()).toBe(false)
    expect(requests).toEqual([])
    expect(exchanges.map(({ status }) => status)).toEqual([200, 500])
  })

  test('OPEN-137 is logged and requested again if no response arrived', async () => {
    await openWithEarlyRequests({}, { home: () => Response.error() as never })
    window.early = [
      {
        method: 'GET',
        url: '/api/p/new-device/app/v4/home',
        body: '',
        at: Date.now(),
        token: '',
        answer: Promise.reject(new TypeError('gone')),
      },
    ]
    expect(await loadDevices()).toBe(true)
    expect(exchanges.map(({ status }) => status)).toEqual([200, 0, 200, 200])
  })

  test('is not used once it is as old as the request timeout', async () => {
    const answer = Promise.resolve({ status: 200, text: '{}' })
    window.early = [{ method: 'GET', url: '/x/home', body: '', at: Date.now() - 30_000, token: '', answer }]
    await earlyFetch(fetchFromNetwork, recordExchange)('/x/home')
    expect(requests).toEqual(['GET /x/home '])
    expect(exchanges).toEqual([])
  })

  test('is abandoned with the request that waits for it', async () => {
    window.early = [{ method: 'GET', url: '/x', body: '', at: Date.now(), token: '', answer: new Promise(() => {}) }]
    const end = new AbortController()
    const answer = earlyFetch(fetchFromNetwork, recordExchange)('/x', { signal: end.signal })
    end.abort()
    await expect(answer).rejects.toThrow()
    expect(requests).toEqual([])
    await expect(earlyFetch(fetchFromNetwork, vi.fn())('/x', { signal: AbortSignal.abort() })).resolves.toBeInstanceOf(
      Response,
    )
  })
})

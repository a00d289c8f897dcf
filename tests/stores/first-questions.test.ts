import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { gatewayPath } from '../../contract/call.ts'
import { getSubscriptions } from '../../contract/plans.ts'
import { earlyFetch } from '../../src/api/early-fetch.ts'
import { configureClient } from '../../src/api/client.ts'
import { ACCOUNT_FIRST } from '../../src/first/account.ts'
import { EVENTS, eventsOf } from '../../src/first/events.ts'
import { LIVE } from '../../src/first/live.ts'
import { loggedFetch, type Exchange } from '../../src/services/logged-fetch.ts'
import { $devices, $homeId, $userCameras, loadDevices } from '../../src/stores/home/devices.ts'
import { newestDay, quickRange, spanOf } from '../../src/domain/date-range.ts'
import { devices, homes, openDocument, SIGNED_IN, type Answers } from '../support/first-document.ts'

describe('what the documents about plans ask', () => {
  const kept = { web_app_token: '1.handle', userId: 'user/1' }

  it('asks for the plans of whoever was here last, at the address that the page asks', async () => {
    const { window } = await openDocument(ACCOUNT_FIRST, SIGNED_IN, kept)
    expect(window.early?.[1]?.url).toBe(gatewayPath(getSubscriptions, { uuid: 'user/1' }))
  })

  it.each([['web_app_token'], ['userId']])('asks for nobody’s plans where %s is not kept', async (missing) => {
    const { asked } = await openDocument(ACCOUNT_FIRST, SIGNED_IN, { ...kept, [missing]: '' })
    expect(asked).toEqual([])
  })
})

describe('what the document of /live asks', () => {
  it('asks for the devices of the home of the last visit beside the homes', async () => {
    const { asked } = await openDocument(LIVE, SIGNED_IN, { web_app_token: '1.handle', home_id: 'h-known' })
    expect(asked.map(({ path }) => path)).toEqual(['home', 'get-home-devices'])
    expect(asked[1]).toMatchObject({
      headers: { 'web-app-token': '1.handle', 'X-XSRF-TOKEN': 'a+b' },
      body: { device_category: 'camera', env: 'preview', home_id: 'h-known' },
    })
  })

  it('asks for the devices of the primary home where none is known', async () => {
    const { asked } = await openDocument(LIVE, SIGNED_IN, {})
    expect(asked[1]).toMatchObject({ path: 'get-home-devices', body: { home_id: 'h-mine' } })
  })

  it('takes nothing that was kept without a token: it may be another person’s', async () => {
    const { asked } = await openDocument(LIVE, SIGNED_IN, {
      home_id: 'h-known',
      'user-cameras': '[{"device_id":"A1"}]',
    })
    expect(asked.map(({ path }) => path)).toEqual(['home', 'get-home-devices'])
    expect(asked[1]).toMatchObject({ body: { home_id: 'h-mine' } })
  })

  it('leaves the devices to the page when the homes are refused', async () => {
    const { asked, window } = await openDocument(
      LIVE,
      SIGNED_IN,
      {},
      { home: () => Response.json({ code: 401 }, { status: 401 }) },
    )
    expect(asked).toHaveLength(1)
    expect(await window.early?.[1]?.answer).toEqual({ status: 401, text: '{"code":401}' })
  })

  it('opens the sockets of the first six cameras of the last visit, and keeps what they say', async () => {
    const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((device_id) => ({ device_id }))
    const streams = () =>
      Response.json({
        code: 200,
        data: { streams: ids.map(({ device_id }) => ({ signalling_url: `wss://x/${device_id}?t=1` })) },
      })
    const kept = { web_app_token: '1.handle', home_id: 'h-known', 'user-cameras': JSON.stringify(ids) }
    const { asked, window } = await openDocument(LIVE, SIGNED_IN, kept, { 'get-streams': streams })
    expect(asked.at(-1)?.body).toEqual({ device_list: ids })
    expect([...(window.earlySockets?.keys() ?? [])]).toEqual(
      ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => `wss://x/${id}?t=1&relay=1`),
    )
    const [first] = window.earlySockets?.values() ?? []
    first?.socket.onmessage?.('hello')
    expect(first?.missed).toEqual(['hello'])
  })

  it.each(['no list', 'null', '{}', '[null]'])('asks the rest where %s is kept as cameras', async (cameras) => {
    const kept = { web_app_token: '1.handle', home_id: 'h-known', 'user-cameras': cameras }
    const { asked } = await openDocument(LIVE, SIGNED_IN, kept)
    expect(asked.map(({ path }) => path)).toEqual(['home', 'get-home-devices'])
  })

  it.each(['XSRF-TOKEN=x', 'signed_in=1', ''])(
    'asks nothing but who is signed in for a visitor with the cookies "%s"',
    async (cookie) => {
      const { asked, window } = await openDocument(LIVE, cookie, { web_app_token: '1.handle', home_id: 'h-known' })
      expect(asked).toEqual([])
      expect(window.early).toMatchObject([{ method: 'GET', url: '/api/auth/me', body: '' }])
    },
  )
})

describe('what the document of /events asks', () => {
  const now = Date.now()
  const { newest } = newestDay(spanOf(quickRange(14, now)))

  it.each([
    ['history', {}, false],
    ['get-event-list', { isFreeView: 'yes' }, true],
  ] as const)('asks today’s %s just as the list of the page does', async (path, kept, isFree) => {
    const { asked } = await openDocument(EVENTS, SIGNED_IN, kept)
    expect(asked).toMatchObject([{ path, body: eventsOf(newest, isFree).input }])
    expect(asked).toHaveLength(1)
  })

  it('asks nothing where the address names its days', async () => {
    const { asked } = await openDocument(EVENTS, SIGNED_IN, {}, {}, '?from=2026-11-01&to=2026-11-02')
    expect(asked).toEqual([])
  })
})

describe('an answer that the document has asked for', () => {
  const noted: Exchange[] = []
  const asked: string[] = []
  const again = (input: RequestInfo | URL, init?: RequestInit) => {
    asked.push(`${init?.method ?? 'GET'} ${String(input)} ${typeof init?.body === 'string' ? init.body : ''}`)
    return Promise.resolve(Response.json(String(input).endsWith('/home') ? homes : devices))
  }
  const note = (exchange: Exchange) => void noted.push(exchange)

  beforeEach(() => {
    noted.length = 0
    asked.length = 0
    localStorage.clear()
    $homeId.set('')
    $userCameras.set([])
    $devices.set({ state: 'loading' })
    document.documentElement.dataset['environment'] = 'preview'
    configureClient({
      fetch: earlyFetch(loggedFetch(again, note), note),
      token: () => '',
      xsrf: () => '',
      refresh: () => Promise.resolve('over'),
      signedOut: () => undefined,
    })
  })
  afterEach(() => {
    delete window.early
  })

  const opened = async (kept: Record<string, string>, answers?: Answers) => {
    window.early = (await openDocument(LIVE, SIGNED_IN, kept, answers)).window.early ?? []
  }

  it('OPEN-137 is taken where the store asks the same, and noted with the time at which it was asked', async () => {
    await opened({})
    const askedAt = window.early?.map(({ at }) => at)
    expect(await loadDevices()).toBe(true)
    expect($devices.get()).toMatchObject({ state: 'ready', devices: [{ device_id: 'A1' }] })
    expect(asked).toEqual([])
    expect(noted).toMatchObject([
      { method: 'GET', url: '/api/p/new-device/app/v4/home', status: 200, at: askedAt?.[1] },
      { method: 'POST', status: 200, payload: '{"device_category":"camera","env":"preview","home_id":"h-mine"}' },
    ])
  })

  it('is not taken where the store asks another question', async () => {
    await opened({ web_app_token: '1.handle', home_id: 'h-other' })
    expect(await loadDevices()).toBe(true)
    expect(asked).toHaveLength(1)
    expect(asked[0]).toContain('"home_id":"h-mine"')
    expect(window.early?.map(({ body }) => body)).toContain(
      '{"device_category":"camera","env":"preview","home_id":"h-other"}',
    )
  })

  it('is taken once', async () => {
    await opened({})
    await loadDevices()
    expect(asked).toEqual([])
    await loadDevices()
    expect(asked).toHaveLength(2)
  })

  it('OPEN-137 is noted and handed on where it is a failure', async () => {
    await opened(
      {},
      { home: () => Response.json(homes), 'get-home-devices': () => Response.json({ code: 500 }, { status: 500 }) },
    )
    expect(await loadDevices()).toBe(false)
    expect(asked).toEqual([])
    expect(noted.map(({ status }) => status)).toEqual([200, 500])
  })

  it('OPEN-137 is noted and asked for again where nobody answered', async () => {
    await opened({}, { home: () => Response.error() as never })
    window.early = [
      {
        method: 'GET',
        url: '/api/p/new-device/app/v4/home',
        body: '',
        at: Date.now(),
        answer: Promise.reject(new TypeError('gone')),
      },
    ]
    expect(await loadDevices()).toBe(true)
    expect(noted.map(({ status }) => status)).toEqual([0, 200, 200])
  })

  it('is not taken once it is as old as a request that is given up', async () => {
    const answer = Promise.resolve({ status: 200, text: '{}' })
    window.early = [{ method: 'GET', url: '/x/home', body: '', at: Date.now() - 30_000, answer }]
    await earlyFetch(again, note)('/x/home')
    expect(asked).toEqual(['GET /x/home '])
    expect(noted).toEqual([])
  })

  it('is given up with the request that waits for it', async () => {
    window.early = [{ method: 'GET', url: '/x', body: '', at: Date.now(), answer: new Promise(() => {}) }]
    const end = new AbortController()
    const answer = earlyFetch(again, note)('/x', { signal: end.signal })
    end.abort()
    await expect(answer).rejects.toThrow()
    expect(asked).toEqual([])
    await expect(earlyFetch(again, vi.fn())('/x', { signal: AbortSignal.abort() })).resolves.toBeInstanceOf(Response)
  })
})

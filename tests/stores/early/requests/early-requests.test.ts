import { describe, expect, test } from 'vitest'
import { gatewayPath } from '../../../../contract/wire/call.ts'
import { getSubscriptions } from '../../../../contract/billing/subscriptions.ts'
import { newestDay, quickRange, toSpan } from '../../../../src/domain/time/date-range.ts'
import { ACCOUNT_FIRST } from '../../../../src/early/requests/account.ts'
import { EVENTS_EARLY_REQUESTS, eventsRequest } from '../../../../src/early/requests/events.ts'
import { LIVE } from '../../../../src/early/requests/live.ts'
import { devices, openDocument, SIGNED_IN } from '../../../support/first-document.ts'

describe('early requests of the plan pages', () => {
  const storage = { web_app_token: '1.handle', userId: 'user/1' }

  test('fetch the plans of the last account from the same URL as the page', async () => {
    const { window } = await openDocument(ACCOUNT_FIRST, SIGNED_IN, storage)
    expect(window.early?.[1]?.url).toBe(gatewayPath(getSubscriptions, { uuid: 'user/1' }))
  })

  test.each([['web_app_token'], ['userId']])('fetch no plans if %s is not stored', async (missing) => {
    const { asked: requests } = await openDocument(ACCOUNT_FIRST, SIGNED_IN, { ...storage, [missing]: '' })
    expect(requests).toEqual([])
  })
})

describe('early requests of /live', () => {
  test('fetch the devices of the last visited home in parallel with the homes', async () => {
    const { asked: requests } = await openDocument(LIVE, SIGNED_IN, { web_app_token: '1.handle', home_id: 'h-known' })
    expect(requests.map(({ path }) => path)).toEqual(['home', 'get-home-devices'])
    expect(requests[1]).toMatchObject({
      headers: { 'web-app-token': '1.handle', 'X-XSRF-TOKEN': 'a+b' },
      body: { device_category: 'camera', env: 'preview', home_id: 'h-known' },
    })
  })

  test('fetch all devices in parallel with the homes if no home is known', async () => {
    const { asked: requests } = await openDocument(LIVE, SIGNED_IN, {})
    expect(requests.map(({ path }) => path)).toEqual(['home', 'get-home-devices'])
    expect(requests[1]?.body).toEqual({ device_category: 'camera', env: 'preview' })
  })

  test('fetch the last picture of the first camera with priority, and none without a camera', async () => {
    const { window } = await openDocument(LIVE, SIGNED_IN, { web_app_token: '1.handle', home_id: 'h-known' })
    expect(window.pictures).toEqual([{ src: '/m/last/A1', fetchPriority: 'high' }])
    const none = { ...devices, data: { ...devices.data, device_list: [] } }
    const empty = await openDocument(LIVE, SIGNED_IN, {}, { 'get-home-devices': () => Response.json(none) })
    expect(empty.window.pictures).toEqual([])
  })

  test('ignore data that was stored without a token, because it may belong to another account', async () => {
    const { asked: requests } = await openDocument(LIVE, SIGNED_IN, {
      home_id: 'h-known',
      'user-cameras': '[{"device_id":"A1"}]',
    })
    expect(requests.map(({ path }) => path)).toEqual(['home', 'get-home-devices'])
    expect(requests[1]?.body).not.toHaveProperty('home_id')
  })

  test('fetch nothing more when the homes call is rejected', async () => {
    const { asked: requests, window } = await openDocument(
      LIVE,
      SIGNED_IN,
      {},
      { home: () => Response.json({ code: 401 }, { status: 401 }) },
    )
    expect(requests.map(({ path }) => path)).toEqual(['home', 'get-home-devices'])
    expect(await window.early?.[1]?.answer).toEqual({ status: 401, text: '{"code":401}' })
  })

  test('open the sockets of the first nine cameras of the last visit and buffer their messages', async () => {
    const names = [...'abcdefghi']
    const ids = [...names, 'j'].map((device_id) => ({ device_id }))
    const streams = () =>
      Response.json({
        code: 200,
        data: { streams: ids.map(({ device_id }) => ({ signalling_url: `wss://x/${device_id}?t=1` })) },
      })
    const storage = { web_app_token: '1.handle', home_id: 'h-known', 'user-cameras': JSON.stringify(ids) }
    const { asked: requests, window } = await openDocument(LIVE, SIGNED_IN, storage, { 'get-streams': streams })
    expect(requests.at(-1)?.body).toEqual({ device_list: ids })
    expect([...(window.earlySockets?.keys() ?? [])]).toEqual(names.map((id) => `wss://x/${id}?t=1&relay=1`))
    const [first] = window.earlySockets?.values() ?? []
    first?.socket.onmessage?.('hello')
    expect(first?.missed).toEqual(['hello'])
  })

  test.each(['no list', 'null', '{}', '[null]'])('fetch the rest if %s is stored as cameras', async (cameras) => {
    const storage = { web_app_token: '1.handle', home_id: 'h-known', 'user-cameras': cameras }
    const { asked: requests } = await openDocument(LIVE, SIGNED_IN, storage)
    expect(requests.map(({ path }) => path)).toEqual(['home', 'get-home-devices'])
  })

  test.each(['XSRF-TOKEN=x', 'signed_in=1', ''])(
    'fetch only the current user for a visitor with the cookies "%s"',
    async (cookie) => {
      const { asked: requests, window } = await openDocument(LIVE, cookie, {
        web_app_token: '1.handle',
        home_id: 'h-known',
      })
      expect(requests).toEqual([])
      expect(window.early).toMatchObject([{ method: 'GET', url: '/api/auth/me', body: '' }])
    },
  )
})

describe('early requests of /events', () => {
  const now = Date.now()
  const { newest } = newestDay(toSpan(quickRange(14, now)))

  test.each([
    ['history', {}, false],
    ['get-event-list', { isFreeView: 'yes' }, true],
  ] as const)('fetch today’s %s exactly as the event list of the page does', async (path, storage, isFree) => {
    const { asked: requests } = await openDocument(EVENTS_EARLY_REQUESTS, SIGNED_IN, storage)
    expect(requests).toMatchObject([{ path, body: eventsRequest(newest, isFree).input }])
    expect(requests).toHaveLength(1)
  })

  test('fetch the thumbnail of the newest event', async () => {
    const event_list = ['e6', 'e5', 'e4', 'e3', 'e2'].map((event_id) => ({ event_id }))
    const history = () => Response.json({ code: 200, data: { event_list } })
    const { window } = await openDocument(EVENTS_EARLY_REQUESTS, SIGNED_IN, {}, { history })
    expect(window.pictures?.map(({ src }) => src)).toEqual(['/m/thumb/e6'])
  })

  test('fetch nothing if the URL names its days', async () => {
    const { asked: requests } = await openDocument(
      EVENTS_EARLY_REQUESTS,
      SIGNED_IN,
      {},
      {},
      '?from=2026-11-01&to=2026-11-02',
    )
    expect(requests).toEqual([])
  })
})

import { describe, expect, test } from 'vitest'
import { formatGatewayPath } from '../../../../contract/wire/call.ts'
import { getSubscriptions } from '../../../../contract/billing/subscriptions.ts'
import { splitNewestDay, toDateRange, toSpan } from '../../../../src/domain/time/date-range.ts'
import { ACCOUNT_EARLY_REQUESTS } from '../../../../src/early/requests/account.ts'
import { EVENTS_EARLY_REQUESTS, eventsRequest } from '../../../../src/early/requests/events.ts'
import { LIVE_EARLY_REQUESTS } from '../../../../src/early/requests/live.ts'
import { DEVICES_RESPONSE, runInlineScript, SIGNED_IN_COOKIES } from '../../../support/first-document.ts'

describe('early requests of the plan pages', () => {
  const storage = { web_app_token: '1.handle', userId: 'user/1' }

  test('fetch the plans of the last account from the same URL as the page', async () => {
    const { window } = await runInlineScript(ACCOUNT_EARLY_REQUESTS, SIGNED_IN_COOKIES, storage)
    expect(window.early?.[1]?.url).toBe(formatGatewayPath(getSubscriptions, { uuid: 'user/1' }))
  })

  test.each([['web_app_token'], ['userId']])('fetch no plans if %s is not stored', async (missing) => {
    const { requests } = await runInlineScript(ACCOUNT_EARLY_REQUESTS, SIGNED_IN_COOKIES, {
      ...storage,
      [missing]: '',
    })
    expect(requests).toEqual([])
  })
})

describe('early requests of /live', () => {
  test('fetch the devices of the last visited home, which the tiles wait for, and then the homes', async () => {
    const { requests } = await runInlineScript(LIVE_EARLY_REQUESTS, SIGNED_IN_COOKIES, {
      web_app_token: '1.handle',
      home_id: 'h-known',
    })
    expect(requests.map(({ path }) => path)).toEqual(['get-home-devices', 'home'])
    expect(requests[0]).toMatchObject({
      headers: { 'web-app-token': '1.handle', 'X-XSRF-TOKEN': 'a+b' },
      body: { device_category: 'camera', env: 'preview', home_id: 'h-known' },
    })
  })

  test('fetch all devices in parallel with the homes if no home is known', async () => {
    const { requests } = await runInlineScript(LIVE_EARLY_REQUESTS, SIGNED_IN_COOKIES, {})
    expect(requests.map(({ path }) => path)).toEqual(['get-home-devices', 'home'])
    expect(requests[0]?.body).toEqual({ device_category: 'camera', env: 'preview' })
  })

  test('fetch the last picture of the first camera with priority, and none without a camera', async () => {
    const { window } = await runInlineScript(LIVE_EARLY_REQUESTS, SIGNED_IN_COOKIES, {
      web_app_token: '1.handle',
      home_id: 'h-known',
    })
    expect(window.pictures).toEqual([{ src: '/m/last/A1', fetchPriority: 'high' }])
    const none = { ...DEVICES_RESPONSE, data: { ...DEVICES_RESPONSE.data, device_list: [] } }
    const empty = await runInlineScript(
      LIVE_EARLY_REQUESTS,
      SIGNED_IN_COOKIES,
      {},
      { 'get-home-devices': () => Response.json(none) },
    )
    expect(empty.window.pictures).toEqual([])
  })

  test('ignore data that was stored without a token, because it may belong to another account', async () => {
    const { requests } = await runInlineScript(LIVE_EARLY_REQUESTS, SIGNED_IN_COOKIES, {
      home_id: 'h-known',
      'user-cameras': '[{"device_id":"A1"}]',
    })
    expect(requests.map(({ path }) => path)).toEqual(['get-home-devices', 'home'])
    expect(requests[0]?.body).not.toHaveProperty('home_id')
  })

  test('fetch nothing more when the homes call is rejected', async () => {
    const { requests, window } = await runInlineScript(
      LIVE_EARLY_REQUESTS,
      SIGNED_IN_COOKIES,
      {},
      { home: () => Response.json({ code: 401 }, { status: 401 }) },
    )
    expect(requests.map(({ path }) => path)).toEqual(['get-home-devices', 'home'])
    expect(await window.early?.[2]?.answer).toEqual({ status: 401, text: '{"code":401}' })
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
    const { requests, window } = await runInlineScript(LIVE_EARLY_REQUESTS, SIGNED_IN_COOKIES, storage, {
      'get-streams': streams,
    })
    expect(requests.map(({ path }) => path)).toEqual(['get-streams', 'get-home-devices', 'home'])
    expect(requests[0]?.body).toEqual({ device_list: ids })
    expect([...(window.earlySockets?.keys() ?? [])]).toEqual(names.map((id) => `wss://x/${id}?t=1&checks=1&relay=1`))
    const [first] = window.earlySockets?.values() ?? []
    first?.socket.onmessage?.('hello')
    expect(first?.bufferedMessages).toEqual(['hello'])
  })

  test.each(['no list', 'null', '{}', '[null]'])('fetch the rest if %s is stored as cameras', async (cameras) => {
    const storage = { web_app_token: '1.handle', home_id: 'h-known', 'user-cameras': cameras }
    const { requests } = await runInlineScript(LIVE_EARLY_REQUESTS, SIGNED_IN_COOKIES, storage)
    expect(requests.map(({ path }) => path)).toEqual(['get-home-devices', 'home'])
  })

  test.each(['XSRF-TOKEN=x', 'signed_in=1', ''])(
    'fetch only the current user for a visitor with the cookies "%s"',
    async (cookie) => {
      const { requests, window } = await runInlineScript(LIVE_EARLY_REQUESTS, cookie, {
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
  const { newest } = splitNewestDay(toSpan(toDateRange(14, now)))

  test.each([
    ['history', {}, false],
    ['get-event-list', { isFreeView: 'yes' }, true],
  ] as const)('fetch today’s %s exactly as the event list of the page does', async (path, storage, isFree) => {
    const { requests } = await runInlineScript(EVENTS_EARLY_REQUESTS, SIGNED_IN_COOKIES, storage)
    expect(requests).toMatchObject([{ path, body: eventsRequest(newest, isFree).input }])
    expect(requests).toHaveLength(1)
  })

  test('fetch the thumbnail of the newest event, and hand the events to the early cards', async () => {
    const event_list = ['e6', 'e5', 'e4', 'e3', 'e2'].map((event_id) => ({ event_id }))
    const history = () => Response.json({ code: 200, data: { event_list } })
    const { window } = await runInlineScript(EVENTS_EARLY_REQUESTS, SIGNED_IN_COOKIES, {}, { history })
    expect(window.pictures?.map(({ src }) => src)).toEqual(['/m/thumb/e6'])
    expect(window.earlyEvents).toMatchObject(event_list)
  })

  test('fetch nothing if the URL names its days', async () => {
    const { requests } = await runInlineScript(
      EVENTS_EARLY_REQUESTS,
      SIGNED_IN_COOKIES,
      {},
      {},
      '?from=2026-11-01&to=2026-11-02',
    )
    expect(requests).toEqual([])
  })
})

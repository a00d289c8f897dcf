import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import type { Event } from '../../../contract/events/events.ts'
import type { WireDevice } from '../../../contract/cameras/devices.ts'
import { stubApiResponses } from '../../support/client.ts'
import { WAIT_OPTIONS } from '../../support/patience.ts'

let feedServer: WebSocketServer
beforeEach(async () => {
  localStorage.clear()
  vi.resetModules()
  // Use the client of `ws`, because Node's own WebSocket does not work with jsdom's `Event`.
  vi.stubGlobal('WebSocket', WebSocket)
  feedServer = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await new Promise((resolve) => feedServer.once('listening', resolve))
})
afterEach(() => {
  vi.unstubAllGlobals()
  for (const client of feedServer.clients) client.terminate()
  return new Promise((resolve) => feedServer.close(resolve))
})

const createCamera = (device_id: string, covered: boolean, role = 1): WireDevice => ({
  device_id,
  device_model: 'PL-CAM-V1',
  nickname: device_id,
  device_order: 0,
  role,
  device_category: 'camera',
  covered,
})
const createEvent = (event_id: string, tag: string): Event => ({
  event_id,
  device_id: 'a',
  event_ts: Date.now(),
  tags: [tag],
  event_values: [],
  title: event_id,
  event_resources: [],
  reviewed: false,
})
const FREE_TAG = '101'
const PAID_TAG = '100'

async function openPage(cameras: readonly WireDevice[]) {
  const { port } = feedServer.address() as { port: number }
  const list = { code: 200, data: { event_list: [] } }
  const { configureClient } = await import('../../../src/api/api-client.ts')
  const requests: string[] = []
  const answers: Record<string, unknown> = {
    home: { code: 1, data: [] },
    history: list,
    'get-event-list': list,
    'get-home-devices': { code: 1, data: { device_list: cameras, sort_type: 0, sort_direction: 0 } },
    'feed-ticket': { code: 200, data: { url: `ws://127.0.0.1:${port}/?ticket=1` } },
  }
  configureClient({
    fetch: (input) => {
      const name = new URL(String(input), 'http://localhost').pathname.split('/').at(-1) ?? ''
      requests.push(name)
      return answers[name] ? Promise.resolve(Response.json(answers[name])) : Promise.reject(new TypeError('no network'))
    },
    token: () => 'handle',
    xsrf: () => 'xsrf',
    refresh: () => Promise.resolve('over'),
    onSignedOut: () => undefined,
  })
  const devices = await import('../../../src/stores/home/devices.ts')
  const events = await import('../../../src/stores/events/events.ts')
  const joined = new Promise<WebSocket>((resolve) => feedServer.once('connection', resolve))
  await devices.loadDevices()
  const stop = events.startEvents()
  const feed = await joined
  await vi.waitFor(() => expect(events.$events.get()).toMatchObject({ state: 'ready', isFilling: false }), WAIT_OPTIONS)
  const pushEvent = (newEvent: Event) => feed.send(JSON.stringify({ type: 'event', event: newEvent }))
  const changeCameras = async (list: readonly WireDevice[]) => {
    answers['get-home-devices'] = { code: 1, data: { device_list: list, sort_type: 0, sort_direction: 0 } }
    await devices.reloadDevices()
  }
  const listVisibleIds = () => events.$filteredEvents.get().map(({ event_id }) => event_id)
  return {
    ...events,
    pushEvent,
    changeCameras,
    listVisibleIds,
    stop,
    requests,
    isFree: () => devices.$isFreeView.get(),
  }
}

test('EVENT-29 OPEN-147 the free view shows no event of a paid type from the feed', async () => {
  const { pushEvent, listVisibleIds, stop, requests } = await openPage([createCamera('a', false)])
  pushEvent(createEvent('paid', PAID_TAG))
  pushEvent(createEvent('free', FREE_TAG))
  await vi.waitFor(() => expect(listVisibleIds()).toContain('free'), WAIT_OPTIONS)
  expect(listVisibleIds()).toEqual(['free'])
  expect(requests).toContain('get-event-list')
  expect(requests).not.toContain('history')
  stop()
})

test('OPEN-147 a guest of a covered camera has the paid view, regardless of their own cameras', async () => {
  const { pushEvent, listVisibleIds, stop, requests, isFree } = await openPage([
    createCamera('own', false),
    createCamera('a', true, 2),
  ])
  pushEvent(createEvent('paid', PAID_TAG))
  await vi.waitFor(() => expect(listVisibleIds()).toEqual(['paid']), WAIT_OPTIONS)
  expect([isFree(), requests.includes('history'), requests.includes('get-event-list')]).toEqual([false, true, false])
  stop()
})

test('OPEN-147 the free view flag is cached from the last visit, and false before any response', async () => {
  const first = await openPage([createCamera('a', false)])
  first.stop()
  expect(first.isFree()).toBe(true)
  vi.resetModules()
  stubApiResponses({})
  const { $isFreeView } = await import('../../../src/stores/home/devices.ts')
  expect($isFreeView.get()).toBe(true)
  localStorage.clear()
  vi.resetModules()
  expect((await import('../../../src/stores/home/devices.ts')).$isFreeView.get()).toBe(false)
})

test('OPEN-147 a list keeps its events, and so the keyboard focus in it, while it loads for another view', async () => {
  const { $events, pushEvent, changeCameras, listVisibleIds, stop, requests } = await openPage([
    createCamera('a', true),
  ])
  pushEvent(createEvent('shown', FREE_TAG))
  await vi.waitFor(() => expect(listVisibleIds()).toEqual(['shown']), WAIT_OPTIONS)
  const states: string[] = []
  const lists: string[][] = []
  $events.listen(({ state }) => (states.push(state), lists.push(listVisibleIds())))
  await changeCameras([createCamera('a', false)])
  await vi.waitFor(() => expect(requests).toContain('get-event-list'), WAIT_OPTIONS)
  await vi.waitFor(() => expect(lists.at(-1)).toEqual([]), WAIT_OPTIONS)
  expect(new Set(states)).toEqual(new Set(['ready']))
  stop()
})

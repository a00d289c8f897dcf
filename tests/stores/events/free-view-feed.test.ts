import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import WebSocket, { WebSocketServer } from 'ws'
import type { Event } from '../../../contract/events/events.ts'
import { $isFreeView } from '../../../src/stores/home/devices.ts'
import { $events, startEvents } from '../../../src/stores/events/events.ts'
import { $userId } from '../../../src/stores/session/session.ts'
import { stubApiResponses } from '../../support/client.ts'
import { WAIT_OPTIONS } from '../../support/patience.ts'

const FREE_TAG = '101'
const PAID_TAG = '12'
const createEvent = (event_id: string, tag: string): Event => ({
  event_id,
  device_id: 'CAM1',
  event_ts: Date.now(),
  tags: [tag],
  event_values: [],
  title: 'Somebody',
  event_resources: [],
  reviewed: false,
})
const listVisibleIds = () => {
  const list = $events.get()
  return list.state === 'ready' && !list.isFilling ? list.events.map(({ event_id }) => event_id) : null
}

let feedServer: WebSocketServer
beforeEach(async () => {
  // Use the client of `ws`, because Node's own WebSocket does not work with jsdom's `Event`.
  vi.stubGlobal('WebSocket', WebSocket)
  feedServer = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await once(feedServer, 'listening')
})
afterEach(() => {
  for (const client of feedServer.clients) client.terminate()
  feedServer.close()
  vi.unstubAllGlobals()
})

test('an account without plans is not shown paid events from the feed', async () => {
  const url = `ws://127.0.0.1:${(feedServer.address() as AddressInfo).port}/?ticket=1`
  const none = { code: 200, data: { event_list: [] } }
  stubApiResponses({
    'feed-ticket': { code: 200, data: { url } },
    user_1: { code: 200, data: { subscriptions: [] } },
    history: none,
    'get-event-list': none,
  })
  $userId.set('user_1')
  $isFreeView.set(true)
  const connected = once(feedServer, 'connection')
  const stop = startEvents()
  const [socket] = (await connected) as [WebSocket]
  await vi.waitFor(() => expect(listVisibleIds()).toEqual([]), WAIT_OPTIONS)
  for (const message of [createEvent('paid', PAID_TAG), createEvent('free', FREE_TAG)])
    socket.send(JSON.stringify({ type: 'event', event: message }))
  await vi.waitFor(() => expect(listVisibleIds()).toContain('free'), WAIT_OPTIONS)
  expect(listVisibleIds()).toEqual(['free'])
  stop()
})

import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import WebSocket, { WebSocketServer } from 'ws'
import type { Event } from '../../../contract/events/events.ts'
import { $isFreeView } from '../../../src/stores/home/devices.ts'
import { $events, startEvents } from '../../../src/stores/events/events.ts'
import { $userId } from '../../../src/stores/session/session.ts'
import { answerWith } from '../../support/client.ts'
import { patience } from '../../support/patience.ts'

const FREE = '101'
const PAID = '12'
const event = (event_id: string, tag: string): Event => ({
  ...{ event_id, device_id: 'CAM1', event_ts: Date.now(), tags: [tag], event_values: [], title: 'Somebody' },
  ...{ event_resources: [], reviewed: false },
})
const listVisibleIds = () => {
  const list = $events.get()
  return list.state === 'ready' && !list.filling ? list.events.map(({ event_id }) => event_id) : null
}

let feed: WebSocketServer
beforeEach(async () => {
  // Use the client of `ws`, because Node's own WebSocket does not work with jsdom's `Event`.
  vi.stubGlobal('WebSocket', WebSocket)
  feed = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await once(feed, 'listening')
})
afterEach(() => {
  for (const client of feed.clients) client.terminate()
  feed.close()
  vi.unstubAllGlobals()
})

test('an account without plans is not shown paid events from the feed', async () => {
  const url = `ws://127.0.0.1:${(feed.address() as AddressInfo).port}`
  const none = { code: 200, data: { event_list: [] } }
  answerWith({
    'feed-ticket': { code: 200, data: { url } },
    user_1: { code: 200, data: { subscriptions: [] } },
    history: none,
    'get-event-list': none,
  })
  $userId.set('user_1')
  $isFreeView.set(true)
  const connected = once(feed, 'connection')
  const stop = startEvents()
  const [line] = (await connected) as [WebSocket]
  await vi.waitFor(() => expect(listVisibleIds()).toEqual([]), patience)
  for (const message of [event('paid', PAID), event('free', FREE)])
    line.send(JSON.stringify({ type: 'event', event: message }))
  await vi.waitFor(() => expect(listVisibleIds()).toContain('free'), patience)
  expect(listVisibleIds()).toEqual(['free'])
  stop()
})

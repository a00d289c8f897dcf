import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { HEARTBEAT_TEXT } from '../../../contract/bridge/heartbeat.ts'
import { FEED_CHECK_TEXT, type FeedMessage } from '../../../contract/events/feed.ts'
import { feedTicket } from '../../../contract/events/feed-and-review-calls.ts'
import { getStreams } from '../../../contract/live/live-calls.ts'
import { PAGE_CHECKS_PARAMETER } from '../../../contract/wire/constants.ts'
import { HEARTBEAT_TIMEOUT_MS } from '../../../provider/bridge/control-socket.ts'
import { createFeedConnection } from '../../../src/stores/home/feed-connection.ts'
import { readBilledWork, readWorkUntilIdle, type CountedObject } from '../../support/billed-work/billed-work.ts'
import { openNeighborhood, type Household, type Neighborhood } from '../../support/home.ts'
import { openSocket, type TestSocket } from '../../support/socket.ts'

/** Time within which an open page must show that a bridge lost power. */
const OFFLINE_WITHIN_MS = 30_000
const CAMERA = 'door_a'
/** Number of consecutive reads without work after which the provider counts as idle. */
const IDLE_READS = 3

let neighborhood: Neighborhood
beforeAll(async () => {
  neighborhood = await openNeighborhood({ countsWork: true })
  await neighborhood.a.bridge.register(CAMERA)
})
afterAll(() => neighborhood.close())

let bridge: TestSocket
beforeEach(async () => {
  bridge = await neighborhood.a.bridge.openControlSocket()
  bridge.send({ type: 'hello', version: '1', cameras: [{ device_id: CAMERA, state: 'awake', reason: '' }] })
  await bridge.receive((message) => message.type === 'welcome')
  // The first check after a connect finds no page, so the next alarm is due in 15 minutes.
  await (getBridge() as unknown as CountedObject).runAlarm()
  await readWorkUntilIdle(neighborhood.stage.provider)
})
afterEach(async () => {
  await bridge.close()
  vi.unstubAllGlobals()
})

const getBridge = () => neighborhood.bindings.BRIDGES.getByName(neighborhood.a.bridge.id)
const openPageSocket = (url: string) => openSocket(url, { origin: neighborhood.stage.env.PORTAL_ORIGIN })

async function fetchFeedUrl(household: Household = neighborhood.a): Promise<string> {
  return (await neighborhood.call(household, feedTicket)).body.data.url
}

async function fetchViewerUrl(): Promise<string> {
  const { body } = await neighborhood.call(neighborhood.a, getStreams, { device_list: [{ device_id: CAMERA }] })
  return body.data.streams[0].signalling_url
}

/** Returns the rows that the `Bridge` object writes when a socket with this URL opens. */
async function countBridgeRows(fetchUrl: () => Promise<string>, parameters: string): Promise<number> {
  const url = await fetchUrl()
  await readWorkUntilIdle(neighborhood.stage.provider)
  const socket = await openPageSocket(url + parameters)
  let rows = 0
  for (let idleReads = 0; idleReads < IDLE_READS; idleReads += 1) {
    const { objectRequests, rowsWritten } = await readBilledWork(neighborhood.stage.provider)
    if (Object.keys(objectRequests).length > 0) idleReads = -1
    rows += rowsWritten['Bridge'] ?? 0
  }
  await socket.close()
  return rows
}

/** Opens the feed as the portal's pages do. Returns its messages. */
function openPageFeed() {
  vi.stubGlobal('document', Object.assign(new EventTarget(), { hidden: false }))
  const messages: FeedMessage[] = []
  const feed = createFeedConnection({
    fetchUrl: () => fetchFeedUrl(),
    createSocket: (url) => new WebSocket(url, { headers: { origin: neighborhood.stage.env.PORTAL_ORIGIN } } as never),
    random: Math.random,
  })
  feed.subscribe((message) => messages.push(message))
  feed.open()
  return { feed, messages }
}

test('a bridge that loses power is offline on an open page within 30 s, because the page requests checks', async () => {
  const { feed, messages } = openPageFeed()
  await vi.waitUntil(() => messages.some(({ type }) => type === 'hello'))
  bridge.send(HEARTBEAT_TEXT)
  await bridge.receive((message) => message.type === 'pong')
  const heartbeatAt = Date.now()
  const isOff = (message: FeedMessage) => message.type === 'camera-state' && message.state === 'bridge_off'
  await vi.waitUntil(() => messages.some(isOff), { timeout: 60_000, interval: 50 })
  expect(Date.now() - heartbeatAt).toBeLessThan(OFFLINE_WITHIN_MS)
  feed.close()
}, 90_000)

test('a check that a page requests writes no row, and costs a message and a request', async () => {
  const { stage, b } = neighborhood
  await b.bridge.register('door_b')
  const control = await b.bridge.openControlSocket()
  control.send({ type: 'hello', version: '1', cameras: [{ device_id: 'door_b', state: 'awake', reason: '' }] })
  // A page whose URL announces no checks causes no check when it opens, so this home does not know when one is due.
  const feed = await openPageSocket(await fetchFeedUrl(b))
  await control.receive(({ type }) => type === 'welcome')
  await readWorkUntilIdle(stage.provider)
  feed.send(FEED_CHECK_TEXT)
  const { next_ms } = await feed.receive(({ type }) => type === 'checked')
  expect(next_ms).toBeGreaterThan(HEARTBEAT_TIMEOUT_MS / 2)
  expect(await readWorkUntilIdle(stage.provider)).toEqual({ rowsWritten: 0, objectRequests: 2, d1Queries: 0 })
  await Promise.all([feed.close(), control.close()])
})

test('checks that several pages request together cost one request to the bridge', async () => {
  const { stage } = neighborhood
  const url = () => fetchFeedUrl().then((ticket) => `${ticket}&${PAGE_CHECKS_PARAMETER}=1`)
  const feeds = [await openPageSocket(await url()), await openPageSocket(await url())]
  for (const feed of feeds) await feed.receive(({ type }) => type === 'checked')
  await readWorkUntilIdle(stage.provider)
  for (const feed of feeds) feed.send(FEED_CHECK_TEXT)
  for (const feed of feeds) await feed.receive(({ type }) => type === 'checked')
  const { objectRequests } = await readBilledWork(stage.provider)
  expect(objectRequests['Bridge.checkConnection'] ?? 0).toBeLessThanOrEqual(1)
  for (const feed of feeds) await feed.close()
})

const sendsChecks = `&${PAGE_CHECKS_PARAMETER}=1`
test('a feed and a viewer set alarms only if their page requests no checks', async () => {
  expect(await countBridgeRows(() => fetchFeedUrl(), sendsChecks)).toBe(0)
  expect(await countBridgeRows(fetchViewerUrl, sendsChecks)).toBe(0)
  expect(await countBridgeRows(() => fetchFeedUrl(), '')).toBeGreaterThan(0)
})

test('a viewer of a page that requests no checks sets an alarm', async () => {
  expect(await countBridgeRows(fetchViewerUrl, '')).toBeGreaterThan(0)
})

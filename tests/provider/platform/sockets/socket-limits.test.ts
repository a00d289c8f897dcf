import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CLOSE_RATE_LIMITED } from '../../../../contract/wire/socket-close-codes.ts'
import { getHomeDevices } from '../../../../contract/cameras/devices.ts'
import { feedTicket } from '../../../../contract/events/feed-and-review-calls.ts'
import { getStreams } from '../../../../contract/live/live-calls.ts'
import { RELAY_MESSAGE_TYPES } from '../../../../contract/live/relay-protocol.ts'
import { recordCaseCount } from '../../../support/cases.ts'
import { openNeighborhood, type Household, type Neighborhood } from '../../../support/home.ts'
import { openSocket, type TestSocket } from '../../../support/socket.ts'

/**
 * After a viewer floods a camera, the camera rejects new viewers of the same account for a minute. Therefore no viewer
 * floods `door_a`, and each of the remaining cameras gets only one flooding viewer.
 */
const CAMERAS = ['door_a', 'flood_1', 'flood_2', 'flood_3', 'flood_4'] as const
let neighborhood: Neighborhood
let control: TestSocket
let neighbor: TestSocket
beforeAll(async () => {
  neighborhood = await openNeighborhood()
  for (const camera of CAMERAS) await neighborhood.a.bridge.register(camera, { renditions: ['360p', '720p'] })
  await neighborhood.b.bridge.register('door_b')
  control = await connectBridge()
  neighbor = await openFeed(neighborhood.b)
})
afterAll(() => neighborhood.close())

async function connectBridge(): Promise<TestSocket> {
  const socket = await neighborhood.a.bridge.openControlSocket()
  const cameras = CAMERAS.map((device_id) => ({ device_id, state: 'awake', reason: '' }))
  socket.send({ type: 'hello', version: '1', cameras })
  await socket.receive((message) => message.type === 'welcome')
  return socket
}

async function openViewer(camera: string = CAMERAS[0]): Promise<TestSocket> {
  const { body } = await neighborhood.call(neighborhood.a, getStreams, { device_list: [{ device_id: camera }] })
  return openSocket(`${body.data.streams[0].signalling_url}&relay=1`, { origin: neighborhood.stage.env.PORTAL_ORIGIN })
}

async function openFeed(household: Household): Promise<TestSocket> {
  const { body } = await neighborhood.call(household, feedTicket)
  return openSocket(body.data.url, { origin: neighborhood.stage.env.PORTAL_ORIGIN })
}

function floodSocket(socket: TestSocket, messages: number, message: (n: number) => unknown): Promise<number> {
  for (let n = 0; n < messages; n++) socket.send(message(n))
  return socket.closeCode
}

/** Counts matching messages at the bridge. A ping first ensures that all earlier messages have arrived. */
async function countMessagesAtBridge(isMatch: (message: Record<string, unknown>) => boolean): Promise<number> {
  await control.ping()
  return control.countMessages(isMatch)
}

const getDoorStateReason = async () => {
  const { body } = await neighborhood.call(neighborhood.a, getHomeDevices, {
    device_category: 'camera',
    env: 'beta',
    home_id: neighborhood.a.homeId,
  })
  return (body.data.device_list as { device_id: string; state_reason: string }[]).find(
    ({ device_id }) => device_id === 'door_a',
  )?.state_reason
}

describe('closing a flooded socket without affecting others', () => {
  test.for<[string, string, (n: number) => unknown]>([
    ['flood_1', 'requests for other renditions', (n: number) => ({ action: 'RELAY_RENDITION', name: `r${n}` })],
    [
      'flood_2',
      'ICE candidates',
      (n: number) => ({
        action: 'ICE_CANDIDATE',
        messagePayload: btoa(`{"candidate":"candidate:${n} 1 udp 1 192.0.2.1 1 typ host"}`),
      }),
    ],
    ['flood_3', 'malformed JSON', (n: number) => `{"${n}`],
  ])(
    'closes a viewer of %s that sends 15,000 messages, %s, and rejects its next socket there',
    async (row, context) => {
      const [camera, , message] = row
      recordCaseCount(context, 15_000)
      const viewer = await openViewer(camera)
      control.clearInbox()
      expect(await floodSocket(viewer, 15_000, message)).toBe(CLOSE_RATE_LIMITED)
      expect(await countMessagesAtBridge(({ type }) => type === 'signal' || type === 'command')).toBeLessThan(700)
      expect(neighbor.isOpen).toBe(true)
      await expect(openViewer(camera)).rejects.toThrow('429')
      await (await openViewer()).close()
    },
  )

  test('closes a viewer that sends a few large messages', async () => {
    const viewer = await openViewer('flood_4')
    expect(await floodSocket(viewer, 20, () => 'x'.repeat(100_000))).toBe(CLOSE_RATE_LIMITED)
  })

  test('closes a source that sends more than any camera has', async (context) => {
    recordCaseCount(context, 5000)
    const viewer = await openViewer()
    await control.receive((message) => message.command === 'relay')
    const source = await neighborhood.a.bridge.openRelaySocket('door_a')
    expect(await floodSocket(source, 5000, () => Buffer.of(RELAY_MESSAGE_TYPES.init))).toBe(CLOSE_RATE_LIMITED)
    await viewer.close()
  })

  test('closes a bridge that sends 10,000 messages', async (context) => {
    recordCaseCount(context, 10_000)
    const bridge = await neighborhood.b.bridge.openControlSocket()
    expect(await floodSocket(bridge, 10_000, (n) => ({ type: 'ping', n }))).toBe(CLOSE_RATE_LIMITED)
    await control.ping()
  })
})

test('a camera that changes 2,000 times is reported a few times, ending with its current state', async (context) => {
  recordCaseCount(context, 2000)
  const feed = await openFeed(neighborhood.a)
  await feed.receive((message) => message.type === 'hello')
  for (let n = 1; n <= 2000; n++)
    control.send({ type: 'state', device_id: 'door_a', state: 'offline', reason: `Reason ${n}.`, at: Date.now() })
  await feed.receive((message) => message.type === 'camera-state' && message.reason === 'Reason 2000.')
  expect(feed.countMessages((message) => message.type === 'camera-state')).toBeLessThan(60)
  expect(await getDoorStateReason()).toBe('Reason 2000.')
  await feed.close()
  control.send({ type: 'state', device_id: 'door_a', state: 'awake', reason: '', at: Date.now() })
})

test('a viewer can request only a rendition that the camera has', async () => {
  const viewer = await openViewer()
  control.clearInbox()
  viewer.send({ action: 'RELAY_RENDITION', name: '4k' })
  viewer.send({ action: 'RELAY_RENDITION', name: '720p' })
  const command = await control.receive((message) => message.command === 'relay' && message.rendition !== undefined)
  expect(command.rendition).toBe('720p')
  await viewer.close()
})

describe('concurrent limits per account or bridge', () => {
  test('allow 12 sockets of a camera, and another one once one is closed', async () => {
    const viewers: TestSocket[] = []
    for (let n = 0; n < 12; n++) viewers.push(await openViewer())
    await expect(openViewer()).rejects.toThrow('429')
    await viewers.pop()?.close()
    viewers.push(await openWithRetry(openViewer))
    await Promise.all(viewers.map((viewer) => viewer.close()))
  })

  test('allow 40 feeds', async () => {
    const feeds: TestSocket[] = []
    for (let n = 0; n < 40; n++) feeds.push(await openFeed(neighborhood.a))
    await expect(openFeed(neighborhood.a)).rejects.toThrow('429')
    await feeds.pop()?.close()
    feeds.push(await openWithRetry(() => openFeed(neighborhood.a)))
    await Promise.all(feeds.map((feed) => feed.close()))
  })

  test('allow 64 cameras of a bridge, which can still change them', async () => {
    const more = Array.from({ length: 63 }, (_, n) => `many_${n}`)
    const answers = await Promise.all(more.map((device) => neighborhood.b.bridge.register(device)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(await neighborhood.b.bridge.register('many_63')).toMatchObject({
      status: 403,
      body: { msg: expect.stringMatching(/\b64\b/) as unknown },
    })
    expect((await neighborhood.b.bridge.register('many_0', { nickname: 'Gate' })).status).toBe(200)
  })
})

// Must be the last test: the account cannot open another feed for a minute.
test('a page that floods its feed is disconnected, and its account cannot open another one soon after', async () => {
  expect(await floodSocket(await openFeed(neighborhood.a), 1000, (n) => `${n}`)).toBe(CLOSE_RATE_LIMITED)
  await expect(openFeed(neighborhood.a)).rejects.toThrow('429')
  expect(neighbor.isOpen).toBe(true)
})

/** Opens a socket. Retries on 429, because the provider notices a closed socket with a short delay. */
async function openWithRetry(open: () => Promise<TestSocket>): Promise<TestSocket> {
  for (;;) {
    const socket = await open().catch((error: Error) => (error.message === '429' ? null : Promise.reject(error)))
    if (socket) return socket
  }
}

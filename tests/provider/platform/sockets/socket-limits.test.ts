import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { FLOODED } from '../../../../contract/wire/socket-close-codes.ts'
import { getHomeDevices } from '../../../../contract/cameras/devices.ts'
import { feedTicket } from '../../../../contract/events/feed-and-review-calls.ts'
import { getStreams } from '../../../../contract/live/live-calls.ts'
import { RELAY } from '../../../../contract/live/relay-protocol.ts'
import { tries } from '../../../support/cases.ts'
import { openNeighborhood, type Household, type Neighborhood } from '../../../support/home.ts'
import { openSocket, type Socket } from '../../../support/socket.ts'

/**
 * Tests never flood the first camera, and each of the others only once, because a camera rejects new sockets of the
 * user for a while after a flood.
 */
const CAMERAS = ['door_a', 'flood_1', 'flood_2', 'flood_3', 'flood_4'] as const
let town: Neighborhood
let control: Socket
let neighbor: Socket
beforeAll(async () => {
  town = await openNeighborhood()
  for (const camera of CAMERAS) await town.a.bridge.register(camera, { renditions: ['360p', '720p'] })
  await town.b.bridge.register('door_b')
  control = await connect()
  neighbor = await openFeed(town.b)
})
afterAll(() => town.close())

async function connect(): Promise<Socket> {
  const socket = await town.a.bridge.control()
  const cameras = CAMERAS.map((device_id) => ({ device_id, state: 'awake', reason: '' }))
  socket.send({ type: 'hello', version: '1', cameras })
  await socket.receive((message) => message.type === 'welcome')
  return socket
}

async function watch(camera: string = CAMERAS[0]): Promise<Socket> {
  const { body } = await town.call(town.a, getStreams, { device_list: [{ device_id: camera }] })
  return openSocket(`${body.data.streams[0].signalling_url}&relay=1`, { origin: town.stage.env.PORTAL_ORIGIN })
}

async function openFeed(household: Household): Promise<Socket> {
  const { body } = await town.call(household, feedTicket)
  return openSocket(body.data.url, { origin: town.stage.env.PORTAL_ORIGIN })
}

function flood(socket: Socket, messages: number, message: (n: number) => unknown): Promise<number> {
  for (let n = 0; n < messages; n++) socket.send(message(n))
  return socket.closed
}

/**
 * Returns the number of matching messages at the bridge, after a ping has ensured that all earlier messages have
 * arrived.
 */
async function countAtBridge(fits: (message: Record<string, unknown>) => boolean): Promise<number> {
  await control.ping()
  return control.seen(fits)
}

const stateOfDoor = async () => {
  const { body } = await town.call(town.a, getHomeDevices, {
    ...{ device_category: 'camera', env: 'beta', home_id: town.a.homeId },
  })
  return (body.data.device_list as { device_id: string; state_reason: string }[]).find(
    ({ device_id }) => device_id === 'door_a',
  )?.state_reason
}

describe('closing a flooded socket without affecting others', () => {
  test.for<[string, string, (n: number) => unknown]>([
    ['flood_1', 'another rendition', (n: number) => ({ action: 'RELAY_RENDITION', name: `r${n}` })],
    [
      'flood_2',
      'candidates',
      (n: number) => ({
        action: 'ICE_CANDIDATE',
        messagePayload: btoa(`{"candidate":"candidate:${n} 1 udp 1 192.0.2.1 1 typ host"}`),
      }),
    ],
    ['flood_3', 'nonsense', (n: number) => `{"${n}`],
  ])(
    'closes a viewer of %s that sends 15,000 messages, %s, and rejects its next socket there',
    async (row, context) => {
      const [camera, , message] = row
      tries(context, 15_000)
      const viewer = await watch(camera)
      control.clearInbox()
      expect(await flood(viewer, 15_000, message)).toBe(FLOODED)
      expect(await countAtBridge(({ type }) => type === 'signal' || type === 'command')).toBeLessThan(700)
      expect(neighbor.isOpen).toBe(true)
      await expect(watch(camera)).rejects.toThrow('429')
      await (await watch()).close()
    },
  )

  test('closes a viewer that sends a few large messages', async () => {
    const viewer = await watch('flood_4')
    expect(await flood(viewer, 20, () => 'x'.repeat(100_000))).toBe(FLOODED)
  })

  test('closes a source that sends more than any camera has', async (context) => {
    tries(context, 5000)
    const viewer = await watch()
    await control.receive((message) => message.command === 'relay')
    const source = await town.a.bridge.relay('door_a')
    expect(await flood(source, 5000, () => Buffer.of(RELAY.init))).toBe(FLOODED)
    await viewer.close()
  })

  test('closes a bridge that sends 10,000 messages', async (context) => {
    tries(context, 10_000)
    const bridge = await town.b.bridge.control()
    expect(await flood(bridge, 10_000, () => ({ type: 'ping' }))).toBe(FLOODED)
    await control.ping()
  })
})

test('a camera that changes 2,000 times is reported a few times, ending with its current state', async (context) => {
  tries(context, 2000)
  const feed = await openFeed(town.a)
  await feed.receive((message) => message.type === 'hello')
  for (let n = 1; n <= 2000; n++)
    control.send({ type: 'state', device_id: 'door_a', state: 'offline', reason: `Reason ${n}.`, at: Date.now() })
  await feed.receive((message) => message.type === 'camera-state' && message.reason === 'Reason 2000.')
  expect(feed.seen((message) => message.type === 'camera-state')).toBeLessThan(60)
  expect(await stateOfDoor()).toBe('Reason 2000.')
  await feed.close()
  control.send({ type: 'state', device_id: 'door_a', state: 'awake', reason: '', at: Date.now() })
})

test('a viewer can request only a rendition that the camera has', async () => {
  const viewer = await watch()
  control.clearInbox()
  viewer.send({ action: 'RELAY_RENDITION', name: '4k' })
  viewer.send({ action: 'RELAY_RENDITION', name: '720p' })
  const command = await control.receive((message) => message.command === 'relay' && message.rendition !== undefined)
  expect(command.rendition).toBe('720p')
  await viewer.close()
})

describe('concurrent limits per account or bridge', () => {
  test('allow 12 sockets of a camera, and another one once one is closed', async () => {
    const viewers: Socket[] = []
    for (let n = 0; n < 12; n++) viewers.push(await watch())
    await expect(watch()).rejects.toThrow('429')
    await viewers.pop()?.close()
    viewers.push(await opened(watch))
    await Promise.all(viewers.map((viewer) => viewer.close()))
  })

  test('allow 40 feeds', async () => {
    const feeds: Socket[] = []
    for (let n = 0; n < 40; n++) feeds.push(await openFeed(town.a))
    await expect(openFeed(town.a)).rejects.toThrow('429')
    await feeds.pop()?.close()
    feeds.push(await opened(() => openFeed(town.a)))
    await Promise.all(feeds.map((feed) => feed.close()))
  })

  test('allow 64 cameras of a bridge, which can still change them', async () => {
    const more = Array.from({ length: 63 }, (_, n) => `many_${n}`)
    const answers = await Promise.all(more.map((device) => town.b.bridge.register(device)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(await town.b.bridge.register('many_63')).toMatchObject({
      status: 403,
      body: { msg: expect.stringMatching(/\b64\b/) as unknown },
    })
    expect((await town.b.bridge.register('many_0', { nickname: 'Gate' })).status).toBe(200)
  })
})

// Must be the last test: after it the account can open no feed for a minute.
test('a page that floods its feed is disconnected, and its account cannot open another one soon after', async () => {
  expect(await flood(await openFeed(town.a), 1000, (n) => `${n}`)).toBe(FLOODED)
  await expect(openFeed(town.a)).rejects.toThrow('429')
  expect(neighbor.isOpen).toBe(true)
})

/** Opens a socket. Retries while the provider responds with 429, because it notices a closed socket a moment late. */
async function opened(open: () => Promise<Socket>): Promise<Socket> {
  for (;;) {
    const socket = await open().catch((error: Error) => (error.message === '429' ? null : Promise.reject(error)))
    if (socket) return socket
  }
}

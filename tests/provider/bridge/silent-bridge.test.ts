import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { HEARTBEAT_ANSWER_TEXT, HEARTBEAT_TEXT } from '../../../contract/bridge/heartbeat.ts'
import { getHomeDevices } from '../../../contract/cameras/devices.ts'
import { getBridges } from '../../../contract/cameras/owner-calls.ts'
import { feedTicket } from '../../../contract/events/feed-and-review-calls.ts'
import { cameraStates, timeline, type TimelineRun } from '../../../contract/events/timeline.ts'
import { openNeighborhood, type Household, type Neighborhood } from '../../support/home.ts'
import { openSocket, type TestSocket } from '../../support/socket.ts'

/** Time within which an open page must show that a bridge lost power. */
const OFFLINE_WITHIN_MS = 30_000
const SILENCE_MS = 25_000
/** The silence of a bridge lasts 25 s on every machine. */
const testOptions = { timeout: 90_000 }

let neighborhood: Neighborhood
beforeAll(async () => {
  neighborhood = await openNeighborhood()
  await neighborhood.a.bridge.register('door_a')
  await neighborhood.b.bridge.register('door_b')
})
afterAll(() => neighborhood.close())

async function connectBridge(household: Household, device_id: string): Promise<TestSocket> {
  const socket = await household.bridge.openControlSocket()
  socket.send({
    type: 'hello',
    version: '1',
    cameras: [{ device_id, state: 'awake', reason: '' }],
    tells_watched: true,
  })
  await socket.receive((message) => message.type === 'welcome')
  return socket
}

/** Sends a heartbeat and returns the times, ms UTC, between which the provider received it. */
async function sendHeartbeat(socket: TestSocket): Promise<[number, number]> {
  const sentAt = Date.now()
  socket.send(HEARTBEAT_TEXT)
  await socket.receive((message) => message.type === 'pong')
  return [sentAt, Date.now()]
}

const hibernate = (household: Household) =>
  neighborhood.stage.provider
    .getWorker()
    .evictDurableObject('Bridge', { name: household.bridge.id, webSockets: 'hibernate' })

const isWithin = (time: number, [from, to]: readonly [number, number]) => time >= from && time <= to

describe('heartbeats', () => {
  test('are answered by the runtime: 4,000 of them exceed the rate limit of the object, but do not reach it', async () => {
    const socket = await connectBridge(neighborhood.a, 'door_a')
    for (let n = 0; n < 4000; n++) socket.send(HEARTBEAT_TEXT)
    const isAnswer = (message: object) => JSON.stringify(message) === HEARTBEAT_ANSWER_TEXT
    await vi.waitUntil(() => socket.countMessages(isAnswer) === 4000, testOptions)
    await socket.ping()
    expect(socket.isOpen).toBe(true)
    await socket.close()
  })

  test('of other versions are answered by the object, with the time', async () => {
    const socket = await connectBridge(neighborhood.a, 'door_a')
    const before = Date.now()
    socket.send('{ "type": "ping", "version": 2 }')
    const { now } = await socket.receive((message) => message.type === 'pong')
    expect(now).toBeGreaterThanOrEqual(before)
    await socket.close()
  })
})

describe.concurrent('a bridge that loses power, so that its socket never closes', () => {
  test('is offline on an open page within 30 s, since its last heartbeat', testOptions, async () => {
    const { body } = await neighborhood.call(neighborhood.a, feedTicket)
    const feed = await openSocket(body.data.url, { origin: neighborhood.stage.env.PORTAL_ORIGIN })
    const socket = await connectBridge(neighborhood.a, 'door_a')
    await feed.receive(({ type, state }) => type === 'camera-state' && state === 'awake')
    await sendHeartbeat(socket)
    await hibernate(neighborhood.a)
    const heartbeat = await sendHeartbeat(socket)
    const { since } = await feed.receive(({ type, state }) => type === 'camera-state' && state === 'bridge_off')
    expect(Date.now() - heartbeat[1]).toBeLessThan(OFFLINE_WITHIN_MS)
    expect(isWithin(since, heartbeat)).toBe(true)
    await feed.close()
  })

  test('is offline in every response once 25 s have passed, although no page is open', testOptions, async () => {
    const { b } = neighborhood
    const socket = await connectBridge(b, 'door_b')
    await socket.ping()
    await hibernate(b)
    const heartbeat = await sendHeartbeat(socket)
    await vi.waitUntil(() => Date.now() - heartbeat[1] > SILENCE_MS + 3000, testOptions)
    const storage = await neighborhood.stage.provider.getWorker().getDurableObjectStorage('HOMES', { name: b.homeId })
    expect(await storage.exec("SELECT state FROM devices WHERE device_id = 'door_b'")).toEqual([{ state: 'awake' }])
    const now = Date.now()
    const range = { begin_time: now - 60_000, end_time: now }
    const [devices, bridges, history, runs] = await Promise.all([
      neighborhood.call(b, getHomeDevices, { device_category: 'camera', env: 'beta' }),
      neighborhood.call(b, getBridges),
      neighborhood.call(b, cameraStates, { device_id: 'door_b', ...range }),
      neighborhood.call(b, timeline, { device_ids: ['door_b'], ...range }),
    ])
    expect(devices.body.data.device_list[0]).toMatchObject({ state: 'bridge_off' })
    const [bridge] = bridges.body.data.bridges
    expect(bridge.connected).toBe(false)
    const times = [
      devices.body.data.device_list[0].state_since,
      bridge.last_seen,
      history.body.data.runs.at(-1).from,
      (runs.body.data.devices[0].runs as TimelineRun[]).findLast(([, , state]) => state === 'bridge_off')?.[0],
    ]
    expect(times.map((time) => isWithin(time, heartbeat))).toEqual([true, true, true, true])
  })
})

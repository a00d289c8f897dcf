import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { HEARTBEAT_TEXT } from '../../../contract/bridge/heartbeat.ts'
import { timeline, type TimelineRun } from '../../../contract/events/timeline.ts'
import { SECOND_MS } from '../../../contract/time-units.ts'
import { openNeighborhood, type Neighborhood } from '../../support/home.ts'
import { WAIT_OPTIONS } from '../../support/patience.ts'
import type { TestSocket } from '../../support/socket.ts'

const LAG_MS = 15_000

let neighborhood: Neighborhood
let camera = ''
let startTime = 0
beforeAll(async () => {
  neighborhood = await openNeighborhood()
})
afterAll(() => neighborhood.close())

let cameraCount = 0
beforeEach(async () => {
  camera = `confirmed_${(cameraCount += 1)}`
  await neighborhood.a.bridge.register(camera)
  startTime = Date.now() - 50 * SECOND_MS
})

async function connectBridge(last_contact?: number): Promise<TestSocket> {
  const socket = await neighborhood.a.bridge.openControlSocket()
  const cameras = [{ device_id: camera, state: 'awake', reason: '', since: startTime }]
  socket.send({ type: 'hello', version: '9', cameras, tells_watched: true, last_contact })
  expect(await socket.receive((message) => message.type === 'welcome')).toMatchObject({
    confirms_coverage: true,
    stores_thumbnails: true,
  })
  await socket.ping()
  // The home starts a state run when it receives the state. Move the start of the run back to `startTime`.
  const storage = await neighborhood.stage.provider.getWorker().getDurableObjectStorage('HOMES', { name: 'home_a' })
  await storage.exec(`DELETE FROM camera_state_runs WHERE device_id = '${camera}'`)
  await storage.exec(`INSERT INTO camera_state_runs VALUES ('${camera}', ${startTime}, 'awake', '')`)
  return socket
}

/** Sends a settled report: coverage from `startTime` for 20 s. */
async function sendReport(socket: TestSocket, lag_ms?: number): Promise<void> {
  const spans = [[startTime, startTime + 20 * SECOND_MS, 'watched']]
  socket.send({ type: 'watched', cameras: [{ device_id: camera, spans, waiting: [], lag_ms }], settled: true })
  await socket.ping()
}

/** Returns the end of the time that the timeline shows as "no motion", ms UTC. */
async function readCoverageEnd(): Promise<number> {
  const range = { device_ids: [camera], begin_time: startTime, end_time: Date.now() }
  const { body } = await neighborhood.call(neighborhood.a, timeline, range)
  const runs = body.data.devices[0].runs as TimelineRun[]
  return runs.find(([, , state]) => state === 'live_only')?.[1] ?? 0
}

const evictBridge = (webSockets: 'hibernate' | 'close') =>
  neighborhood.stage.provider.getWorker().evictDurableObject('Bridge', { name: 'bridge_a', webSockets })

test('a heartbeat confirms coverage up to the reported lag before it, also after hibernation', async () => {
  const socket = await connectBridge()
  await sendReport(socket, LAG_MS)
  await evictBridge('hibernate')
  const before = Date.now()
  socket.send(HEARTBEAT_TEXT)
  await socket.receive((message) => message.type === 'pong')
  const end = await readCoverageEnd()
  expect([end >= before - LAG_MS, end <= Date.now() - LAG_MS]).toEqual([true, true])
  await socket.close()
})

test('a heartbeat confirms nothing for a camera without a reported lag', async () => {
  const socket = await connectBridge()
  await sendReport(socket)
  socket.send(HEARTBEAT_TEXT)
  await socket.receive((message) => message.type === 'pong')
  expect(await readCoverageEnd()).toBe(startTime + 20 * SECOND_MS)
  await socket.close()
})

test('the end of the connection stores the confirmed coverage, and a new connection does not extend it', async () => {
  const socket = await connectBridge()
  await sendReport(socket, LAG_MS)
  const before = Date.now()
  await socket.close()
  await vi.waitUntil(async () => (await readCoverageEnd()) >= before - LAG_MS, WAIT_OPTIONS)
  const end = await readCoverageEnd()
  const next = await connectBridge()
  next.send(HEARTBEAT_TEXT)
  await next.receive((message) => message.type === 'pong')
  expect(await readCoverageEnd()).toBe(end)
  await next.close()
})

test('after a crash of the provider, the last contact that the bridge reports confirms coverage', async () => {
  const socket = await connectBridge()
  await sendReport(socket, LAG_MS)
  await evictBridge('close')
  await socket.closeCode
  const lastContact = Date.now()
  const next = await connectBridge(lastContact)
  expect(await readCoverageEnd()).toBe(lastContact - LAG_MS)
  await next.close()
})

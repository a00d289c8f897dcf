import { cameraStates } from '../../../contract/events/timeline.ts'
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BRIDGE_PATHS } from '../../../contract/bridge/bridge-protocol.ts'
import { getBridges, createBridgeCode, renameBridge, revokeBridge } from '../../../contract/cameras/owner-calls.ts'
import { getHomeDevices } from '../../../contract/cameras/devices.ts'
import { runAction } from '../../../contract/live/camera-control-calls.ts'
import { storeBridge } from '../../../provider/bridge/enroll-bridge.ts'
import {
  createBridgeEvent,
  openNeighborhood,
  TestBridge,
  type Household,
  type Neighborhood,
} from '../../support/home.ts'
import { type TestSocket } from '../../support/socket.ts'

let neighborhood: Neighborhood
beforeAll(async () => {
  neighborhood = await openNeighborhood()
  await neighborhood.a.bridge.register('door_a')
})
afterAll(() => neighborhood.close())

const createCode = async () => (await neighborhood.call(neighborhood.a, createBridgeCode)).body.data.code as string
const enroll = (code: string) =>
  fetch(neighborhood.stage.env.PROVIDER_ORIGIN + BRIDGE_PATHS.enrol, {
    method: 'POST',
    body: JSON.stringify({ code, name: 'Garage' }),
  })
async function enrollBridge(): Promise<TestBridge> {
  const { data } = await (await enroll(await createCode())).json()
  return new TestBridge(neighborhood.stage.env.PROVIDER_ORIGIN, data.bridge_id, Buffer.from(data.key, 'base64url'))
}
async function connectBridge(
  bridge: TestBridge,
  device_id: string,
  { since, last_contact }: { since?: number; last_contact?: number } = {},
): Promise<TestSocket> {
  const socket = await bridge.openControlSocket()
  const cameras = [{ device_id, state: 'awake', reason: '', since }]
  socket.send({ type: 'hello', version: '3.1', cameras, last_contact })
  await socket.receive((message) => message.type === 'welcome')
  return socket
}
const listBridges = async () => (await neighborhood.call(neighborhood.a, getBridges)).body.data.bridges
const findDevice = async (device_id: string) => {
  const query = { device_category: 'camera', env: 'beta', home_id: 'home_a' }
  const { device_list } = (await neighborhood.call(neighborhood.a, getHomeDevices, query)).body.data
  return device_list.find((device: { device_id: string }) => device.device_id === device_id)
}

describe('an enrollment code', () => {
  test('enrolls one bridge, typed in any case, and that bridge serves the home immediately', async () => {
    const code = await createCode()
    const answer = await enroll(code.toLowerCase().replace('-', ' '))
    expect([answer.status, answer.headers.has('x-provider-time')]).toEqual([200, true])
    const { data } = await answer.json()
    const key = Buffer.from(data.key, 'base64url')
    const bridge = new TestBridge(neighborhood.stage.env.PROVIDER_ORIGIN, data.bridge_id, key)
    expect((await bridge.register('garage_a')).status).toBe(200)
    expect((await enroll(code)).status).toBe(404)
    const row = await neighborhood.bindings.DB.prepare('SELECT key_hash FROM bridges WHERE bridge_id = ?')
      .bind(data.bridge_id)
      .first('key_hash')
    expect(row).toBe(createHash('sha256').update(key).digest('hex'))
  })

  test('is invalid after 10 minutes or once a newer code exists', async () => {
    const former = await createCode()
    const code = await createCode()
    expect((await enroll(former)).status).toBe(404)
    await neighborhood.bindings.DB.prepare('UPDATE bridge_codes SET expires_at = ?').bind(Date.now()).run()
    expect((await enroll(code)).status).toBe(404)
  })
})

describe('the owner', () => {
  test('sees the bridges of the home with their cameras, version and last contact', async () => {
    const before = Date.now()
    const socket = await connectBridge(neighborhood.a.bridge, 'door_a')
    const [first] = (await listBridges()).filter((entry: { bridge_id: string }) => entry.bridge_id === 'bridge_a')
    expect(first).toMatchObject({ connected: true, version: '3.1' })
    expect(first.cameras).toEqual([{ device_id: 'door_a', nickname: 'Front door' }])
    expect(first.last_seen).toBeGreaterThanOrEqual(before)
    await neighborhood.call(neighborhood.a, renameBridge, { bridge_id: 'bridge_a', name: 'Attic' })
    await socket.close()
    const names = (await listBridges()).map((entry: { name: string }) => entry.name)
    expect(names).toContain('Attic')
  })

  test('revokes a bridge, which is notified, disconnected and rejected, and its cameras lose their bridge', async () => {
    const bridge = await enrollBridge()
    await bridge.register('shed_a')
    const socket = await connectBridge(bridge, 'shed_a')
    await neighborhood.call(neighborhood.a, revokeBridge, { bridge_id: bridge.id })
    expect(await socket.receive((message) => message.type === 'removed')).toEqual({ type: 'removed', device_id: null })
    expect(await socket.closeCode).toBe(4004)
    await expect(bridge.openControlSocket()).rejects.toThrow('401')
    expect((await bridge.postEvent(createBridgeEvent('shed_a', 'late'))).status).toBe(401)
    expect(await findDevice('shed_a')).toMatchObject({
      state: 'bridge_off',
      state_reason: expect.stringContaining('removed') as unknown,
    })
    expect((await listBridges()).map((entry: { bridge_id: string }) => entry.bridge_id)).not.toContain(bridge.id)
  })

  test('of one of two homes renames the bridge for that home only, also after re-enrollment', async () => {
    const { bridge } = neighborhood.b
    const enrollment = { key_hash: bridge.keyHash, name: 'Both', homes: ['home_b', 'home_a'] }
    const getNameFor = async (household: Household) => {
      const all = (await neighborhood.call(household, getBridges)).body.data.bridges as {
        bridge_id: string
        name: string
      }[]
      return all.find(({ bridge_id }) => bridge_id === bridge.id)?.name
    }
    await storeBridge(neighborhood.bindings, bridge.id, enrollment, Date.now())
    await neighborhood.call(neighborhood.b, renameBridge, { bridge_id: bridge.id, name: 'Boat house' })
    expect([await getNameFor(neighborhood.a), await getNameFor(neighborhood.b)]).toEqual(['Both', 'Boat house'])
    await storeBridge(neighborhood.bindings, bridge.id, { ...enrollment, name: 'Anew' }, Date.now())
    expect([await getNameFor(neighborhood.a), await getNameFor(neighborhood.b)]).toEqual(['Anew', 'Boat house'])
    await storeBridge(neighborhood.bindings, bridge.id, { ...enrollment, homes: ['home_b'] }, Date.now())
    expect([await getNameFor(neighborhood.a), await getNameFor(neighborhood.b)]).toEqual([undefined, 'Boat house'])
  })

  test('of one of two homes revokes the bridge for that home only', async () => {
    const { bridge } = neighborhood.b
    await storeBridge(
      neighborhood.bindings,
      bridge.id,
      { key_hash: bridge.keyHash, name: 'Both', homes: ['home_b', 'home_a'] },
      Date.now(),
    )
    await bridge.register('both_a', { home_id: 'home_a' })
    const socket = await connectBridge(bridge, 'both_a')
    await neighborhood.call(neighborhood.a, revokeBridge, { bridge_id: bridge.id })
    expect(await socket.closeCode).toBe(4003)
    expect((await bridge.postEvent(createBridgeEvent('both_a', 'late'))).status).toBe(404)
    expect((await bridge.register('door_b')).status).toBe(200)
  })
})

describe('state history of a camera', () => {
  const listStateRuns = async (device_id: string, begin_time = 0, end_time = 8_000_000_000_000) => {
    const { body } = await neighborhood.call(neighborhood.a, cameraStates, { device_id, begin_time, end_time })
    return body.data.runs as { from: number; to: number; state: string; reason: string }[]
  }

  test('is gapless, with times reported by the bridge and bridge_off after it disconnects', async () => {
    const bridge = await enrollBridge()
    await bridge.register('runs_a')
    const socket = await connectBridge(bridge, 'runs_a')
    const [first, second] = [Date.now() + 5, Date.now() + 10]
    while (Date.now() <= second) await socket.ping()
    const sendState = (state: string, reason: string, at: number) =>
      socket.send({ type: 'state', device_id: 'runs_a', state, reason, at })
    sendState('offline', 'The password is wrong.', first)
    sendState('awake', '', second)
    await socket.ping()
    await socket.close()
    const history = await pollUntilFound(async () => {
      const found = await listStateRuns('runs_a')
      return found.at(-1)?.state === 'bridge_off' ? found : null
    })
    expect(history.map((run) => run.state)).toEqual(['bridge_off', 'awake', 'offline', 'awake', 'bridge_off'])
    expect(history.slice(2, 4).map((run) => run.from)).toEqual([first, second])
    expect(history.slice(1).map((run) => run.from)).toEqual(history.slice(0, -1).map((run) => run.to))
    const cut = await listStateRuns('runs_a', first + 1, second)
    expect(cut).toEqual([{ from: first + 1, to: second, state: 'offline', reason: 'The password is wrong.' }])
  })

  test('starts bridge_off after a crash at the last stored contact; a heartbeat writes nothing', async () => {
    const bridge = await enrollBridge()
    await bridge.register('mute_a')
    const before = Date.now()
    const socket = await connectBridge(bridge, 'mute_a')
    const connectedAt = Date.now()
    // Repeat until a ping starts at least a millisecond after `connectedAt`.
    for (let began = connectedAt; began <= connectedAt; await socket.ping()) began = Date.now()
    const getLastSeen = async () =>
      (await listBridges()).find((entry: { bridge_id: string }) => entry.bridge_id === bridge.id).last_seen as number
    expect(await getLastSeen()).toBeGreaterThan(connectedAt)
    await neighborhood.stage.provider.getWorker().evictDurableObject('Bridge', { name: bridge.id, webSockets: 'close' })
    await socket.closeCode
    const lastSeen = await getLastSeen()
    expect([lastSeen >= before, lastSeen <= connectedAt]).toEqual([true, true])
    const targetInfo = { id: 'mute_a', type: 'DEVICE', productModel: 'PL-CAM-V1' }
    const capabilities = [{ name: 'wakeup', functions: [{ name: 'wakeup-live-view' }] }]
    const woken = await neighborhood.call(neighborhood.a, runAction, { targetInfo, capabilities, transactionId: 't' })
    expect([woken.status, await findDevice('mute_a')]).toMatchObject([
      409,
      { state: 'bridge_off', state_since: lastSeen },
    ])
  })

  describe('of a bridge that lost power around a restart of the provider', () => {
    async function loseConnection(device_id: string, ageMs: number) {
      const bridge = await enrollBridge()
      await bridge.register(device_id)
      const socket = await connectBridge(bridge, device_id)
      const worker = neighborhood.stage.provider.getWorker()
      await worker.evictDurableObject('Bridge', { name: bridge.id, webSockets: 'close' })
      await socket.closeCode
      // Move the connection into the past, as if it had lasted for `ageMs`.
      const home = await worker.getDurableObjectStorage('HOMES', { name: 'home_a' })
      await home.exec(`UPDATE camera_state_runs SET began = began - ${ageMs} WHERE device_id = '${device_id}'`)
      const storage = await worker.getDurableObjectStorage('BRIDGES', { name: bridge.id })
      await storage.exec(`UPDATE self SET heard = heard - ${ageMs}`)
      return bridge
    }
    const listOutages = async (device_id: string) =>
      (await listStateRuns(device_id)).filter(({ state }, i) => state === 'bridge_off' && i > 0).map(({ from }) => from)

    test('starts at the last contact that the bridge reports, if the provider noticed no end', async () => {
      const bridge = await loseConnection('late_a', 3_600_000)
      const last_contact = Date.now() - 600_000
      const socket = await connectBridge(bridge, 'late_a', { last_contact })
      await socket.ping()
      expect(await listOutages('late_a')).toEqual([last_contact])
      expect(await findDevice('late_a')).toMatchObject({ state: 'awake' })
      await socket.close()
    })

    test('moves to the last contact that the bridge reports, if the provider noted it too early', async () => {
      const bridge = await loseConnection('early_a', 3_600_000)
      const targetInfo = { id: 'early_a', type: 'DEVICE', productModel: 'PL-CAM-V1' }
      const capabilities = [{ name: 'wakeup', functions: [{ name: 'wakeup-live-view' }] }]
      await neighborhood.call(neighborhood.a, runAction, { targetInfo, capabilities, transactionId: 't' })
      const [noted = 0] = await listOutages('early_a')
      const last_contact = Date.now() - 600_000
      expect(noted).toBeLessThan(last_contact)
      const socket = await connectBridge(bridge, 'early_a', { last_contact })
      await socket.ping()
      expect(await listOutages('early_a')).toEqual([last_contact])
      await socket.close()
    })
  })

  test('takes the start of the current state from a bridge that reports it', async () => {
    const bridge = await enrollBridge()
    await bridge.register('since_a')
    const since = Date.now() - 3_600_000
    const socket = await connectBridge(bridge, 'since_a', { since })
    expect(await findDevice('since_a')).toMatchObject({ state: 'awake', state_since: since })
    await socket.close()
  })
})

async function pollUntilFound<T>(poll: () => Promise<T | null>): Promise<T> {
  for (;;) {
    const found = await poll()
    if (found !== null) return found
  }
}

import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { addCamera } from '../../../bridge/cameras/camera-file.ts'
import { DEFAULT_CAMERA_SETTINGS } from '../../../contract/cameras/camera-settings.ts'
import { getHomeDevices, type WireDevice } from '../../../contract/cameras/devices.ts'
import {
  getBridges,
  createBridgeCode,
  removeCamera,
  renameBridge,
  revokeBridge,
  previewMotion,
} from '../../../contract/cameras/owner-calls.ts'
import { timeline } from '../../../contract/events/timeline.ts'
import { storeBridge } from '../../../provider/bridge/enroll-bridge.ts'
import { prepareProvider } from '../../../scripts/lib/provider-admin.ts'
import { ACTION_STREAM } from '../../support/bridge-streams.ts'
import { scaleTimeout } from '../../support/machine.ts'
import { RtspServer } from '../../support/rtsp-server.ts'
import { openNeighborhood, TestBridge, type Household, type Neighborhood } from '../../support/home.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const waitOptions = { timeout: scaleTimeout(60_000), interval: 20 }
/** Maximum time until a removed bridge is disconnected: three times the expected 1 s. */
const DISCONNECT_MAX_MS = scaleTimeout(3000)

let neighborhood: Neighborhood
const folders: string[] = []
const children: ChildProcess[] = []
beforeAll(async () => {
  neighborhood = await openNeighborhood()
  // Make every home an ordinary home: these tests do not wait for the backfill of a demo home.
  await neighborhood.bindings.DB.prepare('UPDATE homes SET demo = 0').run()
})
afterEach(() => killChildren())
async function killChildren(): Promise<void> {
  for (const child of children.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
}
afterAll(async () => {
  await neighborhood.close()
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

const { execPath } = process
function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'bridge-life-'))
  folders.push(folder)
  return folder
}
const getOrigin = () => neighborhood.stage.env.PROVIDER_ORIGIN

/** Enrolls a bridge with an enrollment code and the bridge's own command. Returns its data folder and id. */
async function enrollBridge(household: Household, name: string): Promise<{ dataFolder: string; id: string }> {
  const dataFolder = createFolder()
  const { code } = (await neighborhood.call(household, createBridgeCode)).body.data
  const child = spawn(
    execPath,
    ['bridge/main.ts', 'enroll', code, '--provider', getOrigin(), '--data', dataFolder, '--name', name],
    { cwd: root, stdio: 'ignore' },
  )
  expect(await once(child, 'exit')).toEqual([0, null])
  return { dataFolder, id: readIdentity(dataFolder).bridge_id }
}
const readIdentity = (dataFolder: string) =>
  JSON.parse(readFileSync(join(dataFolder, 'bridge.key'), 'utf8')) as { bridge_id: string; key: string }

function startBridge(dataFolder: string, ...args: string[]): string[] {
  const lines: string[] = []
  const child = spawn(execPath, ['bridge/main.ts', '--provider', getOrigin(), '--data', dataFolder, ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  children.push(child)
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line))
  return lines
}
const waitForLine = (lines: readonly string[], part: string) =>
  vi.waitUntil(() => lines.find((line) => line.includes(part)), waitOptions)
const findBridge = async (household: Household, id: string) =>
  (await neighborhood.call(household, getBridges)).body.data.bridges.find(
    (bridge: { bridge_id: string }) => bridge.bridge_id === id,
  )

describe('second bridge', () => {
  test('is enrolled by code, tries motion settings, is renamed, loses a camera and is removed; its key then fails', async () => {
    const { dataFolder, id } = await enrollBridge(neighborhood.b, 'Summer house')
    const lines = startBridge(dataFolder, '--virtual', '2')
    // Log lines start with the time, so that an owner can match them to events.
    expect(await waitForLine(lines, 'bridge: ready')).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z bridge: ready$/m)
    const before = await findBridge(neighborhood.b, id)
    expect(before).toMatchObject({ name: 'Summer house', connected: true })
    expect(before.cameras).toHaveLength(2)
    await neighborhood.call(neighborhood.b, renameBridge, { bridge_id: id, name: 'Boat house' })
    const [camera, other] = before.cameras
    const trial = { device_id: camera.device_id, settings: DEFAULT_CAMERA_SETTINGS }
    const preview = (await neighborhood.call(neighborhood.b, previewMotion, trial)).body.data
    expect(preview).toMatchObject({ state: 'tried', events: [] })
    expect([preview.since > before.created_at - 1000, preview.since + preview.watched_ms <= Date.now() + 1000]).toEqual(
      [true, true],
    )
    expect((await neighborhood.call(neighborhood.a, previewMotion, trial)).status).toBe(404)
    expect((await neighborhood.call(neighborhood.b, removeCamera, { device_id: camera.device_id })).status).toBe(200)
    await waitForLine(lines, `! ${camera.nickname} was removed by its owner.`)
    expect(await findBridge(neighborhood.b, id)).toMatchObject({ name: 'Boat house', cameras: [other] })

    await neighborhood.call(neighborhood.b, revokeBridge, { bridge_id: id })
    await waitForLine(lines, '! This hub was removed by its owner, so its key no longer works.')
    await waitForLine(lines, "! The provider rejects this hub's key. The hub may have been removed in the portal")
    expect(await findBridge(neighborhood.b, id)).toBeUndefined()
    expect(
      (await neighborhood.call(neighborhood.b, previewMotion, { ...trial, device_id: other.device_id })).body.data,
    ).toEqual({
      state: 'bridge_off',
    })
    const thief = new TestBridge(getOrigin(), id, Buffer.from(readIdentity(dataFolder).key, 'base64url'))
    expect((await thief.register('door_b')).status).toBe(401)
    await expect(thief.openControlSocket()).rejects.toThrow('401')
  })

  test('with a stolen key is disconnected by the call that removes it', async () => {
    const { dataFolder, id } = await enrollBridge(neighborhood.b, 'Stolen')
    const thief = new TestBridge(getOrigin(), id, Buffer.from(readIdentity(dataFolder).key, 'base64url'))
    const socket = await thief.openControlSocket()
    socket.send({ type: 'hello', version: '1', cameras: [] })
    await socket.receive((message) => message.type === 'welcome')
    const startedAt = performance.now()
    const [, code] = await Promise.all([
      neighborhood.call(neighborhood.b, revokeBridge, { bridge_id: id }),
      socket.closeCode,
    ])
    expect(code).toBe(4004)
    expect(performance.now() - startedAt).toBeLessThan(DISCONNECT_MAX_MS)
    expect((await thief.register('door_b')).status).toBe(401)
  })
})

describe('bridge with a full disk', () => {
  const DISK_FULL_REASON =
    "Recording paused: the hub's disk is almost full. Free up space on the hub's computer. Existing recordings are kept."
  const findCamera = async (id: string) => {
    const { device_list } = (
      await neighborhood.call(neighborhood.b, getHomeDevices, { device_category: 'camera', env: 'test' })
    ).body.data
    const mine =
      (await findBridge(neighborhood.b, id))?.cameras.map((camera: { device_id: string }) => camera.device_id) ?? []
    return device_list.find((device: WireDevice) => mine.includes(device.device_id)) as WireDevice | undefined
  }
  const getCurrentState = async (device_id: string) => {
    const now = Date.now()
    const query = { device_ids: [device_id], begin_time: now - 1000, end_time: now }
    return (await neighborhood.call(neighborhood.b, timeline, query)).body.data.devices[0].runs.at(-1).slice(2)
  }

  test('reports it on its cameras, which stay watchable, and on their timeline, until there is space', async (context) => {
    const { dataFolder, id } = await enrollBridge(neighborhood.b, 'Full house')
    const queue = join(dataFolder, 'queue')
    mkdirSync(queue)
    if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', queue]).status !== 0)
      return context.skip('Mounting a small file system requires root.')
    const camera = await RtspServer.start({ stream: ACTION_STREAM, sound: 'tone' })
    try {
      await addCamera(dataFolder, { url: camera.url() })
      startBridge(dataFolder, '--no-virtual')
      const findWithReason = (reason: string) => async () =>
        (await findCamera(id))?.state_reason === reason && findCamera(id)
      const full = await vi.waitUntil(findWithReason(DISK_FULL_REASON), waitOptions)
      expect(full).toMatchObject({ state: 'awake', property: { 'iot-state': 1 } })
      await vi.waitFor(
        async () => expect(await getCurrentState(full.device_id)).toEqual(['live_only', DISK_FULL_REASON]),
        waitOptions,
      )
      spawnSync('mount', ['-o', 'remount,size=400m', queue])
      expect(await vi.waitUntil(findWithReason(''), waitOptions)).toMatchObject({ state: 'awake' })
      // The timeline has no data for the current second yet, because the bridge has not reported it.
      expect((await getCurrentState(full.device_id))[0]).toBe('not_indexed')
    } finally {
      await killChildren()
      await camera.close()
      spawnSync('umount', ['-l', queue])
    }
    return undefined
  })
})

describe('bridge of two homes that is removed from one', () => {
  async function enrollForBothHomes() {
    const { dataFolder, id } = await enrollBridge(neighborhood.b, 'Both')
    const { key_hash } = (await neighborhood.bindings.DB.prepare('SELECT key_hash FROM bridges WHERE bridge_id = ?')
      .bind(id)
      .first<{ key_hash: string }>())!
    await storeBridge(neighborhood.bindings, id, { key_hash, name: 'Both', homes: ['home_b', 'home_a'] }, Date.now())
    return { dataFolder, id }
  }

  test('reloads its homes, continues with the other one, and does not request cameras of the first again', async () => {
    const { dataFolder, id } = await enrollForBothHomes()
    const cameras = [{ device_id: 'RC_A', name: 'Attic', url: 'rtsp://127.0.0.1:9/a', home: 'home_a' }]
    writeFileSync(join(dataFolder, 'cameras.json'), JSON.stringify({ cameras }))
    const lines = startBridge(dataFolder, '--virtual', '1')
    await waitForLine(lines, 'bridge: ready')
    expect((await findBridge(neighborhood.a, id)).cameras).toEqual([{ device_id: 'RC_A', nickname: 'Attic' }])
    const countConnections = () => lines.filter((line) => line.includes('Connected to the provider.')).length
    const before = countConnections()
    await neighborhood.call(neighborhood.a, revokeBridge, { bridge_id: id })
    await waitForLine(lines, "! Attic is offline because its home doesn't use this hub.")
    await vi.waitUntil(() => countConnections() > before, waitOptions)
    expect(lines.filter((line) => line.includes("Attic couldn't be registered"))).toEqual([])
    const remaining = await findBridge(neighborhood.b, id)
    expect(remaining).toMatchObject({ connected: true })
    expect(remaining.cameras).toHaveLength(1)
    await killChildren()
    // After a restart, the bridge again leaves out the camera of the removed home, logs that once, and becomes ready.
    const again = startBridge(dataFolder, '--no-virtual')
    await waitForLine(again, 'bridge: ready')
    expect(again.filter((line) => line.includes('Attic is offline'))).toHaveLength(1)
  })

  test('has no camera of the removed home left when that home had its virtual cameras', async () => {
    const { dataFolder, id } = await enrollForBothHomes()
    const lines = startBridge(dataFolder, '--virtual', '1')
    await waitForLine(lines, 'bridge: ready')
    await neighborhood.call(neighborhood.b, revokeBridge, { bridge_id: id })
    await waitForLine(lines, "is offline because its home doesn't use this hub.")
    await vi.waitUntil(async () => (await findBridge(neighborhood.a, id))?.cameras.length === 1, waitOptions)
  })
})

test('npm start does not enroll its bridge again after an owner has removed it', async () => {
  const env = { ...neighborhood.stage.env, DEMO: '0' as const }
  const key = { bridge_id: 'br_here', key: Buffer.alloc(32, 9).toString('base64url') }
  expect((await prepareProvider(env, key)).enrolled).toBe(true)
  expect((await prepareProvider(env, key)).enrolled).toBe(true)
  const owner = (await findBridge(neighborhood.a, key.bridge_id)) ? neighborhood.a : neighborhood.b
  await neighborhood.call(owner, revokeBridge, { bridge_id: key.bridge_id })
  expect((await prepareProvider(env, key)).enrolled).toBe(false)
  expect((await prepareProvider(env, { ...key, key: Buffer.alloc(32, 8).toString('base64url') })).enrolled).toBe(false)
  const localBridge = new TestBridge(getOrigin(), key.bridge_id, Buffer.from(key.key, 'base64url'))
  expect((await localBridge.register('door_here')).status).toBe(401)
  expect((await prepareProvider(env, { ...key, bridge_id: 'br_anew' })).enrolled).toBe(true)
})

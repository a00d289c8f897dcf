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
  makeBridgeCode,
  removeCamera,
  renameBridge,
  revokeBridge,
  tryMotion,
} from '../../../contract/cameras/owner-calls.ts'
import { timeline } from '../../../contract/events/timeline.ts'
import { storeBridge } from '../../../provider/bridge/enroll-bridge.ts'
import { prepareProvider } from '../../../scripts/lib/provider-admin.ts'
import { STREAM } from '../../support/bridge-streams.ts'
import { scaled } from '../../support/machine.ts'
import { RtspServer } from '../../support/rtsp-server.ts'
import { openNeighborhood, TestBridge, type Household, type Neighborhood } from '../../support/home.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const waitFor = { timeout: scaled(60_000), interval: 20 }
/** A removed bridge is cut off within a second; the test waits three times as long, ms. */
const CUT_MS = scaled(3000)

let town: Neighborhood
const folders: string[] = []
const children: ChildProcess[] = []
beforeAll(async () => {
  town = await openNeighborhood()
  // Demo homes get a backfill, which these tests do not wait for.
  await town.bindings.DB.prepare('UPDATE homes SET demo = 0').run()
})
afterEach(() => endAll())
async function endAll(): Promise<void> {
  for (const child of children.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
}
afterAll(async () => {
  await town.close()
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

const { execPath } = process
function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'bridge-life-'))
  folders.push(folder)
  return folder
}
const origin = () => town.stage.env.PROVIDER_ORIGIN

/** Enrolls a bridge with an enrollment code and the bridge's own command. Returns its data folder and id. */
async function enrolled(as: Household, name: string): Promise<{ data: string; id: string }> {
  const data = newFolder()
  const { code } = (await town.call(as, makeBridgeCode)).body.data
  const child = spawn(
    execPath,
    ['bridge/main.ts', 'enrol', code, '--provider', origin(), '--data', data, '--name', name],
    { cwd: root, stdio: 'ignore' },
  )
  expect(await once(child, 'exit')).toEqual([0, null])
  return { data, id: identityIn(data).bridge_id }
}
const identityIn = (data: string) =>
  JSON.parse(readFileSync(join(data, 'bridge.key'), 'utf8')) as { bridge_id: string; key: string }

function start(data: string, ...args: string[]): string[] {
  const lines: string[] = []
  const child = spawn(execPath, ['bridge/main.ts', '--provider', origin(), '--data', data, ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  children.push(child)
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line))
  return lines
}
const until = (lines: readonly string[], part: string) =>
  vi.waitUntil(() => lines.find((line) => line.includes(part)), waitFor)
const listed = async (as: Household, id: string) =>
  (await town.call(as, getBridges)).body.data.bridges.find((bridge: { bridge_id: string }) => bridge.bridge_id === id)

describe('second bridge', () => {
  test('is enrolled by code, tries motion settings, is renamed, loses a camera and is removed; its key then fails', async () => {
    const { data, id } = await enrolled(town.b, 'Summer house')
    const lines = start(data, '--virtual', '2')
    // Log lines carry the time, by which an owner finds the matching events.
    expect(await until(lines, 'bridge: ready')).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z bridge: ready$/m)
    const before = await listed(town.b, id)
    expect(before).toMatchObject({ name: 'Summer house', connected: true })
    expect(before.cameras).toHaveLength(2)
    await town.call(town.b, renameBridge, { bridge_id: id, name: 'Boat house' })
    const [camera, other] = before.cameras
    const trial = { device_id: camera.device_id, settings: DEFAULT_CAMERA_SETTINGS }
    const preview = (await town.call(town.b, tryMotion, trial)).body.data
    expect(preview).toMatchObject({ state: 'tried', events: [] })
    expect([preview.since > before.created_at - 1000, preview.since + preview.watched_ms <= Date.now() + 1000]).toEqual(
      [true, true],
    )
    expect((await town.call(town.a, tryMotion, trial)).status).toBe(404)
    expect((await town.call(town.b, removeCamera, { device_id: camera.device_id })).status).toBe(200)
    await until(lines, `! ${camera.nickname} was removed by its owner.`)
    expect(await listed(town.b, id)).toMatchObject({ name: 'Boat house', cameras: [other] })

    await town.call(town.b, revokeBridge, { bridge_id: id })
    await until(lines, '! This bridge was removed by its owner; its key opens nothing any more.')
    await until(lines, '! The provider rejects the key of this bridge: it was removed in the portal')
    expect(await listed(town.b, id)).toBeUndefined()
    expect((await town.call(town.b, tryMotion, { ...trial, device_id: other.device_id })).body.data).toEqual({
      state: 'bridge_off',
    })
    const thief = new TestBridge(origin(), id, Buffer.from(identityIn(data).key, 'base64url'))
    expect((await thief.register('door_b')).status).toBe(401)
    await expect(thief.control()).rejects.toThrow('401')
  })

  test('with a stolen key is disconnected by the call that removes it', async () => {
    const { data, id } = await enrolled(town.b, 'Stolen')
    const thief = new TestBridge(origin(), id, Buffer.from(identityIn(data).key, 'base64url'))
    const socket = await thief.control()
    socket.send({ type: 'hello', version: '1', cameras: [] })
    await socket.receive((message) => message.type === 'welcome')
    const began = performance.now()
    const [, code] = await Promise.all([town.call(town.b, revokeBridge, { bridge_id: id }), socket.closed])
    expect(code).toBe(4004)
    expect(performance.now() - began).toBeLessThan(CUT_MS)
    expect((await thief.register('door_b')).status).toBe(401)
  })
})

describe('bridge with a full disk', () => {
  const FULL =
    'Recording pauses: the disk of the box is almost full. Make room on its computer; what was recorded is kept.'
  const findCamera = async (id: string) => {
    const { device_list } = (await town.call(town.b, getHomeDevices, { device_category: 'camera', env: 'test' })).body
      .data
    const mine = (await listed(town.b, id))?.cameras.map((camera: { device_id: string }) => camera.device_id) ?? []
    return device_list.find((device: WireDevice) => mine.includes(device.device_id)) as WireDevice | undefined
  }
  const reasonNow = async (device_id: string) => {
    const now = Date.now()
    const query = { device_ids: [device_id], begin_time: now - 1000, end_time: now }
    return (await town.call(town.b, timeline, query)).body.data.devices[0].runs.at(-1).slice(2)
  }

  test('reports it on its cameras, which stay watchable, and on their timeline, until there is space', async (context) => {
    const { data, id } = await enrolled(town.b, 'Full house')
    const queue = join(data, 'queue')
    mkdirSync(queue)
    if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', queue]).status !== 0)
      return context.skip('Mounting a small file system needs the rights of root.')
    const camera = await RtspServer.start({ stream: STREAM, sound: 'tone' })
    try {
      await addCamera(data, { url: camera.url() })
      start(data, '--no-virtual')
      const findWithReason = (reason: string) => async () =>
        (await findCamera(id))?.state_reason === reason && findCamera(id)
      const full = await vi.waitUntil(findWithReason(FULL), waitFor)
      expect(full).toMatchObject({ state: 'awake', property: { 'iot-state': 1 } })
      await vi.waitFor(async () => expect(await reasonNow(full.device_id)).toEqual(['live_only', FULL]), waitFor)
      spawnSync('mount', ['-o', 'remount,size=400m', queue])
      expect(await vi.waitUntil(findWithReason(''), waitFor)).toMatchObject({ state: 'awake' })
      // The timeline has no data for the current second yet, because the bridge has not reported it.
      expect((await reasonNow(full.device_id))[0]).toBe('not_indexed')
    } finally {
      await endAll()
      await camera.close()
      spawnSync('umount', ['-l', queue])
    }
    return undefined
  })
})

describe('bridge of two homes that is removed from one', () => {
  async function ofBoth() {
    const { data, id } = await enrolled(town.b, 'Both')
    const { key_hash } = (await town.bindings.DB.prepare('SELECT key_hash FROM bridges WHERE bridge_id = ?')
      .bind(id)
      .first<{ key_hash: string }>())!
    await storeBridge(town.bindings, id, { key_hash, name: 'Both', homes: ['home_b', 'home_a'] }, Date.now())
    return { data, id }
  }

  test('reloads its homes, continues with the other one, and does not request cameras of the first again', async () => {
    const { data, id } = await ofBoth()
    const cameras = [{ device_id: 'RC_A', name: 'Attic', url: 'rtsp://127.0.0.1:9/a', home: 'home_a' }]
    writeFileSync(join(data, 'cameras.json'), JSON.stringify({ cameras }))
    const lines = start(data, '--virtual', '1')
    await until(lines, 'bridge: ready')
    expect((await listed(town.a, id)).cameras).toEqual([{ device_id: 'RC_A', nickname: 'Attic' }])
    const connected = () => lines.filter((line) => line.includes('Connected to the provider.')).length
    const before = connected()
    await town.call(town.a, revokeBridge, { bridge_id: id })
    await until(lines, '! Attic is not shown any more: its home does not use this bridge.')
    await vi.waitUntil(() => connected() > before, waitFor)
    expect(lines.filter((line) => line.includes('Attic could not be registered'))).toEqual([])
    const rest = await listed(town.b, id)
    expect(rest).toMatchObject({ connected: true })
    expect(rest.cameras).toHaveLength(1)
    await endAll()
    // The bridge has handled the rejected camera completely, so the next start also becomes ready.
    const again = start(data, '--no-virtual')
    await until(again, 'bridge: ready')
    expect(again.filter((line) => line.includes('Attic is not shown any more'))).toHaveLength(1)
  })

  test('has no camera of the removed home left when that home had its virtual cameras', async () => {
    const { data, id } = await ofBoth()
    const lines = start(data, '--virtual', '1')
    await until(lines, 'bridge: ready')
    await town.call(town.b, revokeBridge, { bridge_id: id })
    await until(lines, 'is not shown any more: its home does not use this bridge.')
    await vi.waitUntil(async () => (await listed(town.a, id))?.cameras.length === 1, waitFor)
  })
})

test('npm start does not enroll its bridge again after an owner has removed it', async () => {
  const env = { ...town.stage.env, DEMO: '0' as const }
  const key = { bridge_id: 'br_here', key: Buffer.alloc(32, 9).toString('base64url') }
  expect((await prepareProvider(env, key)).enrolled).toBe(true)
  expect((await prepareProvider(env, key)).enrolled).toBe(true)
  const owner = (await listed(town.a, key.bridge_id)) ? town.a : town.b
  await town.call(owner, revokeBridge, { bridge_id: key.bridge_id })
  expect((await prepareProvider(env, key)).enrolled).toBe(false)
  expect((await prepareProvider(env, { ...key, key: Buffer.alloc(32, 8).toString('base64url') })).enrolled).toBe(false)
  const here = new TestBridge(origin(), key.bridge_id, Buffer.from(key.key, 'base64url'))
  expect((await here.register('door_here')).status).toBe(401)
  expect((await prepareProvider(env, { ...key, bridge_id: 'br_anew' })).enrolled).toBe(true)
})

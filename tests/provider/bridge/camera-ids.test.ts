import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { BridgeProgram } from '../../../bridge/bridge.ts'
import { makeSecret, rtspDeviceId } from '../../../bridge/cameras/camera-ids.ts'
import { addCamera, readCameras } from '../../../bridge/cameras/camera-file.ts'
import { askBridge, openCameraDoor, readAnswers } from '../../../contract/cameras/camera-setup.ts'
import { getHomeDevices } from '../../../contract/cameras/devices.ts'
import { storeBridge } from '../../../provider/bridge/enroll-bridge.ts'
import { openAnswers, type OpenDoor, sealFor } from '../../support/adding.ts'
import { openNeighborhood, type Household, type Neighborhood, TestBridge } from '../../support/home.ts'
import { patience } from '../../support/patience.ts'

const url = 'rtsp://192.168.1.100/stream1'
const formerId = (host: string) =>
  `RC${createHash('sha256').update(`${host}:554/stream1`).digest('hex').slice(0, 12).toUpperCase()}`

let town: Neighborhood
const folders: string[] = []
beforeAll(async () => {
  town = await openNeighborhood()
})
afterAll(async () => {
  vi.restoreAllMocks()
  await town.close()
  for (const data of folders) await rm(data, { recursive: true, force: true })
})

async function newFolder(): Promise<string> {
  const data = await mkdtemp(join(tmpdir(), 'two-homes-'))
  folders.push(data)
  return data
}
async function cameraIds(as: Household): Promise<string[]> {
  const { body } = await town.call(as, getHomeDevices, { device_category: 'camera', env: 'beta' })
  return body.data.device_list.map(({ device_id }: { device_id: string }) => device_id)
}

test('two homes with a camera at the same address each register it under their own id', async () => {
  const [mine, theirs] = [await addCamera(await newFolder(), { url }), await addCamera(await newFolder(), { url })]
  expect((await town.a.bridge.register(mine.device_id)).status).toBe(200)
  expect((await town.b.bridge.register(theirs.device_id)).status).toBe(200)
  expect([await cameraIds(town.a), await cameraIds(town.b)]).toEqual([[mine.device_id], [theirs.device_id]])
})

test('an address-based id gets the same rejection whether taken or free, and its home keeps it', async () => {
  const [registered, free] = [formerId('192.168.1.100'), formerId('192.168.1.101')]
  await town.bindings.DB.prepare("INSERT INTO devices (device_id, home_id, bridge_id) VALUES (?, 'home_a', 'bridge_a')")
    .bind(registered)
    .run()
  expect((await town.a.bridge.register(registered)).status).toBe(200)
  const answers = [await town.b.bridge.register(registered), await town.b.bridge.register(free)]
  expect(answers[0]).toEqual(answers[1])
  expect(answers[0]?.status).toBe(409)
  expect(await cameraIds(town.a)).toContain(registered)
})

async function realBridge(data: string, id: string): Promise<BridgeProgram> {
  const key = Buffer.alloc(32, 5)
  const identity = new TestBridge(town.b.bridge.origin, id, key)
  const row = { key_hash: identity.keyHash, name: 'Real', homes: ['home_b'] }
  await storeBridge(town.bindings, identity.id, row, Date.now())
  await writeFile(join(data, 'bridge.key'), JSON.stringify({ bridge_id: identity.id, key: key.toString('base64url') }))
  return BridgeProgram.open({ provider: identity.origin, data, virtual: 0, scenes: undefined })
}

test('a bridge replaces and stores an unavailable camera id, and the camera is registered', async () => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  const data = await newFolder()
  const former = formerId('127.0.0.1')
  const camera = { url: 'rtsp://127.0.0.1:9/stream1', name: 'Porch', device_id: former }
  await writeFile(join(data, 'cameras.json'), JSON.stringify({ cameras: [camera] }))
  const bridge = await realBridge(data, 'bridge_real')
  bridge.start()
  try {
    const own = async () => (await readCameras(data)).cameras[0]?.device_id ?? ''
    await vi.waitUntil(async () => (await cameraIds(town.b)).includes(await own()), patience)
    expect(await own()).toMatch(/^RC[0-9A-F]{20}$/)
    expect(await cameraIds(town.b)).not.toContain(former)
    expect(JSON.parse(await readFile(join(data, 'cameras.json'), 'utf8')).cameras).toEqual([
      { ...camera, device_id: await own() },
    ])
  } finally {
    await bridge.stop()
  }
})

test('a page-added camera with an unavailable id is reported under its new id', async () => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  const data = await newFolder()
  const address = 'rtsp://127.0.0.1:9/stream2'
  const own = rtspDeviceId(await makeSecret(data), new URL(address))
  await town.bindings.DB.prepare("INSERT INTO devices (device_id, home_id, bridge_id) VALUES (?, 'home_a', 'bridge_a')")
    .bind(own)
    .run()
  const bridge = await realBridge(data, 'bridge_page')
  bridge.start()
  try {
    const knock = async () => (await town.call(town.b, openCameraDoor)).body.data
    await vi.waitUntil(async () => (await knock()).bridge_id === 'bridge_page', patience)
    const door = (await knock()) as OpenDoor
    const { sealed, channel } = await sealFor(door, { ask: 'add', address, user: '', password: '', name: 'Yard' })
    const { ask_id } = (await town.call(town.b, askBridge, { bridge_id: 'bridge_page', sealed })).body.data
    const boxes: string[] = []
    const read = async () => {
      const request = { bridge_id: 'bridge_page', ask_id, after: boxes.length }
      const { data: answer } = (await town.call(town.b, readAnswers, request)).body
      boxes.push(...answer.boxes)
      return answer.over as boolean
    }
    await vi.waitUntil(read, patience)
    const device_id = (await readCameras(data)).cameras[0]?.device_id
    expect(device_id).not.toBe(own)
    expect(await openAnswers(channel, boxes)).toEqual([
      { answer: 'added', device_id },
      { answer: 'over', words: '' },
    ])
    expect(await cameraIds(town.b)).toContain(device_id)
  } finally {
    await bridge.stop()
  }
})

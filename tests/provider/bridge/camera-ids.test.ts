import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { BridgeProgram } from '../../../bridge/bridge.ts'
import { createSecret, deriveDeviceId } from '../../../bridge/cameras/camera-ids.ts'
import { addCamera, readCameras } from '../../../bridge/cameras/camera-file.ts'
import { forwardSealedRequest, getBridgeSealingKey, readSealedAnswers } from '../../../contract/cameras/camera-setup.ts'
import { getHomeDevices } from '../../../contract/cameras/devices.ts'
import { storeBridge } from '../../../provider/bridge/enroll-bridge.ts'
import { openCameraAnswers, type BridgeSealingKey, sealForBridge } from '../../support/camera-setup-channel.ts'
import { openNeighborhood, type Household, type Neighborhood, TestBridge } from '../../support/home.ts'
import { WAIT_OPTIONS } from '../../support/patience.ts'

const url = 'rtsp://192.168.1.100/stream1'
const addressBasedId = (host: string) =>
  `RC${createHash('sha256').update(`${host}:554/stream1`).digest('hex').slice(0, 12).toUpperCase()}`

let neighborhood: Neighborhood
const folders: string[] = []
beforeAll(async () => {
  neighborhood = await openNeighborhood()
})
afterAll(async () => {
  vi.restoreAllMocks()
  await neighborhood.close()
  for (const data of folders) await rm(data, { recursive: true, force: true })
})

async function createFolder(): Promise<string> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'two-homes-'))
  folders.push(dataFolder)
  return dataFolder
}
async function listCameraIds(household: Household): Promise<string[]> {
  const { body } = await neighborhood.call(household, getHomeDevices, { device_category: 'camera', env: 'beta' })
  return body.data.device_list.map(({ device_id }: { device_id: string }) => device_id)
}

test('two homes with a camera at the same address each register it under their own id', async () => {
  const [mine, theirs] = [
    await addCamera(await createFolder(), { url }),
    await addCamera(await createFolder(), { url }),
  ]
  expect((await neighborhood.a.bridge.register(mine.device_id)).status).toBe(200)
  expect((await neighborhood.b.bridge.register(theirs.device_id)).status).toBe(200)
  expect([await listCameraIds(neighborhood.a), await listCameraIds(neighborhood.b)]).toEqual([
    [mine.device_id],
    [theirs.device_id],
  ])
})

test('an address-based id gets the same rejection whether taken or free, and its home keeps it', async () => {
  const [registered, free] = [addressBasedId('192.168.1.100'), addressBasedId('192.168.1.101')]
  await neighborhood.bindings.DB.prepare(
    "INSERT INTO devices (device_id, home_id, bridge_id) VALUES (?, 'home_a', 'bridge_a')",
  )
    .bind(registered)
    .run()
  expect((await neighborhood.a.bridge.register(registered)).status).toBe(200)
  const answers = [await neighborhood.b.bridge.register(registered), await neighborhood.b.bridge.register(free)]
  expect(answers[0]).toEqual(answers[1])
  expect(answers[0]?.status).toBe(409)
  expect(await listCameraIds(neighborhood.a)).toContain(registered)
})

async function openBridge(dataFolder: string, id: string): Promise<BridgeProgram> {
  const key = Buffer.alloc(32, 5)
  const identity = new TestBridge(neighborhood.b.bridge.origin, id, key)
  const row = { key_hash: identity.keyHash, name: 'Real', homes: ['home_b'] }
  await storeBridge(neighborhood.bindings, identity.id, row, Date.now())
  await writeFile(
    join(dataFolder, 'bridge.key'),
    JSON.stringify({ bridge_id: identity.id, key: key.toString('base64url') }),
  )
  return BridgeProgram.open({ provider: identity.origin, dataFolder, virtual: 0, scenes: undefined })
}

test('a bridge replaces and stores an unavailable camera id, and the camera is registered', async () => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  const data = await createFolder()
  const former = addressBasedId('127.0.0.1')
  const camera = { url: 'rtsp://127.0.0.1:9/stream1', name: 'Porch', device_id: former }
  await writeFile(join(data, 'cameras.json'), JSON.stringify({ cameras: [camera] }))
  const bridge = await openBridge(data, 'bridge_real')
  bridge.start()
  try {
    const own = async () => (await readCameras(data)).cameras[0]?.device_id ?? ''
    await vi.waitUntil(async () => (await listCameraIds(neighborhood.b)).includes(await own()), WAIT_OPTIONS)
    expect(await own()).toMatch(/^RC[0-9A-F]{20}$/)
    expect(await listCameraIds(neighborhood.b)).not.toContain(former)
    expect(JSON.parse(await readFile(join(data, 'cameras.json'), 'utf8')).cameras).toEqual([
      { ...camera, device_id: await own() },
    ])
  } finally {
    await bridge.stop()
  }
})

test('a page-added camera with an unavailable id is reported under its new id', async () => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  const data = await createFolder()
  const address = 'rtsp://127.0.0.1:9/stream2'
  const own = deriveDeviceId(await createSecret(data), new URL(address))
  await neighborhood.bindings.DB.prepare(
    "INSERT INTO devices (device_id, home_id, bridge_id) VALUES (?, 'home_a', 'bridge_a')",
  )
    .bind(own)
    .run()
  const bridge = await openBridge(data, 'bridge_page')
  bridge.start()
  try {
    const openSetup = async () => (await neighborhood.call(neighborhood.b, getBridgeSealingKey)).body.data
    await vi.waitUntil(async () => (await openSetup()).bridge_id === 'bridge_page', WAIT_OPTIONS)
    const setup = (await openSetup()) as BridgeSealingKey
    const { sealed, channel } = await sealForBridge(setup, {
      ask: 'add',
      address,
      user: '',
      password: '',
      name: 'Yard',
    })
    const { ask_id } = (
      await neighborhood.call(neighborhood.b, forwardSealedRequest, { bridge_id: 'bridge_page', sealed })
    ).body.data
    const sealedAnswers: string[] = []
    const read = async () => {
      const request = { bridge_id: 'bridge_page', ask_id, after: sealedAnswers.length }
      const { data: answer } = (await neighborhood.call(neighborhood.b, readSealedAnswers, request)).body
      sealedAnswers.push(...answer.boxes)
      return answer.over as boolean
    }
    await vi.waitUntil(read, WAIT_OPTIONS)
    const device_id = (await readCameras(data)).cameras[0]?.device_id
    expect(device_id).not.toBe(own)
    expect(await openCameraAnswers(channel, sealedAnswers)).toEqual([
      { answer: 'added', device_id },
      { answer: 'over', words: '' },
    ])
    expect(await listCameraIds(neighborhood.b)).toContain(device_id)
  } finally {
    await bridge.stop()
  }
})

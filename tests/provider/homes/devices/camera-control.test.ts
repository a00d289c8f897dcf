import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getCameraAreas, setCameraAreas } from '../../../../contract/cameras/camera-areas.ts'
import { getHomeDevices } from '../../../../contract/cameras/devices.ts'
import {
  getCameraSettings,
  sortCameras,
  removeCamera,
  renameCamera,
  setCameraPower,
  setCameraSettings,
  shareCamera,
} from '../../../../contract/cameras/owner-calls.ts'
import { runAction, setResolution, sendCommand } from '../../../../contract/live/camera-control-calls.ts'
import { getStreams } from '../../../../contract/live/live-calls.ts'
import { addAccount, openNeighborhood, type Neighborhood } from '../../../support/home.ts'
import { type TestSocket } from '../../../support/socket.ts'

type Guest = Awaited<ReturnType<typeof addAccount>>
let neighborhood: Neighborhood
let controlSocket: TestSocket
let guest: Guest
beforeAll(async () => {
  neighborhood = await openNeighborhood()
  await neighborhood.a.bridge.register('door_a', { dual: true, renditions: ['360p', '720p'] })
  await neighborhood.a.bridge.register('yard_a', { device_order: 2, nickname: 'Yard', battery: true })
  guest = await addAccount(neighborhood.bindings, 'guest')
  await neighborhood.call(neighborhood.a, shareCamera, { device_id: 'door_a', email: 'guest@example.com', role: 2 })
  controlSocket = await connectBridge()
})
afterAll(() => neighborhood.close())

const CAMERA_SETTINGS = {
  motion: true,
  sensitivity: 80,
  zones: [
    [
      [0, 0],
      [1, 0],
      [0.5, 0.75],
    ],
  ],
}

async function connectBridge(): Promise<TestSocket> {
  const socket = await neighborhood.a.bridge.openControlSocket()
  const cameras = ['door_a', 'yard_a'].map((device_id) => ({ device_id, state: 'awake', reason: '' }))
  socket.send({ type: 'hello', version: '2', cameras })
  return socket
}

async function readWelcomeCameras(): Promise<Record<string, unknown>[]> {
  const socket = await connectBridge()
  controlSocket = socket
  const welcome = await socket.receive((message) => message.type === 'welcome')
  return welcome.homes[0].cameras
}

const receiveMessage = (type = 'command') => controlSocket.receive((message) => message.type === type)
const buildWakeAction = (id: string) => ({
  targetInfo: { id, type: 'DEVICE', productModel: 'PL-BAT-V1' },
  capabilities: [{ name: 'wakeup', functions: [{ name: 'wakeup-live-view', in: {} }] }],
  transactionId: 'turn_1',
})
const listDevices = async () => {
  const query = { device_category: 'camera', env: 'beta', home_id: 'home_a' }
  return (await neighborhood.call(neighborhood.a, getHomeDevices, query)).body.data.device_list
}

describe('live stream control', () => {
  test('CALL-31 run_action tells the bridge to wake the camera, once per nonce', async () => {
    const answers = await neighborhood.replayNonce(neighborhood.a, runAction, buildWakeAction('yard_a'))
    expect(answers.map(({ status }) => status)).toEqual([200, 400, 400])
    expect(answers[0]?.body.data).toEqual({ transactionId: 'turn_1' })
    expect(await receiveMessage()).toEqual({ type: 'command', device_id: 'yard_a', command: 'wake' })
  })

  test('returns 409 on waking a camera whose bridge is offline', async () => {
    await neighborhood.b.bridge.register('door_b')
    expect((await neighborhood.call(neighborhood.b, runAction, buildWakeAction('door_b'))).status).toBe(409)
  })

  test('CALL-41 mars/resolution sets an available rendition for all viewers', async () => {
    const answer = await neighborhood.call(neighborhood.a, setResolution, { did: 'door_a', resolution: '720p' })
    expect([answer.status, answer.body.data]).toEqual([200, { resolution: '720p' }])
    expect(await receiveMessage()).toEqual({ type: 'command', device_id: 'door_a', command: 'rendition', name: '720p' })
    const { body } = await neighborhood.call(neighborhood.a, getStreams, { device_list: [{ device_id: 'door_a' }] })
    expect(body.data.streams[0].rendition).toBe('720p')
    expect((await neighborhood.call(neighborhood.a, setResolution, { did: 'door_a', resolution: '8k' })).status).toBe(
      400,
    )
  })

  test('CALL-42 exchange_pip swaps the videos of a dual-lens camera and back, and of no other camera', async () => {
    const swapVideos = (did: string) =>
      neighborhood.call(neighborhood.a, sendCommand, { did, action: 'exchange_pip', params: 'pip' })
    for (const swapped of [true, false, true]) {
      expect((await swapVideos('door_a')).body.data).toEqual({ swapped })
      expect(await receiveMessage()).toEqual({ type: 'command', device_id: 'door_a', command: 'pip', swap: swapped })
    }
    expect((await swapVideos('yard_a')).status).toBe(400)
  })
})

describe('camera owner', () => {
  test('switches a camera off and on; the bridge and the list are updated', async () => {
    await neighborhood.call(neighborhood.a, setCameraPower, { device_id: 'door_a', on: false })
    expect(await receiveMessage()).toEqual({ type: 'command', device_id: 'door_a', command: 'power', on: false })
    expect((await listDevices())[0].property['iot-power']).toBe(0)
  })

  test('sets zones and sensitivity, and reads them back', async () => {
    const before = await neighborhood.call(neighborhood.a, getCameraSettings, { device_id: 'door_a' })
    expect(before.body.data).toEqual({ motion: true, sensitivity: 50, zones: [] })
    await neighborhood.call(neighborhood.a, setCameraSettings, { device_id: 'door_a', settings: CAMERA_SETTINGS })
    expect(await receiveMessage('settings')).toEqual({
      type: 'settings',
      device_id: 'door_a',
      settings: CAMERA_SETTINGS,
    })
    const after = await neighborhood.call(neighborhood.a, getCameraSettings, { device_id: 'door_a' })
    expect(after.body.data).toEqual(CAMERA_SETTINGS)
  })

  test('a reconnecting bridge receives the owner settings in its welcome', async () => {
    expect((await readWelcomeCameras())[0]).toEqual({
      device_id: 'door_a',
      nickname: 'Front door',
      last_event_ts: null,
      power: false,
      rendition: '720p',
      pip: true,
      settings: CAMERA_SETTINGS,
    })
  })

  test('names and orders cameras, whatever their bridge registers afterward', async () => {
    await neighborhood.call(neighborhood.a, renameCamera, { device_id: 'yard_a', nickname: 'Garden' })
    await neighborhood.call(neighborhood.a, sortCameras, { device_ids: ['yard_a'] })
    await neighborhood.a.bridge.register('yard_a', { device_order: 2, nickname: 'Yard', battery: true })
    expect((await listDevices()).map((device: { nickname: string }) => device.nickname)).toEqual([
      'Garden',
      'Front door',
    ])
  })

  test('may do all this, but guests of a shared camera may not', async () => {
    const device_id = 'door_a'
    const rejections = await Promise.all([
      neighborhood.call(guest, setCameraPower, { device_id, on: true }),
      neighborhood.call(guest, getCameraSettings, { device_id }),
      neighborhood.call(guest, setCameraSettings, { device_id, settings: CAMERA_SETTINGS }),
      neighborhood.call(guest, getCameraAreas, { device_id }),
      neighborhood.call(guest, setCameraAreas, { device_id, places: ['back'] }),
      neighborhood.call(guest, renameCamera, { device_id, nickname: 'Mine' }),
      neighborhood.call(guest, sortCameras, { device_ids: [device_id] }),
      neighborhood.call(guest, removeCamera, { device_id }),
      neighborhood.call(guest, shareCamera, { device_id, email: 'b@example.com', role: 2 }),
      neighborhood.call(guest, setResolution, { did: device_id, resolution: '360p' }),
      neighborhood.call(guest, sendCommand, { did: device_id, action: 'exchange_pip', params: 'pip' }),
    ])
    expect(rejections.map(({ status }) => status)).toEqual(rejections.map(() => 403))
  })

  test('removes a camera: its bridge is notified, and gets 410 until it confirms', async () => {
    const { bridge } = neighborhood.a
    await neighborhood.call(neighborhood.a, removeCamera, { device_id: 'door_a' })
    expect(await receiveMessage('removed')).toEqual({ type: 'removed', device_id: 'door_a' })
    expect((await listDevices()).map((device: { device_id: string }) => device.device_id)).toEqual(['yard_a'])
    expect((await bridge.register('door_a')).status).toBe(410)
    expect((await bridge.send('DELETE', '/bridge/v1/cameras/door_a')).status).toBe(200)
    expect((await bridge.register('door_a')).status).toBe(200)
    const seen = await neighborhood.call(guest, getStreams, { device_list: [{ device_id: 'door_a' }] })
    expect(seen.status).toBe(404)
  })
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getCameraPlaces, setCameraPlaces } from '../../../../contract/cameras/camera-areas.ts'
import { getHomeDevices } from '../../../../contract/cameras/devices.ts'
import {
  getCameraSettings,
  orderCameras,
  removeCamera,
  renameCamera,
  setCameraPower,
  setCameraSettings,
  shareCamera,
} from '../../../../contract/cameras/owner-calls.ts'
import { getStreams, runAction, sendCommand, setResolution } from '../../../../contract/live/live-calls.ts'
import { addAccount, openNeighborhood, type Neighborhood } from '../../../support/home.ts'
import { type Socket } from '../../../support/socket.ts'

type Guest = Awaited<ReturnType<typeof addAccount>>
let town: Neighborhood
let control: Socket
let guest: Guest
beforeAll(async () => {
  town = await openNeighborhood()
  await town.a.bridge.register('door_a', { dual: true, renditions: ['360p', '720p'] })
  await town.a.bridge.register('yard_a', { device_order: 2, nickname: 'Yard', battery: true })
  guest = await addAccount(town.bindings, 'guest')
  await town.call(town.a, shareCamera, { device_id: 'door_a', email: 'guest@example.com', role: 2 })
  control = await connect()
})
afterAll(() => town.close())

const SETTINGS = {
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

async function connect(): Promise<Socket> {
  const socket = await town.a.bridge.control()
  const cameras = ['door_a', 'yard_a'].map((device_id) => ({ device_id, state: 'awake', reason: '' }))
  socket.send({ type: 'hello', version: '2', cameras })
  return socket
}

async function welcomed(): Promise<Record<string, unknown>[]> {
  const socket = await connect()
  control = socket
  const welcome = await socket.receive((message) => message.type === 'welcome')
  return welcome.homes[0].cameras
}

const receiveMessage = (type = 'command') => control.receive((message) => message.type === type)
const wake = (id: string) => ({
  targetInfo: { id, type: 'DEVICE', productModel: 'PL-BAT-V1' },
  capabilities: [{ name: 'wakeup', functions: [{ name: 'wakeup-live-view', in: {} }] }],
  transactionId: 'turn_1',
})
const list = async () => {
  const query = { device_category: 'camera', env: 'beta', home_id: 'home_a' }
  return (await town.call(town.a, getHomeDevices, query)).body.data.device_list
}

describe('live stream control', () => {
  test('CALL-31 run_action tells the bridge to wake the camera, once per nonce', async () => {
    const answers = await town.repeat(town.a, runAction, wake('yard_a'))
    expect(answers.map(({ status }) => status)).toEqual([200, 400, 400])
    expect(answers[0]?.body.data).toEqual({ transactionId: 'turn_1' })
    expect(await receiveMessage()).toEqual({ type: 'command', device_id: 'yard_a', command: 'wake' })
  })

  test('returns 409 on waking a camera whose bridge is offline', async () => {
    await town.b.bridge.register('door_b')
    expect((await town.call(town.b, runAction, wake('door_b'))).status).toBe(409)
  })

  test('CALL-41 mars/resolution sets an available rendition for all viewers', async () => {
    const answer = await town.call(town.a, setResolution, { did: 'door_a', resolution: '720p' })
    expect([answer.status, answer.body.data]).toEqual([200, { resolution: '720p' }])
    expect(await receiveMessage()).toEqual({ type: 'command', device_id: 'door_a', command: 'rendition', name: '720p' })
    const { body } = await town.call(town.a, getStreams, { device_list: [{ device_id: 'door_a' }] })
    expect(body.data.streams[0].rendition).toBe('720p')
    expect((await town.call(town.a, setResolution, { did: 'door_a', resolution: '8k' })).status).toBe(400)
  })

  test('CALL-42 exchange_pip swaps the videos of a dual-lens camera and back, and of no other camera', async () => {
    const swap = (did: string) => town.call(town.a, sendCommand, { did, action: 'exchange_pip', params: 'pip' })
    for (const swapped of [true, false, true]) {
      expect((await swap('door_a')).body.data).toEqual({ swapped })
      expect(await receiveMessage()).toEqual({ type: 'command', device_id: 'door_a', command: 'pip', swap: swapped })
    }
    expect((await swap('yard_a')).status).toBe(400)
  })
})

describe('camera owner', () => {
  test('switches a camera off and on; the bridge and the list are updated', async () => {
    await town.call(town.a, setCameraPower, { device_id: 'door_a', on: false })
    expect(await receiveMessage()).toEqual({ type: 'command', device_id: 'door_a', command: 'power', on: false })
    expect((await list())[0].property['iot-power']).toBe(0)
  })

  test('sets zones and sensitivity, and reads them back', async () => {
    const before = await town.call(town.a, getCameraSettings, { device_id: 'door_a' })
    expect(before.body.data).toEqual({ motion: true, sensitivity: 50, zones: [] })
    await town.call(town.a, setCameraSettings, { device_id: 'door_a', settings: SETTINGS })
    expect(await receiveMessage('settings')).toEqual({ type: 'settings', device_id: 'door_a', settings: SETTINGS })
    const after = await town.call(town.a, getCameraSettings, { device_id: 'door_a' })
    expect(after.body.data).toEqual(SETTINGS)
  })

  test('a reconnecting bridge receives the owner settings in its welcome', async () => {
    expect((await welcomed())[0]).toEqual({
      device_id: 'door_a',
      nickname: 'Front door',
      last_event_ts: null,
      power: false,
      rendition: '720p',
      pip: true,
      settings: SETTINGS,
    })
  })

  test('names and orders cameras, whatever their bridge registers afterward', async () => {
    await town.call(town.a, renameCamera, { device_id: 'yard_a', nickname: 'Garden' })
    await town.call(town.a, orderCameras, { device_ids: ['yard_a'] })
    await town.a.bridge.register('yard_a', { device_order: 2, nickname: 'Yard', battery: true })
    expect((await list()).map((device: { nickname: string }) => device.nickname)).toEqual(['Garden', 'Front door'])
  })

  test('may do all this, but guests of a shared camera may not', async () => {
    const device_id = 'door_a'
    const rejections = await Promise.all([
      town.call(guest, setCameraPower, { device_id, on: true }),
      town.call(guest, getCameraSettings, { device_id }),
      town.call(guest, setCameraSettings, { device_id, settings: SETTINGS }),
      town.call(guest, getCameraPlaces, { device_id }),
      town.call(guest, setCameraPlaces, { device_id, places: ['back'] }),
      town.call(guest, renameCamera, { device_id, nickname: 'Mine' }),
      town.call(guest, orderCameras, { device_ids: [device_id] }),
      town.call(guest, removeCamera, { device_id }),
      town.call(guest, shareCamera, { device_id, email: 'b@example.com', role: 2 }),
      town.call(guest, setResolution, { did: device_id, resolution: '360p' }),
      town.call(guest, sendCommand, { did: device_id, action: 'exchange_pip', params: 'pip' }),
    ])
    expect(rejections.map(({ status }) => status)).toEqual(rejections.map(() => 403))
  })

  test('removes a camera: its bridge is notified, and gets 410 until it confirms', async () => {
    const { bridge } = town.a
    await town.call(town.a, removeCamera, { device_id: 'door_a' })
    expect(await receiveMessage('removed')).toEqual({ type: 'removed', device_id: 'door_a' })
    expect((await list()).map((device: { device_id: string }) => device.device_id)).toEqual(['yard_a'])
    expect((await bridge.register('door_a')).status).toBe(410)
    expect((await bridge.send('DELETE', '/bridge/v1/cameras/door_a')).status).toBe(200)
    expect((await bridge.register('door_a')).status).toBe(200)
    const seen = await town.call(guest, getStreams, { device_list: [{ device_id: 'door_a' }] })
    expect(seen.status).toBe(404)
  })
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import { DEFAULT_CAMERA_SETTINGS } from '../../../contract/cameras/camera-settings.ts'
import { feedTicket } from '../../../contract/events/feed-and-review-calls.ts'
import { getCameraSettings } from '../../../contract/cameras/owner-calls.ts'
import { openNeighborhood, type Neighborhood } from '../../support/home.ts'
import { openSocket } from '../../support/socket.ts'

let neighborhood: Neighborhood
beforeAll(async () => {
  neighborhood = await openNeighborhood()
  for (const id of ['door_a', 'yard_a', 'shed_a']) await neighborhood.a.bridge.register(id)
})
afterAll(() => neighborhood.close())

async function sendHello(hello: unknown) {
  const socket = await neighborhood.a.bridge.openControlSocket()
  socket.send(hello)
  const welcome = await socket.receive((message) => message.type === 'welcome')
  return { socket, cameras: welcome.homes[0].cameras as { device_id: string; settings: unknown }[] }
}
const buildHello = (...cameras: unknown[]) => ({ type: 'hello', version: '2', cameras })
const openFeed = async () => {
  const { body } = await neighborhood.call(neighborhood.a, feedTicket)
  return openSocket(body.data.url, { origin: neighborhood.stage.env.PORTAL_ORIGIN })
}

test('settings stored by an older or newer version appear in responses and the welcome with current fields', async () => {
  const home = neighborhood.bindings.HOMES.getByName(neighborhood.a.homeId)
  const older = { sensitivity: 80 }
  const newer = { motion: false, sensitivity: 'auto', zones: [], night: 'colour' }
  await home.setCameraSettings('door_a', older as never)
  await home.setCameraSettings('yard_a', newer as never)
  const door = { ...DEFAULT_CAMERA_SETTINGS, sensitivity: 80 }
  const yard = { ...DEFAULT_CAMERA_SETTINGS, motion: false }
  const { socket, cameras } = await sendHello(buildHello())
  await socket.close()
  const settings = new Map(cameras.map((camera) => [camera.device_id, camera.settings]))
  expect([...['door_a', 'yard_a', 'shed_a'].map((id) => settings.get(id))]).toEqual([
    door,
    yard,
    DEFAULT_CAMERA_SETTINGS,
  ])
  const { body } = await neighborhood.call(neighborhood.a, getCameraSettings, { device_id: 'door_a' })
  expect(body.data).toEqual(door)
})

test('an older hello, or one with an unknown future state, is welcomed and applies its readable fields', async () => {
  const feed = await openFeed()
  const { socket, cameras } = await sendHello({
    type: 'hello',
    mood: 'fine',
    cameras: [
      { device_id: 'door_a', state: 'awake' },
      { device_id: 'yard_a', state: 'dreaming', reason: '' },
      'shed_a',
    ],
  })
  expect(cameras).toHaveLength(3)
  const states = [
    await feed.receive(isCameraState),
    await feed.receive(isCameraState),
    await feed.receive(isCameraState),
  ]
  expect(new Map(states.map(({ device_id, state }) => [device_id, state]))).toEqual(
    new Map([
      ['door_a', 'awake'],
      ['yard_a', 'offline'],
      ['shed_a', 'offline'],
    ]),
  )
  await socket.close()
  await feed.close()
})

test('an unknown message leaves the connection open, and later messages still count', async () => {
  const { socket } = await sendHello(buildHello({ device_id: 'door_a', state: 'awake', reason: '' }))
  socket.send({ type: 'dance', device_id: 'door_a' })
  socket.send({ type: 'state', device_id: 'door_a', state: 'dreaming', reason: '', at: 1 })
  socket.send({ type: 'ping', mood: 'fine' })
  expect(await socket.receive((message) => message.type === 'pong')).toMatchObject({ type: 'pong' })
  await socket.close()
})

const isCameraState = (message: { type: string }) => message.type === 'camera-state'

import { afterAll, beforeAll, expect, test } from 'vitest'
import { DEFAULT_CAMERA_SETTINGS } from '../../../contract/cameras/camera-settings.ts'
import { feedTicket } from '../../../contract/events/feed-and-review-calls.ts'
import { getCameraSettings } from '../../../contract/cameras/owner-calls.ts'
import { openNeighborhood, type Neighborhood } from '../../support/home.ts'
import { openSocket } from '../../support/socket.ts'

let town: Neighborhood
beforeAll(async () => {
  town = await openNeighborhood()
  for (const id of ['door_a', 'yard_a', 'shed_a']) await town.a.bridge.register(id)
})
afterAll(() => town.close())

/** Sends the `hello` message on a new control socket. Returns the socket and the cameras of the welcome. */
async function greet(hello: unknown) {
  const socket = await town.a.bridge.control()
  socket.send(hello)
  const welcome = await socket.receive((message) => message.type === 'welcome')
  return { socket, cameras: welcome.homes[0].cameras as { device_id: string; settings: unknown }[] }
}
const hello = (...cameras: unknown[]) => ({ type: 'hello', version: '2', cameras })
const openFeed = async () => {
  const { body } = await town.call(town.a, feedTicket)
  return openSocket(body.data.url, { origin: town.stage.env.PORTAL_ORIGIN })
}

test('settings stored by an older or newer version appear in responses and the welcome with current fields', async () => {
  const home = town.bindings.HOMES.getByName(town.a.homeId)
  const older = { sensitivity: 80 }
  const newer = { motion: false, sensitivity: 'auto', zones: [], night: 'colour' }
  await home.setCameraSettings('door_a', older as never)
  await home.setCameraSettings('yard_a', newer as never)
  const door = { ...DEFAULT_CAMERA_SETTINGS, sensitivity: 80 }
  const yard = { ...DEFAULT_CAMERA_SETTINGS, motion: false }
  const { socket, cameras } = await greet(hello())
  await socket.close()
  const settings = new Map(cameras.map((camera) => [camera.device_id, camera.settings]))
  expect([...['door_a', 'yard_a', 'shed_a'].map((id) => settings.get(id))]).toEqual([
    door,
    yard,
    DEFAULT_CAMERA_SETTINGS,
  ])
  const { body } = await town.call(town.a, getCameraSettings, { device_id: 'door_a' })
  expect(body.data).toEqual(door)
})

test('an older hello, or one with an unknown future state, is welcomed and applies its readable fields', async () => {
  const feed = await openFeed()
  const { socket, cameras } = await greet({
    type: 'hello',
    mood: 'fine',
    cameras: [
      { device_id: 'door_a', state: 'awake' },
      { device_id: 'yard_a', state: 'dreaming', reason: '' },
      'shed_a',
    ],
  })
  expect(cameras).toHaveLength(3)
  const states = [await feed.receive(isState), await feed.receive(isState), await feed.receive(isState)]
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
  const { socket } = await greet(hello({ device_id: 'door_a', state: 'awake', reason: '' }))
  socket.send({ type: 'dance', device_id: 'door_a' })
  socket.send({ type: 'state', device_id: 'door_a', state: 'dreaming', reason: '', at: 1 })
  socket.send({ type: 'ping', mood: 'fine' })
  expect(await socket.receive((message) => message.type === 'pong')).toMatchObject({ type: 'pong' })
  await socket.close()
})

const isState = (message: { type: string }) => message.type === 'camera-state'

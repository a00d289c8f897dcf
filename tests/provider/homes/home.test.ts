import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getHomeDevices, getHomes } from '../../../contract/cameras/devices.ts'
import { getEventTags } from '../../../contract/events/event-calls.ts'
import { feedTicket } from '../../../contract/events/feed-and-review-calls.ts'
import { getConfAndSetting, setCameraListFilter } from '../../../contract/cameras/device-models.ts'
import { getStreams } from '../../../contract/live/live-calls.ts'
import { closeUserSockets } from '../../../provider/homes/feed/close-user-sockets.ts'
import { createBridgeEvent, openNeighborhood, type Neighborhood } from '../../support/home.ts'
import { openSocket } from '../../support/socket.ts'

let neighborhood: Neighborhood
beforeAll(async () => {
  neighborhood = await openNeighborhood()
  await neighborhood.a.bridge.register('door_a', { device_order: 2 })
  await neighborhood.a.bridge.register('yard_a', {
    device_order: 1,
    nickname: 'Yard',
    provider: 'kvs',
    firmware_version: '1.2',
  })
  await neighborhood.b.bridge.register('door_b')
})
afterAll(() => neighborhood.close())

const deviceQuery = { device_category: 'camera', env: 'beta' }

describe('homes and devices', () => {
  test('CALL-27 the home call returns the homes of the account with role and home_id', async () => {
    const { status, body } = await neighborhood.call(neighborhood.a, getHomes)
    expect([status, body]).toEqual([200, { code: 1, data: [{ home_id: 'home_a', role: 1, name: 'Home of a' }] }])
  })

  test('CALL-28 get-home-devices returns device_list, sort_type and sort_direction', async () => {
    const { body } = await neighborhood.call(neighborhood.a, getHomeDevices, { ...deviceQuery, home_id: 'home_a' })
    expect(body.code).toBe(1)
    expect(body.data).toMatchObject({ sort_type: 0, sort_direction: 0 })
    expect(body.data.device_list).toMatchObject([
      {
        device_id: 'yard_a',
        nickname: 'Yard',
        device_model: 'PL-1',
        device_order: 1,
        role: 1,
        device_category: 'camera',
        device_param: { firmware_version: '1.2', p2p_providers: ['kvs'] },
      },
      { device_id: 'door_a', nickname: 'Front door', device_param: { p2p_providers: ['lake'] } },
    ])
  })

  test('DEVICE-10 without a home id the cameras of every home of the account are listed', async () => {
    const { body } = await neighborhood.call(neighborhood.b, getHomeDevices, deviceQuery)
    expect(body.data.device_list.map((device: { device_id: string }) => device.device_id)).toEqual(['door_b'])
  })

  test('DEVICE-21 a device without live video is listed with the cameras and has no stream', async () => {
    await neighborhood.b.bridge.register('chime_b', { device_model: 'PL-CHIME-V1', renditions: [], device_order: 2 })
    const { body } = await neighborhood.call(neighborhood.b, getHomeDevices, deviceQuery)
    expect(body.data.device_list).toMatchObject([
      { device_id: 'door_b', device_param: { p2p_providers: ['lake'] } },
      { device_id: 'chime_b', device_category: 'camera', device_param: { p2p_providers: [] } },
    ])
    const streams = await neighborhood.call(neighborhood.b, getStreams, { device_list: [{ device_id: 'chime_b' }] })
    expect([streams.status, streams.body.data]).toEqual([200, { streams: [] }])
    await neighborhood.b.bridge.send('DELETE', '/bridge/v1/cameras/chime_b')
  })

  test('a home of another account returns 403', async () => {
    const { status, body } = await neighborhood.call(neighborhood.b, getHomeDevices, {
      ...deviceQuery,
      home_id: 'home_a',
    })
    expect([status, body.code, body.data]).toEqual([403, 403, undefined])
  })

  test('a removed camera leaves the list and returns when it is registered again', async () => {
    await neighborhood.a.bridge.register('spare_a', { device_order: 9 })
    await neighborhood.a.bridge.send('DELETE', '/bridge/v1/cameras/spare_a')
    const listDeviceIds = async () => {
      const { body } = await neighborhood.call(neighborhood.a, getHomeDevices, deviceQuery)
      return body.data.device_list.map((device: { device_id: string }) => device.device_id)
    }
    expect(await listDeviceIds()).toEqual(['yard_a', 'door_a'])
    await neighborhood.a.bridge.register('spare_a', { device_order: 9 })
    expect(await listDeviceIds()).toEqual(['yard_a', 'door_a', 'spare_a'])
  })

  test('CALL-36 get-event-tags returns id, name and kind of every tag', async () => {
    const { body } = await neighborhood.call(neighborhood.a, getEventTags)
    expect(body.code).toBe(200)
    expect(body.data).toContainEqual({ id: '800002', name: 'Barking', kind: 'sound', icon: 'dog' })
  })
})

describe('streams', () => {
  test('CALL-23 CALL-30 get-streams returns a signaling URL for each requested camera', async () => {
    const { status, body } = await neighborhood.call(neighborhood.a, getStreams, {
      device_list: [{ device_id: 'door_a' }, { device_id: 'yard_a' }],
    })
    expect(status).toBe(200)
    expect(body.data.streams).toMatchObject([
      { device_id: 'door_a', provider: 'lake', renditions: ['360p'], ice_servers: [], battery: false },
      { device_id: 'yard_a', provider: 'kvs' },
    ])
    expect(body.data.streams[0].signalling_url).toMatch(/^ws:\/\/127\.0\.0\.1:\d+\/camera\/door_a\/viewer\?ticket=/)
  })

  test('unknown cameras and those of another account are omitted; alone, both return the same 404', async () => {
    const requestStreams = (...ids: string[]) =>
      neighborhood.call(neighborhood.b, getStreams, { device_list: ids.map((device_id) => ({ device_id })) })
    const [some, foreign, unknown] = [
      await requestStreams('nowhere', 'door_b', 'door_a'),
      await requestStreams('door_a'),
      await requestStreams('nowhere'),
    ]
    expect(some.body.data.streams.map((stream: { device_id: string }) => stream.device_id)).toEqual(['door_b'])
    expect([foreign.status, foreign.body.code]).toEqual([404, 404])
    expect(foreign).toEqual(unknown)
  })
})

describe('home feed', () => {
  const openFeed = async (origin = neighborhood.stage.env.PORTAL_ORIGIN) => {
    const { body } = await neighborhood.call(neighborhood.a, feedTicket)
    return openSocket(body.data.url, { origin })
  }

  test('a new event of this home, and none of another home, reaches the open page', async () => {
    const socket = await openFeed()
    await socket.receive((message) => message.type === 'hello')
    await neighborhood.b.bridge.postEvent(createBridgeEvent('door_b', 'theirs'))
    await neighborhood.a.bridge.postEvent(createBridgeEvent('door_a', 'mine'))
    const first = await socket.receive((message) => message.type === 'event')
    expect(first.event).toMatchObject({ event_id: 'mine', device_id: 'door_a' })
    expect(first.event).not.toHaveProperty('clip_object')
    await socket.close()
  })

  test('a setting changed elsewhere reaches the open page', async () => {
    const socket = await openFeed()
    await socket.receive((message) => message.type === 'hello')
    await neighborhood.call(neighborhood.a, setCameraListFilter, { filterCamerasMac: ['door_a'] })
    expect(await socket.receive((message) => message.type === 'settings')).toEqual({ type: 'settings' })
    const { body } = await neighborhood.call(neighborhood.a, getConfAndSetting)
    expect(body.data.setting.CameraListFilter).toEqual({ filterCamerasMac: ['door_a'] })
    await socket.close()
  })

  test('a camera change reaches the open page and the list', async () => {
    const socket = await openFeed()
    const control = await neighborhood.a.bridge.openControlSocket()
    control.send({ type: 'hello', version: '1', cameras: [{ device_id: 'door_a', state: 'awake', reason: '' }] })
    const change = await socket.receive((message) => message.type === 'camera-state' && message.device_id === 'door_a')
    expect(change).toMatchObject({ state: 'awake', reason: '' })
    await control.close()
    const disconnected = await socket.receive(
      (message) => message.state === 'bridge_off' && message.device_id === 'door_a',
    )
    expect(disconnected.reason).toBe('The camera’s hub isn’t connected.')
    const { body } = await neighborhood.call(neighborhood.a, getHomeDevices, deviceQuery)
    const door = body.data.device_list.find((device: { device_id: string }) => device.device_id === 'door_a')
    expect(door).toMatchObject({ state: 'bridge_off', property: { 'iot-state': 0 }, state_since: disconnected.since })
    await socket.close()
  })

  test('the open page is notified of new and changed cameras, but not of an unchanged registration', async () => {
    const socket = await openFeed()
    await socket.receive((message) => message.type === 'hello')
    await neighborhood.a.bridge.register('new_a', { device_order: 5 })
    expect(await socket.receive((message) => message.type === 'access')).toEqual({ type: 'access' })
    await neighborhood.a.bridge.register('new_a', { device_order: 5 })
    await neighborhood.a.bridge.postEvent(createBridgeEvent('new_a', 'after'))
    expect(await socket.receive((message) => message.type === 'access' || message.type === 'event')).toHaveProperty(
      'event',
    )
    await neighborhood.a.bridge.register('new_a', { device_order: 5, nickname: 'Renamed' })
    expect(await socket.receive((message) => message.type === 'access')).toEqual({ type: 'access' })
    await socket.close()
  })

  test('a ticket opens one socket only, and only from the portal', async () => {
    const { body } = await neighborhood.call(neighborhood.a, feedTicket)
    const origin = neighborhood.stage.env.PORTAL_ORIGIN
    await expect(openSocket(body.data.url, { origin: 'https://evil.example' })).rejects.toThrow('403')
    const socket = await openSocket(body.data.url, { origin })
    await expect(openSocket(body.data.url, { origin })).rejects.toThrow('401')
    await expect(openSocket(body.data.url.slice(0, -1), { origin })).rejects.toThrow('401')
    await socket.close()
  })

  test('sign-out closes the feed and invalidates unused tickets', async () => {
    const socket = await openFeed()
    const { body } = await neighborhood.call(neighborhood.a, feedTicket)
    await closeUserSockets(neighborhood.bindings, neighborhood.a.userId)
    expect(await socket.closeCode).toBe(4401)
    await expect(openSocket(body.data.url, { origin: neighborhood.stage.env.PORTAL_ORIGIN })).rejects.toThrow('401')
  })
})

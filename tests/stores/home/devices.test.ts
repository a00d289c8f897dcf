import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { WireDevice } from '../../../contract/cameras/devices.ts'
import { configureClient } from '../../../src/api/api-client.ts'
import {
  $devices,
  $homeId,
  $userCameras,
  loadHomeId,
  fetchDevices,
  loadDevices,
  updateCameraState,
  reloadDevices,
  sortDevices,
  toDevice,
} from '../../../src/stores/home/devices.ts'
import { $userRole } from '../../../src/stores/session/session.ts'

const createWireDevice = (overrides: Partial<WireDevice> = {}): WireDevice => ({
  device_id: 'A1',
  device_model: 'PLV1',
  nickname: 'Driveway',
  device_order: 1,
  role: 1,
  device_category: 'camera',
  ...overrides,
})

function mockResponses(answers: Record<string, unknown>) {
  const requests: { path: string; body: unknown }[] = []
  configureClient({
    fetch: (input, init) => {
      const path = new URL(String(input), 'http://localhost').pathname
      const body: unknown = typeof init?.body === 'string' ? JSON.parse(init.body) : null
      requests.push({ path, body })
      const answer = answers[path.split('/').at(-1) ?? '']
      return answer === undefined ? Promise.reject(new TypeError('no network')) : Promise.resolve(Response.json(answer))
    },
    token: () => 'handle',
    xsrf: () => 'xsrf',
    refresh: () => Promise.resolve('over'),
    onSignedOut: () => undefined,
  })
  return requests
}

const homesResponse = {
  code: 1,
  data: [
    { home_id: 'h-shared', role: 2, name: 'Theirs' },
    { home_id: 'h-mine', role: 1, name: 'Mine' },
  ],
}
const deviceListResponse = (device_list: WireDevice[], sort_type = 0, sort_direction = 0) => ({
  code: 1,
  data: { device_list, sort_type, sort_direction },
})

beforeEach(() => {
  localStorage.clear()
  $homeId.set('')
  $userCameras.set([])
  $devices.set({ state: 'loading' })
  vi.spyOn(console, 'debug').mockImplementation(() => undefined)
})
afterEach(() => {
  vi.restoreAllMocks()
})

describe('wire device', () => {
  test('DEVICE-01 DEVICE-02 keeps id, model, name and order, and uses the id as its mac', () => {
    expect(toDevice(createWireDevice())).toMatchObject({
      device_id: 'A1',
      mac: 'A1',
      device_model: 'PLV1',
      nickname: 'Driveway',
      device_order: 1,
    })
  })

  test('DEVICE-03 DEVICE-04 keeps the role as user_role and the category as product_type', () => {
    expect(toDevice(createWireDevice({ role: 2 }))).toMatchObject({ user_role: 2, product_type: 'camera' })
  })

  test('DEVICE-05 DEVICE-06 defaults to connection 0 and power 1', () => {
    expect(toDevice(createWireDevice())).toMatchObject({ iot_state: 0, iot_power: 1 })
    expect(toDevice(createWireDevice({ property: { 'iot-state': 1, 'iot-power': 0 } }))).toMatchObject({
      iot_state: 1,
      iot_power: 0,
    })
  })

  test('DEVICE-07 takes thumbnail, firmware and providers from its parameters', () => {
    const device_param = { thumbnail_url: 'https://pic', firmware_version: '4.1', p2p_providers: ['kvs'] }
    expect(toDevice(createWireDevice({ device_param }))).toMatchObject({
      thumbnail_url: 'https://pic',
      firmware_version: '4.1',
      p2p_providers: ['kvs'],
    })
  })

  test('DEVICE-08 uses the real-time provider only if lake is among its providers', () => {
    expect(toDevice(createWireDevice({ device_param: { p2p_providers: ['kvs', 'lake'] } })).isLake).toBe(true)
    expect(toDevice(createWireDevice({ device_param: { p2p_providers: ['kvs'] } })).isLake).toBe(false)
    expect(toDevice(createWireDevice()).isLake).toBe(false)
  })
})

describe('device order', () => {
  const devices = [
    createWireDevice({ device_id: 'b', nickname: 'Attic', device_order: 2 }),
    createWireDevice({ device_id: 'a', nickname: 'Street', device_order: 1 }),
  ].map(toDevice)
  const sortedIds = (sortType: number, direction: number) =>
    sortDevices(devices, sortType, direction).map(({ device_id }) => device_id)

  test('DEVICE-14 uses device_order for type 0 and the name for any other', () => {
    expect(sortedIds(0, 0)).toEqual(['a', 'b'])
    expect(sortedIds(1, 0)).toEqual(['b', 'a'])
    expect(sortedIds(7, 0)).toEqual(['b', 'a'])
  })

  test('DEVICE-15 is ascending for direction 0 and descending for any other', () => {
    expect(sortedIds(0, 1)).toEqual(['b', 'a'])
    expect(sortedIds(1, 9)).toEqual(['a', 'b'])
  })
})

describe('home lookup', () => {
  test('DEVICE-10 lists the devices of the home whose role is 1', async () => {
    const requests = mockResponses({
      home: homesResponse,
      'get-home-devices': deviceListResponse([createWireDevice()]),
    })
    await loadDevices()
    expect($homeId.get()).toBe('h-mine')
    expect(requests.at(-1)?.body).toMatchObject({ home_id: 'h-mine', device_category: 'camera' })
  })

  test('DEVICE-12 uses the cached home and logs when the lookup fails', async () => {
    mockResponses({})
    $homeId.set('h-before')
    expect(await loadHomeId()).toBe('h-before')
    expect(console.debug).toHaveBeenCalledOnce()
  })

  test('lists shared cameras without a home if the user owns no home', async () => {
    const requests = mockResponses({
      home: { code: 1, data: [{ home_id: 'h-shared', role: 2, name: 'Theirs' }] },
      'get-home-devices': deviceListResponse([createWireDevice({ role: 2 })]),
    })
    await loadDevices()
    expect(requests.at(-1)?.body).not.toHaveProperty('home_id')
    expect($userRole.get()).toBe('shared')
  })

  test('shows the devices of all homes until the user’s own home is known', async () => {
    const requests = mockResponses({
      home: homesResponse,
      'get-home-devices': deviceListResponse([createWireDevice()]),
    })
    const seen: unknown[] = []
    const stop = $devices.listen(({ state }) => seen.push(state))
    await loadDevices()
    stop()
    expect(requests.filter(({ path }) => path.endsWith('get-home-devices')).map(({ body }) => body)).toMatchObject([
      expect.not.objectContaining({ home_id: expect.anything() as unknown }),
      { home_id: 'h-mine' },
    ])
    expect(seen).toEqual(['remembered', 'ready'])
  })

  test('requests the devices again if the home of the last visit is no longer the primary one', async () => {
    const requests = mockResponses({
      home: homesResponse,
      'get-home-devices': deviceListResponse([createWireDevice()]),
    })
    $homeId.set('h-before')
    await loadDevices()
    const requestedHomeIds = requests
      .filter(({ path }) => path.endsWith('get-home-devices'))
      .map(({ body }) => (body as { home_id: string }).home_id)
    expect(requestedHomeIds).toEqual(['h-before', 'h-mine'])
  })
})

describe('environment', () => {
  afterEach(() => delete document.documentElement.dataset['environment'])

  test('is sent with the device request as the document names it, or beta by default', async () => {
    const requests = mockResponses({ 'get-home-devices': deviceListResponse([]) })
    await fetchDevices('h-mine')
    document.documentElement.dataset['environment'] = 'production'
    await fetchDevices('h-mine')
    expect(requests.map(({ body }) => (body as { env: string }).env)).toEqual(['beta', 'production'])
  })
})

describe('device list', () => {
  test('DEVICE-13 reads data.device_list and caches it for the next visit', async () => {
    mockResponses({
      home: homesResponse,
      'get-home-devices': deviceListResponse([
        createWireDevice({ device_id: 'A1' }),
        createWireDevice({ device_id: 'B2', device_order: 0 }),
      ]),
    })
    expect(await loadDevices()).toBe(true)
    const devices = $devices.get()
    expect(devices.state === 'ready' && devices.devices.map(({ device_id }) => device_id)).toEqual(['B2', 'A1'])
    expect($userCameras.get()).toHaveLength(2)
  })

  test('DEVICE-16 DEVICE-17 throws the server’s message for any code but 1', async () => {
    mockResponses({
      'get-home-devices': { code: 200, data: { device_list: [], sort_type: 0, sort_direction: 0 }, msg: 'Not yours.' },
    })
    await expect(fetchDevices('h-mine')).rejects.toThrow('Not yours.')
  })

  test('shows the error message if no devices are known yet', async () => {
    mockResponses({ home: homesResponse, 'get-home-devices': { code: 1002, msg: 'Closed for today.' } })
    expect(await loadDevices()).toBe(false)
    expect($devices.get()).toEqual({ state: 'failed', msg: 'Closed for today.' })
  })

  test('reloads once for all changes that arrive while it loads', async () => {
    $homeId.set('h-mine')
    const requests = mockResponses({
      home: homesResponse,
      'get-home-devices': deviceListResponse([createWireDevice()]),
    })
    const first = loadDevices()
    expect(await Promise.all([first, reloadDevices(), reloadDevices()])).toEqual([true, true, true])
    expect(requests.filter(({ path }) => path.endsWith('get-home-devices')).length).toBe(2)
    await reloadDevices()
    expect(requests.filter(({ path }) => path.endsWith('get-home-devices')).length).toBe(3)
  })

  test('shows the cameras of the last visit until the response arrives, and if none arrives', async () => {
    $userCameras.set([toDevice(createWireDevice({ nickname: 'Old name' }))])
    mockResponses({})
    const loading = loadDevices()
    expect($devices.get()).toMatchObject({ state: 'remembered', devices: [{ nickname: 'Old name' }] })
    await loading
    expect($devices.get().state).toBe('remembered')
  })

  test('stores the state that a camera reports', async () => {
    mockResponses({ home: homesResponse, 'get-home-devices': deviceListResponse([createWireDevice()]) })
    await loadDevices()
    updateCameraState('A1', 'offline', 'No Wi-Fi.', 7)
    expect($devices.get()).toMatchObject({ devices: [{ state: 'offline', state_reason: 'No Wi-Fi.', state_since: 7 }] })
  })
})

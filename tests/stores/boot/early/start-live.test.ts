import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startLive } from '../../../../src/boot/early/start-live.ts'
import sessionDirective from '../../../../src/boot/session/session-directive.ts'
import { IDLE_TILE } from '../../../../src/media/live/tile-state-machine.ts'
import { $devices, toDevice, type Device } from '../../../../src/stores/home/devices.ts'
import { $tiles, retainCameras } from '../../../../src/stores/live/live-tiles.ts'
import { stubApiResponses } from '../../../support/client.ts'

const createDevice = (state: NonNullable<Device['state']>): Device => ({
  ...toDevice({
    device_id: 'PL1',
    device_model: 'M',
    nickname: 'Door',
    device_order: 0,
    role: 1,
    device_category: 'camera',
  }),
  state,
})

/** Starts /live and confirms the session. Returns a function that returns true once the island has hydrated. */
function openPage(): () => Promise<boolean> {
  startLive()
  const hydrate = vi.fn(() => Promise.resolve())
  const island = document.createElement('div')
  sessionDirective(() => Promise.resolve(hydrate), { name: 'session', value: 'pictures' }, island)
  dispatchEvent(new Event('porchlight:session'))
  return async () => {
    await vi.advanceTimersByTimeAsync(0)
    return hydrate.mock.calls.length > 0
  }
}

beforeEach(() => {
  vi.useFakeTimers()
  // The requests never get a response.
  const pending = () => new Promise(() => undefined)
  stubApiResponses({ home: pending, 'get-home-devices': pending, 'get-streams': pending })
  $devices.set({ state: 'loading' })
})
afterEach(() => {
  retainCameras([])
  $tiles.set({})
  delete window.firstScreen
  vi.clearAllTimers()
  vi.useRealTimers()
})

test('React waits until the visible cameras play', async () => {
  const isHydrated = openPage()
  expect(await isHydrated()).toBe(false)
  $devices.set({ state: 'ready', devices: [createDevice('awake')] })
  expect(await isHydrated()).toBe(false)
  $tiles.set({ PL1: { ...IDLE_TILE, phase: 'playing' } })
  expect(await isHydrated()).toBe(true)
})

test('React does not wait if no camera is awake', async () => {
  const isHydrated = openPage()
  $devices.set({ state: 'ready', devices: [createDevice('offline')] })
  expect(await isHydrated()).toBe(true)
})

test('React waits for the video at most 700 ms after the session', async () => {
  const isHydrated = openPage()
  await vi.advanceTimersByTimeAsync(699)
  expect(await isHydrated()).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  expect(await isHydrated()).toBe(true)
})

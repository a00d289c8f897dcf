import { afterEach, expect, test } from 'vitest'
import { $devices, toDevice, type Device } from '../../../src/stores/home/devices.ts'
import { $isFirstScreenPlaying } from '../../../src/stores/live/live-page.ts'
import { $tiles } from '../../../src/stores/live/live-tiles.ts'
import { IDLE_TILE, type TilePhase } from '../../../src/media/live/tile-state-machine.ts'

const createDevices = (...states: NonNullable<Device['state']>[]) =>
  states.map((state, index) => ({
    ...toDevice({
      device_id: `PL${index + 1}`,
      device_model: 'M',
      nickname: `Camera ${index + 1}`,
      device_order: index,
      role: 1,
      device_category: 'camera',
    }),
    state,
  }))

const setPhases = (...phases: TilePhase[]) =>
  $tiles.set(Object.fromEntries(phases.map((phase, index) => [`PL${index + 1}`, { ...IDLE_TILE, phase }])))

afterEach(() => {
  $tiles.set({})
  $devices.set({ state: 'loading' })
})

test('the first screen plays once a camera plays and no other visible camera is connecting', () => {
  $devices.set({ state: 'ready', devices: createDevices('awake', 'awake', 'asleep', 'offline', 'awake') })
  setPhases('idle', 'idle', 'idle', 'idle', 'idle')
  expect($isFirstScreenPlaying.get(), 'nothing plays').toBe(false)
  setPhases('playing', 'waiting-for-keyframe', 'asleep', 'failed', 'idle')
  expect($isFirstScreenPlaying.get(), 'the second camera connects').toBe(false)
  setPhases('playing', 'idle', 'asleep', 'failed', 'idle')
  expect($isFirstScreenPlaying.get(), 'the second camera is about to start').toBe(false)
  setPhases('playing', 'failed', 'asleep', 'failed', 'signalling')
  expect($isFirstScreenPlaying.get(), 'only a camera below the first screen connects').toBe(true)
})

// @vitest-environment jsdom
import { act, createRef, type ReactNode } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Event } from '../../../../contract/events/events.ts'
import { TodayEvents } from '../../../../src/islands/live/camera/TodayEvents.tsx'
import { TileControls } from '../../../../src/islands/live/parts/TileControls.tsx'
import { TileStatus } from '../../../../src/islands/live/parts/TileStatus.tsx'
import { TodayTimeline } from '../../../../src/islands/live/parts/TodayTimeline.tsx'
import { IDLE_TILE, type TilePhase } from '../../../../src/media/live/tile-state-machine.ts'
import { HOUR_MS } from '../../../../contract/time-units.ts'
import { startOfDay } from '../../../../src/domain/time/local-time.ts'
import { $devices, toDevice } from '../../../../src/stores/home/devices.ts'
import { $todayEvents } from '../../../../src/stores/live/today-events.ts'
import { $todayOfflineSpans } from '../../../../src/stores/live/today-offline.ts'
import { stubApiResponses } from '../../../support/client.ts'

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })

const NOW = Date.now()
const CAMERA = toDevice({
  device_id: 'a',
  device_model: 'PL-CAM-V1',
  nickname: 'Driveway',
  device_order: 0,
  role: 1,
  device_category: 'camera',
})
const EVENT: Event = {
  event_id: 'e1',
  device_id: 'a',
  event_ts: NOW,
  tags: ['4'],
  event_values: [],
  title: 'Car on the drive',
  event_resources: [{ begin_time: NOW - 37_000, end_time: NOW, resource_version: 1, resource_type: 's3' }],
  reviewed: true,
}

const container = document.createElement('div')
let root: Root
const render = (node: ReactNode) => act(async () => root.render(node))

/** jsdom has no layout, so no thumbnail scrolls into view. */
class NoLayoutObserver {
  observe() {}
  disconnect() {}
}

beforeEach(() => {
  vi.stubGlobal('IntersectionObserver', NoLayoutObserver)
  root = createRoot(container)
})
afterEach(() => {
  act(() => root.unmount())
  $todayEvents.set(null)
  $todayOfflineSpans.set([])
  vi.unstubAllGlobals()
})

test('the title of an event stands alone, with clock and length below it', async () => {
  await render(<TodayEvents camera={CAMERA} events={[EVENT]} />)
  expect(container.querySelector('.one-last > b')?.textContent).toBe('Car on the drive')
  const row = container.querySelector('.one-rows a')!
  expect(row.querySelector('b')?.textContent).toBe('Car on the drive')
  expect(row.querySelector('small')?.textContent).toMatch(/^\d.* · 0:37$/)
  expect(row.querySelector(':scope > time')).toBeNull()
})

test('progress is shown on a veil, and waking names its usual time', async () => {
  const show = (phase: TilePhase) =>
    render(<TileStatus camera={CAMERA} tile={{ ...IDLE_TILE, phase, beganAt: performance.now() }} />)
  await show('signalling')
  expect(container.querySelector<HTMLElement>('.veil')?.dataset['late']).toBe('true')
  await show('waking')
  expect(container.querySelector<HTMLElement>('.veil')?.dataset['late']).toBe('false')
  expect(container.textContent).toContain('Waking the camera · usually 4 s')
})

test('a tile offers a snapshot only while its video plays', async () => {
  const show = (isPlaying: boolean) =>
    render(<TileControls camera={CAMERA} isPlaying={isPlaying} tileRef={createRef<HTMLLIElement>()} />)
  const findSnapshot = () => container.querySelector('[aria-label="Snapshot"]')
  await show(false)
  expect(findSnapshot()).toBeNull()
  await show(true)
  expect(findSnapshot()).not.toBeNull()
})

test('the strip of today has its hours and legend before its events', async () => {
  await render(<TodayTimeline />)
  expect(container.querySelectorAll('.live-strip-hours > span')).toHaveLength(8)
  expect(container.querySelector('.live-strip-head')?.textContent).toContain('Person or face')
  expect(container.querySelector('.live-strip-line')?.getAttribute('aria-busy')).toBe('true')
})

test('the strip of today shows when a camera was offline', async () => {
  const begin = startOfDay(Date.now())
  stubApiResponses({
    timeline: {
      code: 200,
      data: { devices: [{ device_id: 'a', runs: [[begin, begin + HOUR_MS, 'offline', 'No power.']] }] },
    },
  })
  $devices.set({ state: 'ready', devices: [CAMERA] })
  $todayEvents.set([])
  await render(<TodayTimeline />)
  await expect.poll(() => container.querySelectorAll('.live-strip-offline')).toHaveLength(1)
  expect(container.querySelector('.live-strip-head')?.textContent).toContain('A camera was offline')
})

import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ServiceNotice } from '../../../../src/islands/live/parts/ServiceNotice.tsx'
import { ToolbarSkeleton } from '../../../../src/islands/live/parts/ToolbarSkeleton.tsx'
import { $devices, toDevice } from '../../../../src/stores/home/devices.ts'
import { $tiles } from '../../../../src/stores/live/live-tiles.ts'
import { IDLE_TILE, type TileState } from '../../../../src/media/live/tile-state-machine.ts'
import { LazyButton } from '../../../../src/ui/LazyButton.tsx'

let root: Root
beforeEach(() => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
  document.body.innerHTML = '<div id="root"></div>'
  root = createRoot(document.getElementById('root')!)
})
afterEach(() => act(() => root.unmount()))

const readStatus = () => document.querySelector('[role="status"]')?.textContent

describe('a button whose code is still loading', () => {
  let finishLoading: () => void
  const onReady = vi.fn()
  const findButton = () => document.querySelector('button')!
  beforeEach(async () => {
    onReady.mockClear()
    const load = () => new Promise<void>((resolve) => (finishLoading = resolve))
    await act(async () =>
      root.render(
        <LazyButton load={load} onReady={onReady}>
          <b>Open</b>
        </LazyButton>,
      ),
    )
    await act(async () => findButton().click())
  })

  test('is busy, and acts once when the code is there', async () => {
    await act(async () => findButton().click())
    expect([findButton().getAttribute('aria-busy'), onReady.mock.calls.length]).toEqual(['true', 0])
    await act(async () => finishLoading())
    expect([findButton().getAttribute('aria-busy'), onReady.mock.calls.length]).toEqual([null, 1])
  })

  test('does nothing more once it was removed', async () => {
    await act(async () => root.render(null))
    await act(async () => finishLoading())
    expect(onReady).not.toHaveBeenCalled()
  })
})

describe('the status while cameras load', () => {
  beforeEach(() => vi.useFakeTimers())
  afterEach(() => vi.useRealTimers())

  test('appears after a second and names a slow connection after eight', async () => {
    await act(async () => root.render(<ToolbarSkeleton />))
    expect(readStatus()).toBe('')
    await act(async () => vi.advanceTimersByTime(1000))
    expect(readStatus()).toBe('Looking for your cameras…')
    await act(async () => vi.advanceTimersByTime(7000))
    expect(readStatus()).toBe('Still loading. Your connection is slow.')
  })
})

describe('tiles that cannot reach the provider', () => {
  const createCamera = (device_id: string) =>
    toDevice({
      device_id,
      device_model: 'PL-CAM-V1',
      nickname: device_id,
      device_order: 0,
      role: 1,
      device_category: 'camera',
    })
  const failed = (reason: TileState['reason']): TileState => ({ ...IDLE_TILE, phase: 'failed', reason })
  afterEach(() => $tiles.set({}))

  test('share one message', async () => {
    $devices.set({ state: 'ready', devices: [createCamera('a'), createCamera('b'), createCamera('c')] })
    $tiles.set({ a: failed('no-service'), b: failed('no-service'), c: failed('no-answer') })
    await act(async () => root.render(<ServiceNotice />))
    expect(readStatus()).toBe('Can’t reach Porchlight. Retrying…Try again')
    await act(async () => $tiles.set({ a: failed('no-answer') }))
    expect(readStatus()).toBe('')
  })
})

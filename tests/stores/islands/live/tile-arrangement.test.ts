import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { watchTileDrags } from '../../../../src/islands/live/parts/drag-tiles.ts'
import { watchShortcuts } from '../../../../src/islands/live/parts/page-shortcuts.ts'
import { $announcement } from '../../../../src/stores/live/screen-reader-announcement.ts'
import { $devices, toDevice } from '../../../../src/stores/home/devices.ts'
import { $chosenCameras, setLayoutMode } from '../../../../src/stores/live/live-layout.ts'
import { $gridCameras } from '../../../../src/stores/live/live-page.ts'
import { stubApiResponses } from '../../../support/client.ts'
import { extractFacts } from '../../../support/facts.ts'

const createCamera = (device_id: string, device_order: number, role: number) =>
  toDevice({ device_id, device_model: 'M', nickname: `N${device_id}`, device_order, role, device_category: 'camera' })
const listShownIds = () => $gridCameras.get().map(({ device_id }) => device_id)

/** Renders the tiles. Fakes `elementsFromPoint` for tiles of 100 px side by side, because jsdom has no layout. */
function drawTiles(): void {
  document.body.innerHTML = `<ul>${listShownIds()
    .map((id) => `<li class="live-tile" data-camera="${id}"><button class="live-open"></button></li>`)
    .join('')}</ul>`
  document.elementsFromPoint = (x) => {
    const tile = document.querySelectorAll('.live-tile')[Math.floor(x / 100)]
    return tile ? [tile] : []
  }
}
const tileButton = (id: string) => document.querySelector<HTMLElement>(`[data-camera="${id}"] .live-open`)!
function dispatchPointer(type: string, target: Element, clientX: number, pointerType = 'mouse'): void {
  const buttons = type === 'pointerup' ? 0 : 1
  const init = { bubbles: true, cancelable: true, clientX, clientY: 10, button: 0, buttons, pointerId: 1, pointerType }
  target.dispatchEvent(new PointerEvent(type, init))
}

let requests: ReturnType<typeof stubApiResponses>
let stops: (() => void)[] = []
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  $chosenCameras.set([])
  setLayoutMode('focus')
  $announcement.set('')
  $devices.set({
    state: 'ready',
    devices: [createCamera('a', 0, 1), createCamera('b', 1, 1), createCamera('c', 2, 1), createCamera('d', 3, 2)],
  })
  requests = stubApiResponses({ 'camera-order': { code: 200, data: {} } })
  drawTiles()
  stops = [watchTileDrags(), watchShortcuts()]
})
afterEach(() => {
  stops.forEach((stop) => stop())
  vi.useRealTimers()
})

describe('dragging a tile', () => {
  test('with a mouse moves the camera to the drop position and announces that position', () => {
    dispatchPointer('pointerdown', tileButton('c'), 250)
    dispatchPointer('pointermove', tileButton('c'), 50)
    expect(document.querySelector('[data-drop]')?.getAttribute('data-camera')).toBe('a')
    dispatchPointer('pointerup', tileButton('c'), 50)
    expect(listShownIds()).toEqual(['c', 'a', 'b', 'd'])
    expect(extractFacts($announcement.get(), 'Nc')).toEqual(['Nc', '1', '4'])
    expect(document.querySelector('[data-drop], [data-dragged]')).toBeNull()
    expect(requests[0]?.body).toEqual({ device_ids: ['c', 'a', 'b'] })
  })

  test('with a mouse needs more movement than a shaky click', () => {
    dispatchPointer('pointerdown', tileButton('b'), 199)
    dispatchPointer('pointermove', tileButton('b'), 201)
    dispatchPointer('pointerup', tileButton('b'), 201)
    expect(listShownIds()).toEqual(['a', 'b', 'c', 'd'])
  })

  test('with a finger starts after a hold, and the page does not scroll meanwhile', () => {
    dispatchPointer('pointerdown', tileButton('a'), 50, 'touch')
    vi.advanceTimersByTime(400)
    dispatchPointer('pointermove', tileButton('a'), 150, 'touch')
    const scroll = new Event('touchmove', { bubbles: true, cancelable: true })
    document.body.dispatchEvent(scroll)
    expect(scroll.defaultPrevented).toBe(true)
    dispatchPointer('pointerup', tileButton('a'), 150, 'touch')
    expect(listShownIds()).toEqual(['b', 'a', 'c', 'd'])
  })

  test('with a finger leaves a swipe to the page', () => {
    dispatchPointer('pointerdown', tileButton('a'), 50, 'touch')
    dispatchPointer('pointermove', tileButton('a'), 150, 'touch')
    vi.advanceTimersByTime(400)
    dispatchPointer('pointerup', tileButton('a'), 150, 'touch')
    const scroll = new Event('touchmove', { bubbles: true, cancelable: true })
    document.body.dispatchEvent(scroll)
    expect([listShownIds(), scroll.defaultPrevented]).toEqual([['a', 'b', 'c', 'd'], false])
  })

  test('ends without a change on Escape, and never starts on a camera of another owner', () => {
    dispatchPointer('pointerdown', tileButton('c'), 250)
    dispatchPointer('pointermove', tileButton('c'), 50)
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))
    dispatchPointer('pointerup', tileButton('c'), 50)
    dispatchPointer('pointerdown', tileButton('d'), 350)
    dispatchPointer('pointermove', tileButton('d'), 50)
    dispatchPointer('pointerup', tileButton('d'), 50)
    expect(listShownIds()).toEqual(['a', 'b', 'c', 'd'])
    expect(requests).toEqual([])
  })
})

describe('moving a tile by keyboard', () => {
  test('moves it one position with Shift and an arrow key, but not past the end', () => {
    tileButton('a').focus()
    const press = () =>
      tileButton('a').dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', shiftKey: true, bubbles: true }))
    press()
    expect(listShownIds()).toEqual(['b', 'a', 'c', 'd'])
    expect(extractFacts($announcement.get(), 'Na')).toEqual(['Na', '2', '4'])
    for (let at = 0; at < 4; at++) press()
    expect(listShownIds()).toEqual(['b', 'c', 'd', 'a'])
  })
})

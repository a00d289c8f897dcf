import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { watchTileDrags } from '../../../../src/islands/live/parts/drag-tiles.ts'
import { watchShortcuts } from '../../../../src/islands/live/parts/page-shortcuts.ts'
import { $said } from '../../../../src/stores/live/screen-reader-announcement.ts'
import { $devices, toDevice } from '../../../../src/stores/home/devices.ts'
import { $chosenCameras, setLayout } from '../../../../src/stores/live/live-layout.ts'
import { $gridCameras } from '../../../../src/stores/live/live-page.ts'
import { answerWith } from '../../../support/client.ts'
import { extractFacts } from '../../../support/facts.ts'

const camera = (device_id: string, device_order: number, role: number) =>
  toDevice({ device_id, device_model: 'M', nickname: `N${device_id}`, device_order, role, device_category: 'camera' })
const ids = () => $gridCameras.get().map(({ device_id }) => device_id)

/** Draws tiles as the page does, 100 px wide and side by side. jsdom has no layout, so the positions are set here. */
function drawTiles(): void {
  document.body.innerHTML = `<ul>${ids()
    .map((id) => `<li class="live-tile" data-camera="${id}"><button class="live-open"></button></li>`)
    .join('')}</ul>`
  document.elementsFromPoint = (x) => {
    const tile = document.querySelectorAll('.live-tile')[Math.floor(x / 100)]
    return tile ? [tile] : []
  }
}
const surface = (id: string) => document.querySelector<HTMLElement>(`[data-camera="${id}"] .live-open`)!
function pointer(type: string, target: Element, clientX: number, pointerType = 'mouse'): void {
  const buttons = type === 'pointerup' ? 0 : 1
  const init = { bubbles: true, cancelable: true, clientX, clientY: 10, button: 0, buttons, pointerId: 1, pointerType }
  target.dispatchEvent(new PointerEvent(type, init))
}

let requests: ReturnType<typeof answerWith>
let stops: (() => void)[] = []
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  $chosenCameras.set([])
  setLayout('focus')
  $said.set('')
  $devices.set({
    state: 'ready',
    devices: [camera('a', 0, 1), camera('b', 1, 1), camera('c', 2, 1), camera('d', 3, 2)],
  })
  requests = answerWith({ 'camera-order': { code: 200, data: {} } })
  drawTiles()
  stops = [watchTileDrags(), watchShortcuts()]
})
afterEach(() => {
  stops.forEach((stop) => stop())
  vi.useRealTimers()
})

describe('dragging a tile', () => {
  test('with a mouse moves the camera to the drop position and announces that position', () => {
    pointer('pointerdown', surface('c'), 250)
    pointer('pointermove', surface('c'), 50)
    expect(document.querySelector('[data-drop]')?.getAttribute('data-camera')).toBe('a')
    pointer('pointerup', surface('c'), 50)
    expect(ids()).toEqual(['c', 'a', 'b', 'd'])
    expect(extractFacts($said.get(), 'Nc')).toEqual(['Nc', '1', '4'])
    expect(document.querySelector('[data-drop], [data-dragged]')).toBeNull()
    expect(requests[0]?.body).toEqual({ device_ids: ['c', 'a', 'b'] })
  })

  test('with a mouse needs more movement than a shaky click', () => {
    pointer('pointerdown', surface('b'), 199)
    pointer('pointermove', surface('b'), 201)
    pointer('pointerup', surface('b'), 201)
    expect(ids()).toEqual(['a', 'b', 'c', 'd'])
  })

  test('with a finger starts after a hold, and the page does not scroll meanwhile', () => {
    pointer('pointerdown', surface('a'), 50, 'touch')
    vi.advanceTimersByTime(400)
    pointer('pointermove', surface('a'), 150, 'touch')
    const scroll = new Event('touchmove', { bubbles: true, cancelable: true })
    document.body.dispatchEvent(scroll)
    expect(scroll.defaultPrevented).toBe(true)
    pointer('pointerup', surface('a'), 150, 'touch')
    expect(ids()).toEqual(['b', 'a', 'c', 'd'])
  })

  test('with a finger leaves a swipe to the page', () => {
    pointer('pointerdown', surface('a'), 50, 'touch')
    pointer('pointermove', surface('a'), 150, 'touch')
    vi.advanceTimersByTime(400)
    pointer('pointerup', surface('a'), 150, 'touch')
    const scroll = new Event('touchmove', { bubbles: true, cancelable: true })
    document.body.dispatchEvent(scroll)
    expect([ids(), scroll.defaultPrevented]).toEqual([['a', 'b', 'c', 'd'], false])
  })

  test('ends without a change on Escape, and never starts on a camera of another owner', () => {
    pointer('pointerdown', surface('c'), 250)
    pointer('pointermove', surface('c'), 50)
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))
    pointer('pointerup', surface('c'), 50)
    pointer('pointerdown', surface('d'), 350)
    pointer('pointermove', surface('d'), 50)
    pointer('pointerup', surface('d'), 50)
    expect(ids()).toEqual(['a', 'b', 'c', 'd'])
    expect(requests).toEqual([])
  })
})

describe('moving a tile by keyboard', () => {
  test('moves it one position with Shift and an arrow key, but not past the end', () => {
    surface('a').focus()
    const press = () =>
      surface('a').dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', shiftKey: true, bubbles: true }))
    press()
    expect(ids()).toEqual(['b', 'a', 'c', 'd'])
    expect(extractFacts($said.get(), 'Na')).toEqual(['Na', '2', '4'])
    for (let at = 0; at < 4; at++) press()
    expect(ids()).toEqual(['b', 'c', 'd', 'a'])
  })
})

// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Event as HomeEvent } from '../../../contract/events/events.ts'
import { releasePreloadedClip } from '../../../src/media/clip/clip-video.ts'
import { $events } from '../../../src/stores/events/events.ts'
import { preloadPointedClips } from '../../../src/stores/events/open-clip.ts'

const createEvent = (event_id: string): HomeEvent => ({
  event_id,
  device_id: 'CAM1',
  event_ts: 0,
  tags: [],
  event_values: [],
  title: 'Motion',
  event_resources: [{ begin_time: 0, end_time: 9000, resource_version: 1, resource_type: 's3' }],
  reviewed: true,
})
const point = (type: string, id: string, init: PointerEventInit = {}) =>
  document
    .querySelector(`[data-event="${id}"] b`)
    ?.dispatchEvent(new PointerEvent(type, { bubbles: true, pointerType: 'mouse', ...init }))

let requests: string[]
let stop: () => void
let ids: readonly [string, string]
let testCount = 0
beforeEach(() => {
  vi.useFakeTimers()
  // jsdom does not implement loading.
  vi.spyOn(HTMLMediaElement.prototype, 'load').mockImplementation(() => undefined)
  requests = []
  vi.stubGlobal('fetch', (url: string) => {
    requests.push(url)
    return Promise.resolve(Response.json({ url: 'https://provider.example/media/clip' }))
  })
  // The module keeps the last URL.
  testCount += 1
  ids = [`one${testCount}`, `two${testCount}`]
  document.body.innerHTML = ids.map((id) => `<a data-event="${id}"><b>Motion</b></a>`).join('')
  $events.set({ state: 'ready', events: ids.map(createEvent), isFilling: false, shortfall: null })
  stop = preloadPointedClips()
})
afterEach(() => {
  stop()
  releasePreloadedClip()
  $events.set({ state: 'loading' })
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  vi.useRealTimers()
})

test('a pointer that passes over cards requests nothing', () => {
  for (const id of [...ids, ...ids]) {
    point('pointerover', id)
    vi.advanceTimersByTime(99)
  }
  expect(requests).toEqual([])
})

test('a pointer that rests on a card requests the URL of its clip once, and a press does not request it again', () => {
  point('pointerover', ids[0])
  vi.advanceTimersByTime(100)
  expect(requests).toEqual([`/m/clip/${ids[0]}`])
  point('pointerover', ids[0])
  vi.advanceTimersByTime(100)
  point('pointerdown', ids[0])
  expect(requests).toHaveLength(1)
})

test('a press without a rest requests the URL immediately', () => {
  point('pointerdown', ids[1])
  expect(requests).toEqual([`/m/clip/${ids[1]}`])
})

test('the keyboard focus on a card requests the URL of its clip after a rest', () => {
  document.querySelector(`[data-event="${ids[0]}"]`)?.dispatchEvent(new FocusEvent('focusin', { bubbles: true }))
  vi.advanceTimersByTime(100)
  expect(requests).toEqual([`/m/clip/${ids[0]}`])
})

test.each<[string, PointerEventInit]>([
  ['a touch, which may scroll the list', { pointerType: 'touch' }],
  ['a pen', { pointerType: 'pen' }],
  ['the middle button', { button: 1 }],
  ['the right button', { button: 2 }],
])('a press with %s requests nothing', (_, init) => {
  point('pointerover', ids[0], { ...init, pointerType: init.pointerType ?? 'touch' })
  point('pointerdown', ids[0], init)
  vi.advanceTimersByTime(1000)
  expect(requests).toEqual([])
})

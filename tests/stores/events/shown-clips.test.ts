// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Event as HomeEvent } from '../../../contract/events/events.ts'
import { acquireClipVideo, releasePreloadedClip } from '../../../src/media/clip/clip-video.ts'
import { $events } from '../../../src/stores/events/events.ts'
import { preloadShownClips } from '../../../src/stores/events/open-clip.ts'

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

/** Adds an event and its card. Returns its id. */
function addCard(): string {
  const id = `added${testCount}`
  document.querySelector('main')?.insertAdjacentHTML('beforeend', `<a data-event="${id}"><b>Motion</b></a>`)
  $events.set({ state: 'ready', events: [...ids, id].map(createEvent), isFilling: false, shortfall: null })
  return id
}

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
    return Promise.resolve(Response.json({ urls: ids.map((id) => `https://provider.example/media/clip/${id}`) }))
  })
  // The module keeps the URLs.
  testCount += 1
  ids = [`one${testCount}`, `two${testCount}`]
  document.body.innerHTML = `<main>${ids.map((id) => `<a data-event="${id}"><b>Motion</b></a>`).join('')}</main>`
  $events.set({ state: 'ready', events: [...ids, 'elsewhere'].map(createEvent), isFilling: false, shortfall: null })
  stop = preloadShownClips()
})
afterEach(() => {
  stop()
  releasePreloadedClip()
  $events.set({ state: 'loading' })
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  vi.useRealTimers()
})

test('the URLs of all clips of rendered cards are requested together, and a press requests none again', async () => {
  expect(requests).toEqual([`/m/clips/${ids.join(',')}`])
  point('pointerdown', ids[1])
  const video = acquireClipVideo(`/m/clip/${ids[1]}`)
  await vi.waitFor(() => expect(video.src).toBe(`https://provider.example/media/clip/${ids[1]}`))
  expect(requests).toHaveLength(1)
})

test('a pointer that passes over cards requests nothing', () => {
  addCard()
  for (const id of [...ids, ...ids]) {
    point('pointerover', id)
    vi.advanceTimersByTime(99)
  }
  expect(requests).toHaveLength(1)
})

test.each([
  ['the pointer has moved', () => point('pointerover', ids[0])],
  [
    'the focus has moved',
    () => document.querySelector('a')?.dispatchEvent(new FocusEvent('focusin', { bubbles: true })),
  ],
  ['the list has scrolled', () => document.querySelector('main')?.dispatchEvent(new Event('scroll'))],
])('after %s, the URLs of new cards are requested', (_, move) => {
  const added = addCard()
  move()
  vi.advanceTimersByTime(100)
  expect(requests.slice(1)).toEqual([`/m/clips/${added}`])
})

test('a press on a new card requests its URL immediately', () => {
  const added = addCard()
  point('pointerdown', added)
  expect(requests.slice(1)).toEqual([`/m/clips/${added}`])
})

test.each<[string, PointerEventInit]>([
  ['a touch, which may scroll the list', { pointerType: 'touch' }],
  ['a pen', { pointerType: 'pen' }],
  ['the middle button', { button: 1 }],
  ['the right button', { button: 2 }],
])('a press with %s loads no clip', (_, init) => {
  point('pointerdown', addCard(), init)
  expect(requests).toHaveLength(1)
})

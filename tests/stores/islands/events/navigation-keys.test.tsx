// @vitest-environment jsdom
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Event } from '../../../../contract/events/events.ts'
import { ClipStage } from '../../../../src/islands/events/parts/ClipStage.tsx'
import { $openEventId, openEvent, syncEventUrl } from '../../../../src/stores/events/event-url.ts'
import { $events } from '../../../../src/stores/events/events.ts'
import { syncOpenEvent } from '../../../../src/stores/events/open-clip.ts'
import { stubApiResponses } from '../../../support/client.ts'

/** Events, newest first. */
const createEvents = (event_resources: Event['event_resources']) =>
  ['new', 'middle', 'old'].map((event_id, index): Event => ({
    event_id,
    device_id: 'a',
    event_ts: 1_790_000_000_000 - index * 60_000,
    tags: ['4'],
    event_values: [],
    title: 'Motion',
    reviewed: true,
    event_resources,
  }))

let root: Root
const stops: (() => void)[] = []
beforeEach(() => {
  stubApiResponses({})
  const mediaQuery = { matches: false, addEventListener: () => undefined, removeEventListener: () => undefined }
  vi.stubGlobal('matchMedia', () => mediaQuery)
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe = () => undefined
      disconnect = () => undefined
    },
  )
  history.replaceState(null, '', '/events')
  document.body.innerHTML = '<div id="react"></div>'
  root = createRoot(document.getElementById('react')!)
  $events.set({ state: 'ready', events: createEvents([]), isFilling: false, shortfall: null })
  stops.push(syncEventUrl(), syncOpenEvent())
})
afterEach(() => {
  root.unmount()
  for (const stop of stops.splice(0)) stop()
  $events.set({ state: 'loading' })
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

test('N and P open the next and the previous event although none of them has a clip', async () => {
  openEvent({ eventId: 'middle', deviceId: 'a' })
  root.render(<ClipStage />)
  await vi.waitFor(() => expect(document.querySelector('[role=alert]')?.textContent).toBe('No clip for this event.'))
  for (const [key, eventId] of [
    ['n', 'new'],
    ['p', 'middle'],
    ['p', 'old'],
    ['p', 'old'],
  ] as const) {
    document.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))
    expect($openEventId.get()).toBe(eventId)
  }
})

test('the next clip gets a new video, and the buttons keep the focus', async () => {
  // jsdom does not implement loading and playback. Its videos have no `error`.
  Object.defineProperty(HTMLMediaElement.prototype, 'error', { value: null, configurable: true })
  const load = vi.spyOn(HTMLMediaElement.prototype, 'load').mockImplementation(() => undefined)
  vi.spyOn(HTMLMediaElement.prototype, 'play').mockResolvedValue()
  vi.spyOn(HTMLMediaElement.prototype, 'pause').mockImplementation(() => undefined)
  const resource = { begin_time: 0, end_time: 9000, resource_version: 1, resource_type: 's3' } as const
  $events.set({ state: 'ready', events: createEvents([resource]), isFilling: false, shortfall: null })
  openEvent({ eventId: 'new', deviceId: 'a' })
  root.render(<ClipStage />)
  await vi.waitFor(() => expect(document.querySelector('video')?.poster).toContain('/m/thumb/new'))
  const firstVideo = document.querySelector('video')
  const button = document.querySelector<HTMLButtonElement>('[aria-label="Previous event"]')
  button?.focus()
  button?.click()
  await vi.waitFor(() => expect(document.querySelector('video')?.poster).toContain('/m/thumb/middle'))
  expect(document.querySelectorAll('video')).toHaveLength(1)
  expect(document.querySelector('video')).not.toBe(firstVideo)
  expect(document.activeElement).toBe(button)
  await vi.waitFor(() => expect(load.mock.contexts).toContain(firstVideo))
})

// @vitest-environment jsdom
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Event } from '../../../../contract/events/events.ts'
import { ClipStage } from '../../../../src/islands/events/parts/ClipStage.tsx'
import { $openEventId, openEvent, syncEventUrl } from '../../../../src/stores/events/event-url.ts'
import { $events } from '../../../../src/stores/events/events.ts'
import { syncOpenEvent } from '../../../../src/stores/events/open-clip.ts'
import { stubApiResponses } from '../../../support/client.ts'

/** Events without a clip, newest first. */
const EVENTS = ['new', 'middle', 'old'].map((event_id, index): Event => ({
  event_id,
  device_id: 'a',
  event_ts: 1_790_000_000_000 - index * 60_000,
  tags: ['4'],
  event_values: [],
  title: 'Motion',
  reviewed: true,
  event_resources: [],
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
  $events.set({ state: 'ready', events: EVENTS, isFilling: false, shortfall: null })
  stops.push(syncEventUrl(), syncOpenEvent())
})
afterEach(() => {
  root.unmount()
  for (const stop of stops.splice(0)) stop()
  $events.set({ state: 'loading' })
  vi.unstubAllGlobals()
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

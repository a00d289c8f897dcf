// @vitest-environment jsdom
import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Event } from '../../../../../contract/events/events.ts'
import { EVENT_MS } from '../../../../../src/domain/live/wall-pages.ts'
import { useNews } from '../../../../../src/islands/live/wall/use-page-rotation.ts'
import { $today } from '../../../../../src/stores/live/today-events.ts'

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })

const NOON = 1_700_000_000_000
const event = (event_id: string, event_ts: number): Event => ({
  ...{ event_id, device_id: 'CAM1', event_ts, tags: ['4'], event_values: [], title: 'Motion' },
  ...{ event_resources: [], reviewed: false },
})

function News({ now }: { now: number }) {
  return useNews(now)?.event_id ?? 'nothing'
}

const place = document.createElement('div')
let root: ReturnType<typeof createRoot>
beforeEach(() => {
  $today.set(null)
  root = createRoot(place)
})
afterEach(() => act(() => root.unmount()))

const at = (now: number) => {
  act(() => root.render(<News now={now} />))
  return place.textContent
}
const hear = (...events: Event[]) => act(() => $today.set(events))

test('the first event of a day is shown as news for twenty seconds, like any other', () => {
  expect(at(NOON)).toBe('nothing')
  hear()
  hear(event('e1', NOON))
  expect([at(NOON), at(NOON + EVENT_MS - 1), at(NOON + EVENT_MS)]).toEqual(['e1', 'e1', 'nothing'])
  hear(event('e2', NOON + EVENT_MS), event('e1', NOON))
  expect(at(NOON + EVENT_MS)).toBe('e2')
})

test('events from before wall mode opened are not news', () => {
  expect(at(NOON)).toBe('nothing')
  hear(event('e1', NOON))
  expect(at(NOON)).toBe('nothing')
})

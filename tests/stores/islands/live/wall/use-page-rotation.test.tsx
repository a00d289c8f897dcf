// @vitest-environment jsdom
import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Event } from '../../../../../contract/events/events.ts'
import { EVENT_DURATION_MS } from '../../../../../src/domain/live/wall-pages.ts'
import { useNewEvent } from '../../../../../src/islands/live/wall/use-page-rotation.ts'
import { $todayEvents } from '../../../../../src/stores/live/today-events.ts'

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })

const NOW_MS = 1_700_000_000_000
const createEvent = (event_id: string, event_ts: number): Event => ({
  event_id,
  device_id: 'CAM1',
  event_ts,
  tags: ['4'],
  event_values: [],
  title: 'Motion',
  event_resources: [],
  reviewed: false,
})

function NewEventsProbe({ now }: { now: number }) {
  return useNewEvent(now)?.event_id ?? 'nothing'
}

const container = document.createElement('div')
let root: ReturnType<typeof createRoot>
beforeEach(() => {
  $todayEvents.set(null)
  root = createRoot(container)
})
afterEach(() => act(() => root.unmount()))

const renderAt = (now: number) => {
  act(() => root.render(<NewEventsProbe now={now} />))
  return container.textContent
}
const setTodayEvents = (...events: Event[]) => act(() => $todayEvents.set(events))

test('the first event of a day is shown as news for twenty seconds, like any other', () => {
  expect(renderAt(NOW_MS)).toBe('nothing')
  setTodayEvents()
  setTodayEvents(createEvent('e1', NOW_MS))
  expect([renderAt(NOW_MS), renderAt(NOW_MS + EVENT_DURATION_MS - 1), renderAt(NOW_MS + EVENT_DURATION_MS)]).toEqual([
    'e1',
    'e1',
    'nothing',
  ])
  setTodayEvents(createEvent('e2', NOW_MS + EVENT_DURATION_MS), createEvent('e1', NOW_MS))
  expect(renderAt(NOW_MS + EVENT_DURATION_MS)).toBe('e2')
})

test('events from before wall mode opened are not news', () => {
  expect(renderAt(NOW_MS)).toBe('nothing')
  setTodayEvents(createEvent('e1', NOW_MS))
  expect(renderAt(NOW_MS)).toBe('nothing')
})

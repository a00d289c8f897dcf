// @vitest-environment jsdom
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Event } from '../../../../contract/events/events.ts'
import { groupByDay } from '../../../../src/domain/events/event-list.ts'
import { DEFAULT_FILTER } from '../../../../src/domain/events/event-url.ts'
import { DaySection } from '../../../../src/islands/events/parts/DaySection.tsx'
import { ListSkeleton } from '../../../../src/islands/events/parts/ListSkeleton.tsx'
import { findVisibleDays, layOutEventDays } from '../../../../src/islands/events/parts/list-layout.ts'
import { startEarlyList } from '../../../../src/islands/events/parts/start-early-list.ts'
import { formatFilteredEventHref } from '../../../../src/stores/events/event-url.ts'
import { $visitGapMs } from '../../../../src/stores/events/visits.ts'
import { $userCameras, toDevice } from '../../../../src/stores/home/devices.ts'

const NOON_MS = new Date().setHours(12, 0, 0, 0)
const camera = { device_model: 'PL-CAM-V1', device_order: 0, device_category: 'camera', role: 1 }
const createEvent = (event_id: string, minutes: number, fields: Partial<Event> = {}): Event => ({
  event_id,
  device_id: 'a',
  event_ts: NOON_MS - minutes * 60_000,
  tags: ['4'],
  event_values: [],
  title: 'Motion',
  reviewed: false,
  event_resources: [],
  ...fields,
})
const createResource = (begin_time: number) => ({
  begin_time,
  end_time: begin_time + 9000,
  resource_version: 1,
  resource_type: 's3' as const,
})
const EVENTS: readonly Event[] = [
  createEvent('plain', 1),
  createEvent('seen', 5, { reviewed: true, tags: ['101', '104'], title: 'Person with a box' }),
  createEvent('clip', 10, { event_resources: [createResource(NOON_MS - 600_000)] }),
  createEvent('visit-2', 20.1, { event_resources: [createResource(NOON_MS - 1_206_000)] }),
  createEvent('visit-1', 20.3, { tags: ['101'], title: 'Person' }),
  createEvent('unnamed', 30, { device_id: 'unlisted' }),
]

let root: Root
beforeEach(() => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
  history.replaceState(null, '', '/events')
  document.body.innerHTML = '<div id="early"></div><div id="react"></div>'
  root = createRoot(document.getElementById('react')!)
  $userCameras.set([toDevice({ ...camera, device_id: 'a', nickname: 'Door' })])
})
afterEach(() => act(() => root.unmount()))

/** Returns the list without what only React adds: checkboxes, and icons in place of their placeholders. */
function normalizeList(list: Element | null): Element {
  const copy = list!.cloneNode(true) as Element
  copy.querySelectorAll('.select-box').forEach((box) => box.remove())
  copy.querySelectorAll('.event-tags svg').forEach((icon) => {
    icon.replaceWith(Object.assign(document.createElement('i'), { className: 'w-3.5' }))
  })
  copy.normalize()
  return copy
}

async function renderReactDay(): Promise<Element> {
  const blocks = layOutEventDays(groupByDay(EVENTS), $visitGapMs.get(), new Map())
  const [day] = findVisibleDays(blocks, 0, innerHeight)
  const props = { openId: '', selected: new Set<string>(), unusual: new Map<string, string>(), now: Date.now() }
  const href = (event: Event) =>
    formatFilteredEventHref(DEFAULT_FILTER, { eventId: event.event_id, deviceId: event.device_id })
  const names = new Map([['a', 'Door']])
  await act(async () => root.render(<DaySection {...day!} {...props} names={names} tabStop="plain" href={href} />))
  return normalizeList(document.querySelector('#react section'))
}

async function renderSkeleton(): Promise<Root> {
  const skeleton = createRoot(document.getElementById('early')!)
  await act(async () => skeleton.render(<ListSkeleton />))
  return skeleton
}

test('early cards equal the cards that React renders from the same events', async () => {
  const skeleton = await renderSkeleton()
  startEarlyList()
  window.earlyEvents = EVENTS
  dispatchEvent(new window.Event('porchlight:early-events'))
  const countCards = () => document.querySelectorAll('[data-early-list] a[data-event]').length
  // The first task draws only the upper half of the screen.
  expect(countCards()).toBe(4)
  await expect.poll(countCards).toBe(5)
  const early = normalizeList(document.querySelector('[data-early-list] section'))
  const react = await renderReactDay()
  expect(early.querySelectorAll('a[data-event]')).toHaveLength(5)
  expect(early.isEqualNode(react), `${early.outerHTML}\n\n${react.outerHTML}`).toBe(true)
  await act(async () => skeleton.render(<ListSkeleton />))
  expect(document.querySelectorAll('[data-early-list] a')).toHaveLength(5)
  act(() => skeleton.unmount())
})

test.each([
  ['a URL with a filter', '?tags=104', EVENTS],
  ['an empty list', '', []],
])('leaves %s to React', async (_, search, events) => {
  history.replaceState(null, '', `/events${search}`)
  const skeleton = await renderSkeleton()
  window.earlyEvents = events
  startEarlyList()
  expect(document.querySelector('[data-early-list]')?.childNodes).toHaveLength(0)
  act(() => skeleton.unmount())
})

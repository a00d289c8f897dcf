// @vitest-environment jsdom
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Event } from '../../../../contract/events/events.ts'
import { DEFAULT_FILTER } from '../../../../src/domain/events/event-url.ts'
import { ClipHour } from '../../../../src/islands/events/parts/ClipHour.tsx'
import { EventPanel } from '../../../../src/islands/events/parts/EventPanel.tsx'
import { NewEventsButton } from '../../../../src/islands/events/parts/NewEventsButton.tsx'
import { $eventUrl, changeFilter, openEvent } from '../../../../src/stores/events/event-url.ts'
import { $events } from '../../../../src/stores/events/events.ts'
import { StripCanvas } from '../../../../src/ui/StripCanvas.tsx'
import { useWidth } from '../../../../src/ui/use-width.ts'
import { stubApiResponses } from '../../../support/client.ts'

const NOON_MS = new Date().setHours(12, 0, 0, 0)
const createEvent = (index: number): Event => ({
  event_id: `e${index}`,
  device_id: 'a',
  event_ts: NOON_MS - index * 120_000,
  tags: [index % 2 === 0 ? '4' : '101'],
  event_values: [],
  title: 'Motion',
  reviewed: true,
  event_resources: [],
})
const EVENTS = Array.from({ length: 50 }, (_, index) => createEvent(index))

/** Properties that lay the page out if it has changed since its last layout. */
const LAYOUT_PROPERTIES: readonly [object, string][] = [
  ...['scrollTop', 'clientWidth', 'clientHeight'].map((name): [object, string] => [Element.prototype, name]),
  ...['offsetTop', 'offsetHeight', 'offsetWidth'].map((name): [object, string] => [HTMLElement.prototype, name]),
]
let reads: string[] = []
let root: Root

beforeEach(() => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
  stubApiResponses({})
  // jsdom does not implement scrolling.
  Element.prototype.scrollTo = () => undefined
  history.replaceState(null, '', '/events')
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe = () => undefined
      disconnect = () => undefined
    },
  )
  const mediaQuery = { matches: false, addEventListener: () => undefined, removeEventListener: () => undefined }
  vi.stubGlobal('matchMedia', () => mediaQuery)
  for (const [prototype, name] of LAYOUT_PROPERTIES)
    vi.spyOn(prototype as Record<string, number>, name, 'get').mockImplementation(() => (reads.push(name), 0))
  vi.spyOn(globalThis, 'getComputedStyle').mockImplementation(
    () => (reads.push('getComputedStyle'), { getPropertyValue: () => '0' } as unknown as CSSStyleDeclaration),
  )
  document.body.innerHTML = '<div id="react"></div>'
  root = createRoot(document.getElementById('react')!)
})
afterEach(() => {
  act(() => root.unmount())
  $events.set({ state: 'loading' })
  changeFilter(DEFAULT_FILTER)
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

/** Returns the layout properties that `change` and the effects of its rendering read. */
async function recordReads(change: () => void): Promise<string[]> {
  reads = []
  await act(async () => change())
  return reads
}

const showEvents = (events: readonly Event[]) =>
  $events.set({ state: 'ready', events, isFilling: true, shortfall: null })

test('a filter and a new event change the list without a forced layout', async () => {
  await act(async () => root.render(<EventPanel isPhone isCovered={false} />))
  await act(async () => showEvents(EVENTS.slice(1)))
  expect(document.querySelectorAll('[data-event]').length).toBeGreaterThan(0)
  expect(await recordReads(() => showEvents(EVENTS))).toEqual([])
  expect(await recordReads(() => changeFilter({ tags: ['101'] }))).toEqual([])
})

test('opening and closing an event force no layout before the paint', async () => {
  await act(async () => root.render(<EventPanel isPhone isCovered={false} />))
  await act(async () => showEvents(EVENTS))
  expect(await recordReads(() => openEvent({ eventId: 'e1', deviceId: 'a' }))).toEqual([])
  const focus = vi.spyOn(HTMLElement.prototype, 'focus')
  expect(await recordReads(() => $eventUrl.set({ filter: DEFAULT_FILTER, open: null }))).toEqual([])
  expect(focus).not.toHaveBeenCalled()
  await act(async () => vi.waitFor(() => expect(document.activeElement?.getAttribute('data-event')).toBe('e1')))
})

test('the first list appears without a forced layout', async () => {
  await act(async () => root.render(<EventPanel isPhone isCovered={false} />))
  // The size of the window is read before the list is in the document, when no layout is due.
  expect((await recordReads(() => showEvents(EVENTS))).toSorted()).toEqual(['clientHeight', 'scrollTop'])
})

test('the parts around the list read no layout when they appear or change', async () => {
  const scroller = { current: document.createElement('div') }
  const ref = { current: document.createElement('div') }
  const Width = () => <p>{useWidth(ref)}</p>
  const render = (events: readonly Event[], end: number) => {
    const blocks = [{ day: '2026-01-01', events, rows: [], visitCount: 0, top: 0, height: 0 }] as const
    root.render(
      <>
        <Width />
        <StripCanvas lane={{ view: { begin: 0, end }, visible: [], ticks: [] }} selectedTick={null} />
        <NewEventsButton blocks={blocks as never} scroller={scroller} margin={0} />
        <ClipHour event={createEvent(end)} camera="Yard" />
      </>,
    )
  }
  expect(await recordReads(() => render(EVENTS.slice(1), 1))).toEqual([])
  expect(await recordReads(() => render(EVENTS, 2))).toEqual([])
})

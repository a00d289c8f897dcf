// @vitest-environment jsdom
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Event } from '../../../../contract/events/events.ts'
import { DEFAULT_FILTER } from '../../../../src/domain/events/event-url.ts'
import { EventPanel } from '../../../../src/islands/events/parts/EventPanel.tsx'
import { changeFilter } from '../../../../src/stores/events/event-url.ts'
import { $events, $isFilterSheetOpen } from '../../../../src/stores/events/events.ts'
import { stubApiResponses } from '../../../support/client.ts'

const NOON_MS = new Date().setHours(12, 0, 0, 0)
const createEvent = (_: unknown, index: number): Event => ({
  event_id: `e${index}`,
  device_id: 'a',
  event_ts: NOON_MS - index * 120_000,
  tags: [index % 2 === 0 ? '4' : '101'],
  event_values: [],
  title: 'Motion',
  reviewed: true,
  event_resources: [],
})
const EVENTS = Array.from({ length: 100 }, createEvent)
const LIST_HEIGHT_PX = 700
const OVERSCAN_ROWS = 5

let root: Root
beforeEach(async () => {
  stubApiResponses({})
  history.replaceState(null, '', '/events')
  vi.stubGlobal(
    'ResizeObserver',
    class {
      readonly #listener: () => void
      constructor(listener: () => void) {
        this.#listener = listener
      }
      observe = () => this.#listener()
      disconnect = () => undefined
    },
  )
  const mediaQuery = { matches: false, addEventListener: () => undefined, removeEventListener: () => undefined }
  vi.stubGlobal('matchMedia', () => mediaQuery)
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(LIST_HEIGHT_PX)
  document.body.innerHTML = '<div id="react"></div>'
  root = createRoot(document.getElementById('react')!)
  root.render(<EventPanel isPhone isCovered={false} />)
  $events.set({ state: 'ready', events: EVENTS, isFilling: true, shortfall: null })
  await vi.waitFor(() => expect(countRows()).toBeGreaterThan(OVERSCAN_ROWS))
})
afterEach(() => {
  root.unmount()
  $events.set({ state: 'loading' })
  $isFilterSheetOpen.set(false)
  changeFilter(DEFAULT_FILTER)
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const countRows = () => document.querySelectorAll('[data-list] li').length

/** Changes the filter. Returns the number of rows after the first and after the last rendering. */
async function recordRowCounts(): Promise<{ first: number; last: number }> {
  const counts: number[] = []
  const observer = new MutationObserver(() => counts.push(countRows()))
  observer.observe(document.querySelector('[data-list]')!, { childList: true, subtree: true })
  changeFilter({ tags: ['101'] })
  await vi.waitFor(() => expect(counts.at(-1)).toBeGreaterThan(OVERSCAN_ROWS + 8))
  observer.disconnect()
  return { first: counts[0] ?? 0, last: counts.at(-1) ?? 0 }
}

test('after a change of the filter, the visible rows render first, and then those around them', async () => {
  const { first, last } = await recordRowCounts()
  expect(first).toBe(8)
  expect(last).toBe(first + 1 + OVERSCAN_ROWS)
})

test('a list that the filter sheet covers renders one row first, and the others after the paint of the sheet', async () => {
  $isFilterSheetOpen.set(true)
  const { first, last } = await recordRowCounts()
  expect(first).toBe(1)
  expect(last).toBe(8 + 1 + OVERSCAN_ROWS)
})

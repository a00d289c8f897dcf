import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { AUTOMATIC_EVENTS } from '../../../contract/telemetry/analytics-events.ts'
import { ANALYTICS_EVENTS } from '../../../contract/telemetry/telemetry-calls.ts'
import { HOUR_MS, MINUTE_MS } from '../../../contract/time-units.ts'
import { observeWebVitals } from '../../../src/services/web-vitals.ts'
import { clearBrowserState, createAnalytics } from '../../support/analytics.ts'

const FLUSH_MS = 11_000
let config: unknown = {}
let page: ReturnType<typeof createAnalytics>
beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json(config)))
})
afterEach(() => {
  page?.analytics.stop()
  config = {}
  vi.useRealTimers()
  vi.unstubAllGlobals()
  clearBrowserState()
})

async function openPage() {
  page = createAnalytics({ testTracking: false })
  await page.analytics.start()
  await vi.advanceTimersByTimeAsync(FLUSH_MS)
  return page
}
const listTypes = () => page.events().map(({ event_type }) => event_type)

describe('a session', () => {
  test('continues on the next page, and ends with its last event after half an hour without events', async () => {
    const first = await openPage()
    const [start] = first.events()
    first.analytics.stop()
    await openPage()
    expect(listTypes()).toEqual([AUTOMATIC_EVENTS.pageViewed])
    const { time } = page.events()[0]!
    await vi.advanceTimersByTimeAsync(30 * MINUTE_MS)
    page.analytics.track(ANALYTICS_EVENTS.bought)
    await vi.advanceTimersByTimeAsync(FLUSH_MS)
    const [, end, next, purchase] = page.events()
    expect([end, next, purchase].map((event) => event?.event_type)).toEqual([
      AUTOMATIC_EVENTS.sessionEnd,
      AUTOMATIC_EVENTS.sessionStart,
      ANALYTICS_EVENTS.bought,
    ])
    expect([end?.session_id, end?.time]).toEqual([start?.session_id, time])
    expect(next?.session_id).toBe(purchase?.session_id)
    expect(next?.session_id).toBe(next?.time)
    expect(new Set(page.events().map(({ device_id }) => device_id))).toEqual(new Set([start?.device_id]))
  })

  test('does not end within half an hour', async () => {
    await openPage()
    await vi.advanceTimersByTimeAsync(30 * MINUTE_MS - FLUSH_MS)
    page.analytics.track(ANALYTICS_EVENTS.bought)
    await vi.advanceTimersByTimeAsync(FLUSH_MS)
    expect(listTypes()).toEqual([AUTOMATIC_EVENTS.sessionStart, AUTOMATIC_EVENTS.pageViewed, ANALYTICS_EVENTS.bought])
  })
})

describe('ANALYTICS-10 a dead click', () => {
  test('is reported although an input loses the focus', async () => {
    await openPage()
    document.body.innerHTML = '<input><button>Save</button>'
    const [input, button] = [document.querySelector('input')!, document.querySelector('button')!]
    input.focus()
    button.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }))
    input.blur()
    button.dispatchEvent(new MouseEvent('click', { bubbles: true, detail: 1 }))
    await vi.advanceTimersByTimeAsync(3000 + FLUSH_MS)
    expect(listTypes()).toContain(AUTOMATIC_EVENTS.deadClick)
  })

  test.each([
    ['changes the document on the press', (button: Element) => button.setAttribute('aria-pressed', 'true')],
    ['moves the focus to another window', () => dispatchEvent(new Event('blur'))],
  ])('is not reported if it %s', async (_, act) => {
    await openPage()
    document.body.innerHTML = '<button>Save</button>'
    const button = document.querySelector('button')!
    button.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }))
    act(button)
    await Promise.resolve()
    button.dispatchEvent(new MouseEvent('click', { bubbles: true, detail: 1 }))
    await vi.advanceTimersByTimeAsync(3000 + FLUSH_MS)
    expect(listTypes()).not.toContain(AUTOMATIC_EVENTS.deadClick)
  })

  test('is never a click on a link to another page', async () => {
    await openPage()
    document.body.innerHTML = '<a href="/other">Other</a>'
    const link = document.querySelector('a')!
    link.addEventListener('click', (event) => event.preventDefault())
    link.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }))
    await vi.advanceTimersByTimeAsync(3000 + FLUSH_MS)
    expect(listTypes()).not.toContain(AUTOMATIC_EVENTS.deadClick)
  })
})

describe('ANALYTICS-09 the remote configuration', () => {
  test.each([
    ['{}', {}, 1],
    ['without automatic events', { configs: { analyticsSDK: { browserSDK: { autocapture: false } } } }, 0],
    ['of another kind', { configs: 7 }, 1],
    ['null', null, 1],
  ])('%s is applied', async (_, body, count) => {
    config = body
    let status = 200
    vi.stubGlobal('fetch', () => Promise.resolve(Response.json(config, { status })))
    await openPage()
    status = 500
    await window.fetch('/api/p/web-backend/x')
    await vi.advanceTimersByTimeAsync(FLUSH_MS)
    expect(listTypes().filter((type) => type === AUTOMATIC_EVENTS.networkRequest)).toHaveLength(count)
  })
})

describe('Web Vitals', () => {
  type Entry = Record<string, unknown>
  /** Entries of the browser by type, which jsdom does not create. */
  function stubEntries(entries: Record<string, Entry[]>): void {
    vi.stubGlobal(
      'PerformanceObserver',
      class {
        static readonly supportedEntryTypes = Object.keys(entries)
        #waiting: Entry[] = []
        readonly #handle: (list: { getEntries: () => Entry[] }) => void
        constructor(handle: (list: { getEntries: () => Entry[] }) => void) {
          this.#handle = handle
        }
        observe({ type }: { type: string }) {
          const [first, ...rest] = entries[type] ?? []
          this.#waiting = rest
          if (first) this.#handle({ getEntries: () => [first] })
        }
        ['takeRecords']() {
          return this.#waiting.splice(0)
        }
        disconnect() {}
      },
    )
    vi.spyOn(performance, 'getEntriesByType').mockImplementation((type) => (entries[type] ?? []) as never)
  }

  function measure(entries: Record<string, Entry[]>) {
    stubEntries(entries)
    const track = vi.fn()
    const stopObserver = observeWebVitals(track)
    for (const visibility of ['hidden', 'visible', 'hidden'] as const) {
      vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(visibility)
      document.dispatchEvent(new Event('visibilitychange'))
    }
    stopObserver()
    vi.restoreAllMocks()
    return track.mock.calls
  }
  const shift = (startTime: number, value: number, hadRecentInput = false) => ({ startTime, value, hadRecentInput })
  const press = (interactionId: number, duration: number) => ({ interactionId, duration })

  test('are reported once, when the page is hidden', () => {
    const calls = measure({
      paint: [
        { name: 'first-paint', startTime: 100 },
        { name: 'first-contentful-paint', startTime: 1801 },
      ],
      'largest-contentful-paint': [{ startTime: 1900 }, { startTime: 2500 }],
      // Two windows: 0.05 + 0.06, and 0.1. A shift after a key press does not count.
      'layout-shift': [shift(100, 0.05), shift(900, 0.06), shift(950, 0.5, true), shift(3000, 0.1)],
      event: [press(1, 64), press(0, 900), press(2, 504), press(2, 80)],
      navigation: [{ responseStart: 300, activationStart: 0 }],
    })
    expect(calls).toEqual([
      [
        AUTOMATIC_EVENTS.webVitals,
        {
          '[Amplitude] FCP': { value: 1801, rating: 'needs-improvement' },
          '[Amplitude] LCP': { value: 2500, rating: 'good' },
          '[Amplitude] CLS': { value: expect.closeTo(0.11) as unknown, rating: 'needs-improvement' },
          '[Amplitude] INP': { value: 504, rating: 'poor' },
          '[Amplitude] TTFB': { value: 300, rating: 'good' },
        },
      ],
    ])
  })

  test('do not include paints of a page that was opened in the background', () => {
    const [[, metrics] = []] = measure({
      paint: [{ name: 'first-contentful-paint', startTime: HOUR_MS }],
      'largest-contentful-paint': [{ startTime: HOUR_MS }],
      'visibility-state': [{ name: 'hidden', startTime: 0 }],
      navigation: [{ responseStart: 300 }],
    })
    expect(Object.keys(metrics as object)).toEqual(['[Amplitude] TTFB'])
  })

  test('ignore the longest of fifty interactions', () => {
    const [[, metrics] = []] = measure({
      event: Array.from({ length: 50 }, (_, n) => press(n + 1, n === 7 ? 900 : 48)),
    })
    expect(metrics).toEqual({ '[Amplitude] INP': { value: 48, rating: 'good' } })
  })

  test('are not reported without values', () => {
    expect(measure({})).toEqual([])
  })
})

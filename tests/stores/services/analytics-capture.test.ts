import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { AUTOMATIC_EVENTS } from '../../../contract/telemetry/analytics-events.ts'
import { reduceEvent } from '../../../src/services/analytics-rules.ts'
import { CLIENT_NAMES, clearBrowserState, createAnalytics } from '../../support/analytics.ts'

const FLUSH_MS = 11_000

describe.each(CLIENT_NAMES)('automatic events (%s)', (client) => {
  let respond: (url: string) => unknown = () => Response.json({ configs: {} })
  let page: ReturnType<typeof createAnalytics>
  // The libraries observe the `fetch` that exists when the first page starts.
  beforeAll(() => void vi.stubGlobal('fetch', (url: string) => Promise.resolve(respond(url))))
  afterAll(() => void vi.unstubAllGlobals())
  beforeEach(async () => {
    vi.useFakeTimers()
    document.body.innerHTML = '<button id="one">Garage of Ann</button>'
    page = createAnalytics(undefined, undefined, client)
    const started = page.analytics.start()
    await vi.advanceTimersByTimeAsync(1000)
    await started
  })
  afterEach(() => {
    page.analytics.stop()
    respond = () => Response.json({ configs: {} })
    vi.useRealTimers()
    clearBrowserState()
  })

  async function flushEvents(type: string) {
    await vi.advanceTimersByTimeAsync(FLUSH_MS)
    return page.events().filter(({ event_type }) => event_type === type)
  }

  function clickButton(x = 10, y = 10): void {
    const at = { bubbles: true, button: 0, clientX: x, clientY: y }
    const button = document.getElementById('one')!
    button.dispatchEvent(new PointerEvent('pointerdown', at))
    button.dispatchEvent(new PointerEvent('pointerup', at))
    button.dispatchEvent(new MouseEvent('click', at))
  }

  describe('ANALYTICS-10 click without effect', () => {
    test('for three seconds is a dead click, reported without the text on the button', async () => {
      clickButton()
      await vi.advanceTimersByTimeAsync(3000)
      const [dead] = await flushEvents(AUTOMATIC_EVENTS.deadClick)
      expect(dead?.event_properties).toEqual({ route: '/live', '[Amplitude] Element Tag': 'button' })
      expect(JSON.stringify(page.posted)).not.toContain('Ann')
    })

    test('is no dead click if an effect follows after 2.9 seconds', async () => {
      clickButton()
      await vi.advanceTimersByTimeAsync(2900)
      document.body.append('An answer')
      expect(await flushEvents(AUTOMATIC_EVENTS.deadClick)).toEqual([])
    })
  })

  describe('ANALYTICS-11 rage clicks', () => {
    const countRageClicks = async (points: readonly (readonly [number, number])[], intervalMs: number) => {
      for (const [n, [x, y]] of points.entries()) {
        if (n > 0) await vi.advanceTimersByTimeAsync(intervalMs)
        clickButton(x, y)
      }
      return (await flushEvents(AUTOMATIC_EVENTS.rageClick)).length
    }
    const SAME_POINT = [10, 10] as const

    test.each([
      ['four within a second', [SAME_POINT, SAME_POINT, SAME_POINT, SAME_POINT], 300, 1],
      ['three within a second', [SAME_POINT, SAME_POINT, SAME_POINT], 300, 0],
      ['four within 1002 ms', [SAME_POINT, SAME_POINT, SAME_POINT, SAME_POINT], 334, 0],
      ['four within a box of 50 px', [SAME_POINT, SAME_POINT, SAME_POINT, [60, 60]], 100, 1],
      ['four of which one is 51 px away', [SAME_POINT, SAME_POINT, SAME_POINT, [61, 10]], 100, 0],
    ] as const)('%s: %j every %d ms', async (_, points, every, count) => {
      expect(await countRageClicks(points, every)).toBe(count)
    })
  })

  test.each([
    [499, 0],
    [500, 1],
    [599, 1],
    [600, 0],
  ])('ANALYTICS-12 a call with status %d is reported %d times', async (status, count) => {
    const url = `${location.origin}/api/p/web-backend/api/v2/subscriptions/garage-of-ann?code=SECRET`
    respond = () => ({ status, headers: new Headers(), clone: () => ({ text: () => Promise.resolve('') }) })
    await window.fetch(url, { method: 'POST' })
    const calls = await flushEvents(AUTOMATIC_EVENTS.networkRequest)
    expect(calls).toHaveLength(count)
    for (const { event_properties } of calls)
      expect(event_properties).toMatchObject({ '[Amplitude] Status Code': status, target: 'web-backend' })
    expect(JSON.stringify(page.posted)).not.toMatch(/ann|SECRET/)
  })

  test('a failing sink is not reported', async () => {
    respond = () => ({ status: 503, headers: new Headers(), clone: () => ({ text: () => Promise.resolve('') }) })
    await window.fetch('/t/errors', { method: 'POST' })
    expect(await flushEvents(AUTOMATIC_EVENTS.networkRequest)).toEqual([])
  })
})

test('ANALYTICS-08 an event outside the allowed list is not sent', () => {
  const event = (event_type: string) => ({ event_type, insert_id: 'i', time: 1, session_id: 1, device_id: 'd' })
  expect(reduceEvent(event(AUTOMATIC_EVENTS.pageViewed))).toMatchObject({ event_type: AUTOMATIC_EVENTS.pageViewed })
  for (const other of ['$identify', '[Amplitude] Form Submitted', 'Name typed'])
    expect(reduceEvent(event(other))).toBeNull()
})

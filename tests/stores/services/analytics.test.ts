import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { AUTOMATIC_EVENTS } from '../../../contract/telemetry/analytics-events.ts'
import { ANALYTICS_EVENTS } from '../../../contract/telemetry/telemetry-calls.ts'
import { ANALYTICS_KEYS } from '../../../src/stores/storage/analytics-keys.ts'
import { CLIENT_NAMES, clearBrowserState, createAnalytics, ORIGIN } from '../../support/analytics.ts'
import { HOUR_MS } from '../../../contract/time-units.ts'

/** Longer than the send interval of ten seconds. */
const FLUSH_MS = 11_000

const requests: string[] = []
let stop = (): void => {}
beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('fetch', (url: string) => {
    requests.push(url)
    return Promise.resolve(Response.json({ configs: {} }))
  })
})
afterEach(() => {
  stop()
  requests.length = 0
  // Before the timers, because a test replaces the fake `setTimeout`.
  vi.restoreAllMocks()
  vi.useRealTimers()
  vi.unstubAllGlobals()
  clearBrowserState()
})

describe.each(CLIENT_NAMES)('page analytics (%s)', (client) => {
  async function startAnalytics(userId?: string, ...[change, answer]: Parameters<typeof createAnalytics>) {
    const page = createAnalytics(change, answer, client)
    stop = () => page.analytics.stop()
    const started = page.analytics.start(userId)
    await vi.advanceTimersByTimeAsync(1000)
    await started
    return page
  }

  test('ANALYTICS-02 identifies the signed-in user, or none', async () => {
    const page = await startAnalytics('user_1a')
    page.analytics.track(ANALYTICS_EVENTS.bought)
    await vi.advanceTimersByTimeAsync(FLUSH_MS)
    expect(new Set(page.events().map(({ user_id }) => user_id))).toEqual(new Set(['user_1a']))
    stop()
    clearBrowserState()
    const stranger = await startAnalytics()
    stranger.analytics.track(ANALYTICS_EVENTS.bought)
    await vi.advanceTimersByTimeAsync(FLUSH_MS)
    expect(stranger.events().length).toBeGreaterThan(0)
    for (const event of stranger.events()) expect(event).not.toHaveProperty('user_id')
  })

  test.each([0, 100])(
    'ANALYTICS-03 reports the session and the page pattern on a page busy for %d ms at a time',
    async (ms) => {
      const { events } = await startAnalytics(undefined, {
        // Simulates a busy page: timers that are due fire before the library continues.
        giveWay: async () => void (await vi.advanceTimersByTimeAsync(ms)),
      })
      await vi.advanceTimersByTimeAsync(FLUSH_MS)
      const sentEvents = events().map(({ event_type, event_properties }) => [event_type, event_properties])
      expect(sentEvents).toEqual([
        [AUTOMATIC_EVENTS.sessionStart, { route: '/live' }],
        [AUTOMATIC_EVENTS.pageViewed, { route: '/live' }],
      ])
    },
  )

  test('ANALYTICS-04 ANALYTICS-06 CONST-11 starts once, with a single timer of one hour', async () => {
    const set = vi.spyOn(globalThis, 'setTimeout')
    const { analytics, events, kept: storage } = await startAnalytics()
    const again = analytics.start('user_1a')
    await vi.advanceTimersByTimeAsync(FLUSH_MS)
    await again
    expect(events().filter(({ event_type }) => event_type === AUTOMATIC_EVENTS.pageViewed)).toHaveLength(1)
    expect(set.mock.calls.filter(([, ms]) => ms === HOUR_MS)).toHaveLength(1)
    expect(storage.due! - Date.now()).toBeGreaterThan(HOUR_MS - FLUSH_MS - 2000)
  })

  test('ANALYTICS-07 opts out when the hour has passed, and sends nothing afterwards', async () => {
    const { analytics, kept: storage, events } = await startAnalytics()
    await vi.advanceTimersByTimeAsync(HOUR_MS - 2000)
    expect(storage.isOptedOut).toBe(false)
    await vi.advanceTimersByTimeAsync(2000)
    expect(storage.isOptedOut).toBe(true)
    const before = events().length
    analytics.track(ANALYTICS_EVENTS.bought)
    await analytics.leave()
    await vi.advanceTimersByTimeAsync(FLUSH_MS)
    expect(events()).toHaveLength(before)
  })

  test('continues on a later page with the rest of the hour', async () => {
    const due = Date.now() + 60_000
    const { kept: storage } = await startAnalytics(undefined, { readDue: () => due })
    await vi.advanceTimersByTimeAsync(58_000)
    expect(storage.isOptedOut).toBe(false)
    await vi.advanceTimersByTimeAsync(2000)
    expect(storage.isOptedOut).toBe(true)
  })

  test('ANALYTICS-18 keeps running without test tracking', async () => {
    const { analytics, kept: storage, events } = await startAnalytics(undefined, { testTracking: false })
    expect(storage.due).toBeNull()
    await vi.advanceTimersByTimeAsync(HOUR_MS + 1000)
    expect(storage.isOptedOut).toBe(false)
    const before = events().length
    analytics.track(ANALYTICS_EVENTS.bought)
    await vi.advanceTimersByTimeAsync(FLUSH_MS)
    expect(events().length).toBeGreaterThan(before)
  })

  test('CALL-67 CALL-68 ANALYTICS-09 sends batches to the portal’s own sinks, and fetches its configuration there', async () => {
    const { analytics, posted, sent, events } = await startAnalytics()
    for (let n = 0; n < 5; n++) analytics.track(ANALYTICS_EVENTS.priceShown, { plan: 'unlimited', period: 'annual' })
    await vi.advanceTimersByTimeAsync(FLUSH_MS)
    expect(posted.map(({ url, events }) => [url, events.length])).toEqual([[`${ORIGIN}/t/events`, 7]])
    expect(sent).toEqual(events())
    expect(requests.length).toBeGreaterThan(0)
    for (const url of requests) expect(url).toMatch(/^https:\/\/portal\.example\/t\/config\/web-portal\?/)
  })

  test('stores only keys that the portal knows, sets no cookie, and shows exactly what was sent', async () => {
    await startAnalytics('user_1a')
    await vi.advanceTimersByTimeAsync(1000)
    const keys = Object.keys(localStorage).filter((key) => /^AMP/.test(key))
    const groups = keys.filter((key) => !/remote_config/.test(key)).map((key) => key.replace(/_\d{13}_\d{9}_.*/, ''))
    expect(new Set(groups)).toEqual(new Set([ANALYTICS_KEYS.identity, ANALYTICS_KEYS.unsent]))
    expect(document.cookie).toBe('')
  })

  test.each([
    ['does not respond', () => Promise.reject(new TypeError('Failed to fetch'))],
    ['returns an error', () => Promise.resolve(new Response('garbage', { status: 503 }))],
  ])('retries a sink that %s eight times, keeps the events, and prints nothing', async (_, answer) => {
    const consoleSpies = (['log', 'warn', 'error', 'debug', 'info'] as const).map((name) => vi.spyOn(console, name))
    const { analytics, posted, sent } = await startAnalytics(undefined, {}, answer)
    analytics.track(ANALYTICS_EVENTS.bought)
    await vi.advanceTimersByTimeAsync(FLUSH_MS + 60_000)
    expect([posted.length, sent]).toEqual([9, []])
    for (const spy of consoleSpies) expect(spy).not.toHaveBeenCalled()
    stop()
    const next = await startAnalytics()
    await vi.advanceTimersByTimeAsync(FLUSH_MS)
    expect(next.sent.filter(({ event_type }) => event_type === ANALYTICS_EVENTS.bought)).toHaveLength(1)
  })
})

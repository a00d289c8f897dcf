import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ANALYTICS_EVENTS } from '../../../contract/telemetry/telemetry-calls.ts'
import { $analyticsState, setAnalyticsEnabled } from '../../../src/stores/account/analytics-consent.ts'
import { clearUserData, PUBLIC_PAGE_KEYS, safeLocalStorage } from '../../../src/stores/storage/safe-storage.ts'
import { ANALYTICS_KEYS } from '../../../src/stores/storage/analytics-keys.ts'
import {
  endTestTracking,
  readTestTrackingEnd,
  readAnalyticsState,
  readRememberedUserId,
  writeTestTrackingEnd,
} from '../../../src/stores/storage/analytics-opt-out.ts'
import {
  storeSentEvents,
  readSentEvents,
  readUnsentEvents,
  deleteStaleAnalyticsData,
} from '../../../src/stores/storage/sent-analytics-events.ts'
import { CLIENT_NAMES, clearBrowserState, createAnalytics } from '../../support/analytics.ts'
import { HOUR_MS } from '../../../contract/time-units.ts'

/** Longer than the send interval of ten seconds. */
const FLUSH_MS = 11_000

const pages: ReturnType<typeof createAnalytics>[] = []
beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ configs: {} })))
})
afterEach(() => {
  for (const { analytics } of pages.splice(0)) analytics.stop()
  vi.useRealTimers()
  vi.unstubAllGlobals()
  clearBrowserState()
  history.replaceState(null, '', '/')
})

async function trackAndFlush(page: ReturnType<typeof createAnalytics>) {
  page.analytics.track(ANALYTICS_EVENTS.bought)
  await vi.advanceTimersByTimeAsync(FLUSH_MS)
  return page.events()
}

const signIn = (userId: string) => safeLocalStorage.write(PUBLIC_PAGE_KEYS.userId, userId)
const readIdentity = () => JSON.parse(localStorage.getItem(ANALYTICS_KEYS.identity) ?? '{}') as Record<string, unknown>

describe.each(CLIENT_NAMES)('%s', (client) => {
  /**
   * Opens a page with the analytics state that this browser has stored. If a user is signed in, the page's analytics
   * stops when that user signs out or another user signs in.
   */
  async function openPage(answer?: () => Promise<Response>) {
    const userId = readRememberedUserId()
    const canContinue = () =>
      readAnalyticsState(Date.now()) === 'on' && (userId === null || readRememberedUserId() === userId)
    const ports = {
      canContinue,
      readDue: readTestTrackingEnd,
      writeDue: writeTestTrackingEnd,
      optOut: endTestTracking,
      sent: storeSentEvents,
    }
    const page = createAnalytics(ports, answer, client)
    pages.push(page)
    const started = page.analytics.start(userId ?? undefined)
    await vi.advanceTimersByTimeAsync(1000)
    await started
    return page
  }

  describe('an analytics opt-out', () => {
    test('OPEN-148 deletes stored user data, and a later opt-in measures from the next page on', async () => {
      signIn('user_1a')
      const before = await openPage()
      before.analytics.track(ANALYTICS_EVENTS.bought)
      await vi.advanceTimersByTimeAsync(100)
      expect(readUnsentEvents().map(({ event_type }) => event_type)).toContain(ANALYTICS_EVENTS.bought)
      setAnalyticsEnabled(false)
      expect(await trackAndFlush(before)).toEqual([])
      expect(Object.keys(localStorage).filter((key) => /^AMP_(web|unsent)/.test(key))).toEqual([])
      expect([$analyticsState.get(), readAnalyticsState(Date.now())]).toEqual(['off', 'off'])
      setAnalyticsEnabled(true)
      expect($analyticsState.get()).toBe('on')
      expect(await trackAndFlush(before)).toEqual([])
      expect(await trackAndFlush(await openPage())).not.toEqual([])
    })

    test('takes effect while the page starts', async () => {
      const page = createAnalytics(
        {
          canContinue: () => readAnalyticsState(Date.now()) === 'on',
          readDue: readTestTrackingEnd,
          writeDue: writeTestTrackingEnd,
        },
        undefined,
        client,
      )
      pages.push(page)
      const started = page.analytics.start()
      setAnalyticsEnabled(false)
      await vi.advanceTimersByTimeAsync(1000)
      await started
      expect([await trackAndFlush(page), page.analytics.isStopped]).toEqual([[], true])
      expect(readTestTrackingEnd()).toBeNull()
    })

    test('takes effect before anything is sent, even after the page was suspended', async () => {
      const page = await openPage()
      vi.setSystemTime(Date.now() + 2 * HOUR_MS)
      expect(await trackAndFlush(page)).toEqual([])
    })

    test('happens automatically after one hour, and a new hour can be started', async () => {
      const page = await openPage()
      await vi.advanceTimersByTimeAsync(HOUR_MS)
      expect([page.analytics.isStopped, readAnalyticsState(Date.now())]).toEqual([true, 'ended'])
      setAnalyticsEnabled(true)
      expect(await trackAndFlush(await openPage())).not.toEqual([])
      expect(readTestTrackingEnd()! - Date.now()).toBeGreaterThan(HOUR_MS - 20_000)
    })
  })

  describe('the test tracking hour', () => {
    test('lasts at most one hour, even with a due time stored under a moved clock', async () => {
      writeTestTrackingEnd(Date.now() + 400 * 24 * HOUR_MS)
      const page = await openPage()
      expect(readTestTrackingEnd()! - Date.now()).toBeLessThanOrEqual(HOUR_MS)
      expect(page.analytics.isStopped).toBe(false)
      await vi.advanceTimersByTimeAsync(HOUR_MS)
      expect(page.analytics.isStopped).toBe(true)
    })

    test('does not start in a browser that stores nothing', async () => {
      vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
        throw new DOMException('full', 'QuotaExceededError')
      })
      const page = await openPage()
      expect([await trackAndFlush(page), page.analytics.isStopped]).toEqual([[], true])
      vi.restoreAllMocks()
    })
  })

  describe('the next user of a browser', () => {
    test('ANALYTICS-02 is never reported under the previous user’s id or device id', async () => {
      signIn('user_1a')
      const [first] = await trackAndFlush(await openPage())
      expect(first?.user_id).toBe('user_1a')
      safeLocalStorage.remove(PUBLIC_PAGE_KEYS.userId)
      const nobody = await trackAndFlush(await openPage())
      expect(nobody.length).toBeGreaterThan(0)
      for (const event of nobody) {
        expect(event).not.toHaveProperty('user_id')
        expect(event.device_id).not.toBe(first?.device_id)
      }
      signIn('user_2b')
      const [other] = await trackAndFlush(await openPage())
      // The user who signs in keeps the device id of the anonymous visit, because that id belongs to no other user.
      expect([other?.user_id, other?.device_id]).toEqual(['user_2b', nobody[0]?.device_id])
    })

    test('never sends unsent events of the previous user', async () => {
      signIn('user_1a')
      const page = await openPage(() => new Promise(() => {}))
      page.analytics.track(ANALYTICS_EVENTS.bought)
      await vi.advanceTimersByTimeAsync(100)
      signIn('user_2b')
      const events = await trackAndFlush(await openPage())
      expect(new Set(events.map(({ user_id }) => user_id))).toEqual(new Set(['user_2b']))
    })

    test('OPEN-148 finds no data that another tab writes after the sign-out', async () => {
      signIn('user_1a')
      let answer = (_: Response): void => {}
      const other = await openPage(() => new Promise((resolve) => (answer = resolve)))
      await trackAndFlush(other)
      other.analytics.track(ANALYTICS_EVENTS.payPressed)
      clearUserData()
      signIn('user_2b')
      other.analytics.track(ANALYTICS_EVENTS.payPressed)
      answer(Response.json({ code: 200 }))
      await vi.advanceTimersByTimeAsync(2 * HOUR_MS)
      deleteStaleAnalyticsData(Date.now())
      expect(JSON.stringify({ ...localStorage })).not.toContain('user_1a')
      expect(readSentEvents()).toEqual([])
    })
  })

  describe('the page URL', () => {
    test('cannot set the browser id or the session id', async () => {
      const [planted, session] = ['11111111-1111-4111-8111-111111111111', 1_700_000_000_000]
      history.replaceState(null, '', `/?deviceId=${planted}&ampDeviceId=${planted}&ampSessionId=${session}`)
      const events = await trackAndFlush(await openPage())
      expect(events.length).toBeGreaterThan(0)
      for (const { device_id, session_id } of events) {
        expect(device_id).not.toBe(planted)
        expect(session_id).not.toBe(session)
      }
      const again = await trackAndFlush(await openPage())
      expect([again[0]?.device_id, again[0]?.session_id]).toEqual([events[0]?.device_id, events[0]?.session_id])
      expect(readIdentity()['deviceId']).toBe(events[0]?.device_id)
    })

    test('is not stored with a waiting event', async () => {
      history.replaceState(null, '', '/events?person=CANARY')
      document.title = 'CANARY'
      const page = await openPage(() => new Promise(() => {}))
      page.analytics.track(ANALYTICS_EVENTS.bought)
      await vi.advanceTimersByTimeAsync(100)
      expect(readUnsentEvents().map(({ event_type }) => event_type)).toContain(ANALYTICS_EVENTS.bought)
      expect(JSON.stringify([{ ...localStorage }, { ...sessionStorage }])).not.toMatch(/CANARY|jsdom|\/events/)
    })

    test('counts as one page view, however often a filter changes it', async () => {
      const page = await openPage()
      for (const query of ['a', 'b', 'c']) history.pushState(null, '', `/?kind=${query}`)
      const events = await trackAndFlush(page)
      expect(events.filter(({ event_type }) => event_type === '[Amplitude] Page Viewed')).toHaveLength(1)
    })
  })
})

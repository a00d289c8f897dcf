import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ANALYTICS_EVENTS } from '../../../contract/telemetry/telemetry-calls.ts'
import { $measuring, setMeasuring } from '../../../src/stores/account/analytics-consent.ts'
import { clearUserScoped, FIRST_KEYS, local } from '../../../src/stores/storage/safe-storage.ts'
import { MEASURE_KEYS } from '../../../src/stores/storage/analytics-keys.ts'
import {
  endMeasuring,
  readDue,
  readMeasuring,
  rememberedUser,
  writeDue,
} from '../../../src/stores/storage/analytics-opt-out.ts'
import { storeSentEvents, readSent, tidyMeasured } from '../../../src/stores/storage/sent-analytics-events.ts'
import { cleanBrowser, openAnalytics } from '../../support/analytics.ts'
import { HOUR_MS } from '../../../contract/time-units.ts'

/** Longer than the library's send interval of ten seconds, ms. */
const FLUSH = 11_000

const pages: ReturnType<typeof openAnalytics>[] = []
beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ configs: {} })))
})
afterEach(() => {
  for (const { analytics } of pages.splice(0)) analytics.stop()
  vi.useRealTimers()
  vi.unstubAllGlobals()
  cleanBrowser()
  history.replaceState(null, '', '/')
})

/** Opens a page with analytics for the remembered user, with the state that this browser has stored. */
async function open(answer?: () => Promise<Response>) {
  const userId = rememberedUser()
  const goesOn = () => readMeasuring(Date.now()) === 'on' && (userId === null || rememberedUser() === userId)
  const ports = { goesOn, readDue, writeDue, optOut: endMeasuring, sent: storeSentEvents }
  const page = openAnalytics(ports, answer)
  pages.push(page)
  const started = page.analytics.start(userId ?? undefined)
  await vi.advanceTimersByTimeAsync(1000)
  await started
  return page
}

async function trackAndFlush(page: ReturnType<typeof openAnalytics>) {
  page.analytics.track(ANALYTICS_EVENTS.bought)
  await vi.advanceTimersByTimeAsync(FLUSH)
  return page.events()
}

const signIn = (userId: string) => local.write(FIRST_KEYS.userId, userId)
const identity = () => JSON.parse(localStorage.getItem(MEASURE_KEYS.identity) ?? '{}') as Record<string, unknown>

describe('an analytics opt-out', () => {
  test('OPEN-148 deletes stored user data, and a later opt-in measures from the next page on', async () => {
    signIn('user_1a')
    const before = await open()
    before.analytics.track(ANALYTICS_EVENTS.bought)
    await vi.advanceTimersByTimeAsync(100)
    expect(localStorage.getItem(MEASURE_KEYS.unsent)).toContain(ANALYTICS_EVENTS.bought)
    setMeasuring(false)
    expect(await trackAndFlush(before)).toEqual([])
    for (const key of [MEASURE_KEYS.identity, MEASURE_KEYS.unsent]) expect(localStorage.getItem(key)).toBeNull()
    expect([$measuring.get(), readMeasuring(Date.now())]).toEqual(['off', 'off'])
    setMeasuring(true)
    expect($measuring.get()).toBe('on')
    expect(await trackAndFlush(before)).toEqual([])
    expect(await trackAndFlush(await open())).not.toEqual([])
  })

  test('takes effect while the page starts', async () => {
    const page = openAnalytics({ goesOn: () => readMeasuring(Date.now()) === 'on', readDue, writeDue })
    pages.push(page)
    const started = page.analytics.start()
    setMeasuring(false)
    await vi.advanceTimersByTimeAsync(1000)
    await started
    expect([await trackAndFlush(page), page.analytics.isStopped]).toEqual([[], true])
    expect(readDue()).toBeNull()
  })

  test('takes effect before anything is sent, even after the page was suspended', async () => {
    const page = await open()
    vi.setSystemTime(Date.now() + 2 * HOUR_MS)
    expect(await trackAndFlush(page)).toEqual([])
  })

  test('happens automatically after one hour, and a new hour can be started', async () => {
    const page = await open()
    await vi.advanceTimersByTimeAsync(HOUR_MS)
    expect([page.analytics.isStopped, readMeasuring(Date.now())]).toEqual([true, 'ended'])
    setMeasuring(true)
    expect(await trackAndFlush(await open())).not.toEqual([])
    expect(readDue()! - Date.now()).toBeGreaterThan(HOUR_MS - 20_000)
  })
})

describe('the test tracking hour', () => {
  test('lasts at most one hour, even with a due time stored under a moved clock', async () => {
    writeDue(Date.now() + 400 * 24 * HOUR_MS)
    const page = await open()
    expect(readDue()! - Date.now()).toBeLessThanOrEqual(HOUR_MS)
    expect(page.analytics.isStopped).toBe(false)
    await vi.advanceTimersByTimeAsync(HOUR_MS)
    expect(page.analytics.isStopped).toBe(true)
  })

  test('does not start in a browser that stores nothing', async () => {
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError')
    })
    const page = await open()
    expect([await trackAndFlush(page), page.analytics.isStopped]).toEqual([[], true])
    vi.restoreAllMocks()
  })
})

describe('the next user of a browser', () => {
  test('ANALYTICS-02 is never reported under the previous user’s id or device id', async () => {
    signIn('user_1a')
    const [first] = await trackAndFlush(await open())
    expect(first?.user_id).toBe('user_1a')
    local.remove(FIRST_KEYS.userId)
    const nobody = await trackAndFlush(await open())
    expect(nobody.length).toBeGreaterThan(0)
    for (const event of nobody) {
      expect(event).not.toHaveProperty('user_id')
      expect(event.device_id).not.toBe(first?.device_id)
    }
    signIn('user_2b')
    const [other] = await trackAndFlush(await open())
    // The device id of the anonymous visit stays the same after the sign-in, because the same browser reports both.
    expect([other?.user_id, other?.device_id]).toEqual(['user_2b', nobody[0]?.device_id])
  })

  test('never sends unsent events of the previous user', async () => {
    signIn('user_1a')
    const page = await open(() => new Promise(() => {}))
    page.analytics.track(ANALYTICS_EVENTS.bought)
    await vi.advanceTimersByTimeAsync(100)
    signIn('user_2b')
    const events = await trackAndFlush(await open())
    expect(new Set(events.map(({ user_id }) => user_id))).toEqual(new Set(['user_2b']))
  })

  test('OPEN-148 finds no data that another tab writes after the sign-out', async () => {
    signIn('user_1a')
    let answer = (_: Response): void => {}
    const other = await open(() => new Promise((resolve) => (answer = resolve)))
    await trackAndFlush(other)
    other.analytics.track(ANALYTICS_EVENTS.payPressed)
    clearUserScoped()
    signIn('user_2b')
    other.analytics.track(ANALYTICS_EVENTS.payPressed)
    answer(Response.json({ code: 200 }))
    await vi.advanceTimersByTimeAsync(2 * HOUR_MS)
    tidyMeasured(Date.now())
    expect(JSON.stringify({ ...localStorage })).not.toContain('user_1a')
    expect(readSent()).toEqual([])
  })
})

describe('the page URL', () => {
  test('cannot set the browser id or the session id', async () => {
    const [planted, session] = ['11111111-1111-4111-8111-111111111111', 1_700_000_000_000]
    history.replaceState(null, '', `/?deviceId=${planted}&ampDeviceId=${planted}&ampSessionId=${session}`)
    const events = await trackAndFlush(await open())
    expect(events.length).toBeGreaterThan(0)
    for (const { device_id, session_id } of events) {
      expect(device_id).not.toBe(planted)
      expect(session_id).not.toBe(session)
    }
    const again = await trackAndFlush(await open())
    expect([again[0]?.device_id, again[0]?.session_id]).toEqual([events[0]?.device_id, events[0]?.session_id])
    expect(identity()['deviceId']).toBe(events[0]?.device_id)
  })

  test('is not stored with a waiting event', async () => {
    history.replaceState(null, '', '/events?person=CANARY')
    document.title = 'CANARY'
    const page = await open(() => new Promise(() => {}))
    page.analytics.track(ANALYTICS_EVENTS.bought)
    await vi.advanceTimersByTimeAsync(100)
    expect(localStorage.getItem(MEASURE_KEYS.unsent)).toContain(ANALYTICS_EVENTS.bought)
    expect(JSON.stringify([{ ...localStorage }, { ...sessionStorage }])).not.toMatch(/CANARY|jsdom|\/events/)
  })

  test('counts as one page view, however often a filter changes it', async () => {
    const page = await open()
    for (const query of ['a', 'b', 'c']) history.pushState(null, '', `/?kind=${query}`)
    const events = await trackAndFlush(page)
    expect(events.filter(({ event_type }) => event_type === '[Amplitude] Page Viewed')).toHaveLength(1)
  })
})

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { measurePage } from '../../../../src/boot/telemetry/page-analytics.ts'
import { startAnalytics } from '../../../../src/boot/telemetry/start-analytics.ts'
import { setAnalyticsEnabled } from '../../../../src/stores/account/analytics-consent.ts'
import { clearUserData, PUBLIC_PAGE_KEYS, safeLocalStorage } from '../../../../src/stores/storage/safe-storage.ts'
import { ANALYTICS_KEYS } from '../../../../src/stores/storage/analytics-keys.ts'
import { endTestTracking, readAnalyticsState } from '../../../../src/stores/storage/analytics-opt-out.ts'
import { CLIENT_NAMES, CLIENTS, clearBrowserState } from '../../../support/analytics.ts'
import { HOUR_MS } from '../../../../contract/time-units.ts'

let pageCount = 0
const requestPaths: string[] = []
/** While set, each variants request hangs and replaces this value with the function that releases the request. */
let releaseVariants: (() => void) | null = null
let config: Record<string, string> = {}

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal(
    'PerformanceObserver',
    class {
      observe() {}
    },
  )
  vi.spyOn(performance, 'getEntriesByType').mockReturnValue([])
  vi.stubGlobal('fetch', async (url: string) => {
    const { pathname } = new URL(url, location.origin)
    requestPaths.push(pathname)
    if (pathname.endsWith('/vardata') && releaseVariants)
      await new Promise<void>((resolve) => (releaseVariants = resolve))
    if (pathname === '/config.json') return Response.json(config)
    return Response.json(pathname.endsWith('/flags') ? [] : pathname.endsWith('/vardata') ? {} : { code: 200 })
  })
})
afterEach(() => {
  setAnalyticsEnabled(false)
  requestPaths.length = 0
  releaseVariants = null
  config = {}
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  clearBrowserState()
})

const countFlagRequests = () => requestPaths.filter((path) => path.endsWith('/flags')).length
describe.each(CLIENT_NAMES)('page with analytics (%s)', (client) => {
  async function startPage() {
    const measurement = measurePage({ experiment: `page-${pageCount++}` }, CLIENTS[client])
    await vi.advanceTimersByTimeAsync(2000)
    return measurement
  }

  test('ANALYTICS-07 also stops its experiment requests when the hour ends', async () => {
    await startPage()
    await vi.advanceTimersByTimeAsync(HOUR_MS - 3000)
    const before = countFlagRequests()
    expect(before).toBeGreaterThan(10)
    await vi.advanceTimersByTimeAsync(3 * HOUR_MS)
    expect([readAnalyticsState(Date.now()), countFlagRequests() - before]).toEqual(['ended', 0])
  })

  test('stops when the user opts out, even while a request is pending', async () => {
    releaseVariants = () => {}
    const measurement = startPage()
    await vi.advanceTimersByTimeAsync(2000)
    setAnalyticsEnabled(false)
    const before = requestPaths.length
    releaseVariants()
    await vi.advanceTimersByTimeAsync(HOUR_MS)
    await measurement
    expect(requestPaths.length).toBe(before)
    expect(Object.keys(localStorage).filter((key) => /^AMP_(web|unsent)|variant/.test(key))).toEqual([])
  })

  test('OPEN-148 stops when the user signs out in another tab', async () => {
    document.cookie = 'signed_in=1'
    safeLocalStorage.write(PUBLIC_PAGE_KEYS.userId, 'user_1a')
    await startPage()
    expect(localStorage.getItem(ANALYTICS_KEYS.identity)).toContain('user_1a')
    clearUserData()
    dispatchEvent(new StorageEvent('storage', { key: PUBLIC_PAGE_KEYS.userId, oldValue: 'user_1a', newValue: null }))
    const before = requestPaths.length
    await vi.advanceTimersByTimeAsync(HOUR_MS)
    expect(requestPaths.length).toBe(before)
    expect(JSON.stringify({ ...localStorage })).not.toContain('user_1a')
    document.cookie = 'signed_in=; max-age=0'
  })
})

describe('browser after its analytics hour', () => {
  const wasMeasured = () => requestPaths.includes('/t/config/web-portal')

  test.each([
    ['is no longer measured', {}, false],
    ['ANALYTICS-18 is measured without test tracking', { testTracking: 'off' }, true],
    ['is measured with the library', { testTracking: 'off', analyticsLibrary: 'amplitude' }, true],
  ])('%s', async (_, settings, isMeasured) => {
    config = settings
    endTestTracking()
    const measurement = startAnalytics()
    await vi.advanceTimersByTimeAsync(2000)
    await measurement
    expect(wasMeasured()).toBe(isMeasured)
  })

  test('ANALYTICS-18 is not measured after an opt-out', async () => {
    config = { testTracking: 'off' }
    setAnalyticsEnabled(false)
    await startAnalytics()
    expect(requestPaths).toEqual([])
  })
})

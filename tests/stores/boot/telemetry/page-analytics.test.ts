import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { measurePage } from '../../../../src/boot/telemetry/page-analytics.ts'
import { startMeasuring } from '../../../../src/boot/telemetry/start-analytics.ts'
import { setMeasuring } from '../../../../src/stores/account/analytics-consent.ts'
import { clearUserScoped, FIRST_KEYS, local } from '../../../../src/stores/storage/safe-storage.ts'
import { MEASURE_KEYS } from '../../../../src/stores/storage/analytics-keys.ts'
import { endMeasuring, readMeasuring } from '../../../../src/stores/storage/analytics-opt-out.ts'
import { cleanBrowser } from '../../../support/analytics.ts'
import { HOUR_MS } from '../../../../contract/time-units.ts'

let count = 0
const paths: string[] = []
/** If set, the next request for variants hangs, and this becomes the function that releases the request. */
let held: (() => void) | null = null
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
  vi.stubGlobal('fetch', async (address: string) => {
    const { pathname } = new URL(address, location.origin)
    paths.push(pathname)
    if (pathname.endsWith('/vardata') && held) await new Promise<void>((resolve) => (held = resolve))
    if (pathname === '/config.json') return Response.json(config)
    return Response.json(pathname.endsWith('/flags') ? [] : pathname.endsWith('/vardata') ? {} : { code: 200 })
  })
})
afterEach(() => {
  // Stop all analytics that still run.
  setMeasuring(false)
  paths.length = 0
  held = null
  config = {}
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  cleanBrowser()
})

const flags = () => paths.filter((path) => path.endsWith('/flags')).length
async function startPage() {
  const measurement = measurePage({ experiment: `page-${count++}` })
  await vi.advanceTimersByTimeAsync(2000)
  return measurement
}

describe('page with analytics', () => {
  test('ANALYTICS-07 also stops its experiment requests when the hour ends', async () => {
    await startPage()
    await vi.advanceTimersByTimeAsync(HOUR_MS - 3000)
    const before = flags()
    expect(before).toBeGreaterThan(10)
    await vi.advanceTimersByTimeAsync(3 * HOUR_MS)
    expect([readMeasuring(Date.now()), flags() - before]).toEqual(['ended', 0])
  })

  test('stops when the user opts out, even while a request is pending', async () => {
    held = () => {}
    const measurement = startPage()
    await vi.advanceTimersByTimeAsync(2000)
    setMeasuring(false)
    const before = paths.length
    held()
    await vi.advanceTimersByTimeAsync(HOUR_MS)
    await measurement
    expect(paths.length).toBe(before)
    expect(Object.keys(localStorage).filter((key) => /^AMP_(web|unsent)|variant/.test(key))).toEqual([])
  })

  test('OPEN-148 stops when the user signs out in another tab', async () => {
    document.cookie = 'signed_in=1'
    local.write(FIRST_KEYS.userId, 'user_1a')
    await startPage()
    expect(localStorage.getItem(MEASURE_KEYS.identity)).toContain('user_1a')
    clearUserScoped()
    dispatchEvent(new StorageEvent('storage', { key: FIRST_KEYS.userId, oldValue: 'user_1a', newValue: null }))
    const before = paths.length
    await vi.advanceTimersByTimeAsync(HOUR_MS)
    expect(paths.length).toBe(before)
    expect(JSON.stringify({ ...localStorage })).not.toContain('user_1a')
    document.cookie = 'signed_in=; max-age=0'
  })
})

describe('browser after its analytics hour', () => {
  const measured = () => paths.includes('/t/config/web-portal')

  test.each([
    ['is measured no more', {}, false],
    ['ANALYTICS-18 is measured without test tracking', { testTracking: 'off' }, true],
  ])('%s', async (_, settings, isMeasured) => {
    config = settings
    endMeasuring()
    const measurement = startMeasuring()
    await vi.advanceTimersByTimeAsync(2000)
    await measurement
    expect(measured()).toBe(isMeasured)
  })

  test('ANALYTICS-18 is not measured after an opt-out', async () => {
    config = { testTracking: 'off' }
    setMeasuring(false)
    await startMeasuring()
    expect(paths).toEqual([])
  })
})

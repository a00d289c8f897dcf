import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { loadWithRetry } from '../../../src/media/load-with-retry.ts'

beforeEach(() => {
  vi.useFakeTimers()
  vi.spyOn(console, 'debug').mockReturnValue(undefined)
  // The page cannot be fetched either, so the code under test does not reload it.
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('No connection.')))
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

function createFlakyLoad(failures: number) {
  const load = vi.fn(async () => {
    if (load.mock.calls.length <= failures) throw new TypeError('The script failed to load.')
    return 'script'
  })
  return load
}

describe('script load with retry', () => {
  test('retries after half a second, then with doubled delays', async () => {
    const load = createFlakyLoad(2)
    const loaded = loadWithRetry(load)
    await vi.advanceTimersByTimeAsync(499)
    expect(load).toHaveBeenCalledTimes(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(load).toHaveBeenCalledTimes(2)
    await vi.advanceTimersByTimeAsync(999)
    expect(load).toHaveBeenCalledTimes(2)
    await vi.advanceTimersByTimeAsync(1)
    await expect(loaded).resolves.toBe('script')
  })

  test('retries immediately when the connection returns', async () => {
    const load = createFlakyLoad(9)
    void loadWithRetry(load)
    await vi.advanceTimersByTimeAsync(20_000)
    const before = load.mock.calls.length
    window.dispatchEvent(new Event('online'))
    await vi.advanceTimersByTimeAsync(0)
    expect(load).toHaveBeenCalledTimes(before + 1)
  })

  test('retries at least every fifteen seconds', async () => {
    const load = createFlakyLoad(20)
    const loaded = loadWithRetry(load)
    await vi.advanceTimersByTimeAsync(20 * 15_000)
    await expect(loaded).resolves.toBe('script')
  })
})

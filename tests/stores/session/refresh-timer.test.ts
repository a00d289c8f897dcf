import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startRefreshTimer } from '../../../src/stores/session/refresh-timer.ts'

const refreshWithRetry = vi.fn<() => Promise<'refreshed' | 'over'>>()
const reportSessionEnd = vi.fn<() => void>()

beforeEach(() => {
  vi.useFakeTimers({ now: 1_700_000_000_000 })
  vi.clearAllMocks()
  localStorage.clear()
  refreshWithRetry.mockResolvedValue('refreshed')
})
afterEach(() => {
  vi.useRealTimers()
})

test('REFRESH-01 CONST-01 the token is refreshed every 1,800,000 ms', async () => {
  const stop = startRefreshTimer({ refreshUntilReachable: refreshWithRetry }, reportSessionEnd)
  await vi.advanceTimersByTimeAsync(1_799_999)
  expect(refreshWithRetry).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(refreshWithRetry).toHaveBeenCalledOnce()
  await vi.advanceTimersByTimeAsync(1_800_000)
  expect(refreshWithRetry).toHaveBeenCalledTimes(2)
  stop()
})

test('a new page continues with the rest of the interval', async () => {
  startRefreshTimer({ refreshUntilReachable: refreshWithRetry }, reportSessionEnd)()
  await vi.advanceTimersByTimeAsync(1_700_000)
  const stop = startRefreshTimer({ refreshUntilReachable: refreshWithRetry }, reportSessionEnd)
  await vi.advanceTimersByTimeAsync(100_000)
  expect(refreshWithRetry).toHaveBeenCalledOnce()
  stop()
})

test('an overdue refresh runs immediately', async () => {
  localStorage.setItem('token_refresh_due', '1699999999999')
  const stop = startRefreshTimer({ refreshUntilReachable: refreshWithRetry }, reportSessionEnd)
  await vi.advanceTimersByTimeAsync(0)
  expect(refreshWithRetry).toHaveBeenCalledOnce()
  stop()
})

test('a token refreshed by another tab is due a full interval after that refresh', async () => {
  const stop = startRefreshTimer({ refreshUntilReachable: refreshWithRetry }, reportSessionEnd)
  await vi.advanceTimersByTimeAsync(900_000)
  localStorage.setItem('token_refresh_due', String(Date.now() + 1_800_000))
  await vi.advanceTimersByTimeAsync(1_799_999)
  expect(refreshWithRetry).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(refreshWithRetry).toHaveBeenCalledOnce()
  stop()
})

test('a session that has ended is reported once, and the timer stops', async () => {
  refreshWithRetry.mockResolvedValue('over')
  startRefreshTimer({ refreshUntilReachable: refreshWithRetry }, reportSessionEnd)
  await vi.advanceTimersByTimeAsync(7_200_000)
  expect(reportSessionEnd).toHaveBeenCalledOnce()
})

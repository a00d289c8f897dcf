import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createQueryId } from '../../../../provider/search/search-account-rows.ts'
import { readStoredSearch, runHistoryWrite, waitForHistory } from '../../../../provider/search/search-history-writes.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test.each([
  [1, 'stored'],
  [3, 'stored'],
  [4, null],
])(
  'a search that another instance stores before read %i of at most three is found: %s',
  async (storedBefore, expected) => {
    let reads = 0
    const result = readStoredSearch('user', () => Promise.resolve(++reads >= storedBefore ? 'stored' : null))
    await vi.runAllTimersAsync()
    expect([await result, reads]).toEqual([expected, Math.min(storedBefore, 3)])
  },
)

test('a call waits for the unfinished writes of its account, also if a write fails', async () => {
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const writes = [first, second].map(({ promise }) => runHistoryWrite('user', () => promise).catch(String))
  let isReady = false
  const ready = waitForHistory('user').then(() => (isReady = true))
  await waitForHistory('other')
  first.resolve()
  await vi.advanceTimersByTimeAsync(100)
  expect(isReady).toBe(false)
  second.reject(new Error('D1 is down.'))
  await vi.advanceTimersByTimeAsync(100)
  expect(isReady).toBe(true)
  expect([await ready, ...(await Promise.all(writes))]).toEqual([true, undefined, 'Error: D1 is down.'])
})

test('equal queries of an account have the same id, and other accounts have other ids', () => {
  const id = createQueryId('user_a', 'Red car')
  expect(createQueryId('user_a', '  red  CAR ')).toBe(id)
  expect(id).toMatch(/^query_[0-9a-f]{24}$/)
  expect(new Set([id, createQueryId('user_b', 'Red car'), createQueryId('user_a', 'car')]).size).toBe(3)
})

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { RefreshOutcome } from '../../../src/api/token-refresh.ts'
import { refreshAcrossTabs } from '../../../src/stores/session/connect-api-client.ts'
import { $webAppToken } from '../../../src/stores/session/session.ts'

type LockTask = () => Promise<unknown>

/** Fake of the Web Locks that the portal uses: exclusive locks queue, shared locks run concurrently. */
class FakeLockManager {
  readonly #queues = new Map<string, Promise<unknown>>()
  readonly #heldNames: string[] = []

  async request(name: string, ...rest: [LockTask] | [{ mode: 'shared' }, LockTask]): Promise<unknown> {
    const task = rest.at(-1) as LockTask
    if (rest.length === 2) return this.#hold(name, task)
    const turn = (this.#queues.get(name) ?? Promise.resolve()).then(() => this.#hold(name, task))
    this.#queues.set(
      name,
      turn.catch(() => undefined),
    )
    return turn
  }

  query(): Promise<{ held: { name: string }[] }> {
    return Promise.resolve({ held: this.#heldNames.map((name) => ({ name })) })
  }

  async #hold(name: string, task: LockTask): Promise<unknown> {
    this.#heldNames.push(name)
    return task().finally(() => this.#heldNames.splice(this.#heldNames.indexOf(name), 1))
  }
}

beforeEach(() => {
  vi.useFakeTimers()
  Object.defineProperty(navigator, 'locks', { value: new FakeLockManager(), configurable: true })
  $webAppToken.set('old')
})
afterEach(() => {
  vi.useRealTimers()
  Reflect.deleteProperty(navigator, 'locks')
})

const refreshTask = (outcome: RefreshOutcome) => vi.fn(() => Promise.resolve(outcome))
function writeFromOtherTab(key: string, newValue: string): void {
  localStorage.setItem(key, newValue)
  dispatchEvent(new StorageEvent('storage', { key, newValue }))
}

describe('tab whose token another tab refreshed', () => {
  test('reads the token only after that tab’s write arrives, however long after the lock', async () => {
    await refreshAcrossTabs('old', refreshTask('refreshed'))
    const task = refreshTask('refreshed')
    const done = refreshAcrossTabs('old', task)
    await vi.advanceTimersByTimeAsync(1000)
    writeFromOtherTab('action_log', '[]')
    await vi.advanceTimersByTimeAsync(1000)
    expect(task).not.toHaveBeenCalled()
    writeFromOtherTab('web_app_token', 'new')
    expect(await done).toBe('refreshed')
    expect(task).toHaveBeenCalledOnce()
  })

  test('finally sends its own refresh if no write arrives', async () => {
    await refreshAcrossTabs('old', refreshTask('refreshed'))
    const task = refreshTask('down')
    const done = refreshAcrossTabs('old', task)
    await vi.advanceTimersByTimeAsync(3000)
    expect(await done).toBe('down')
  })

  test('does not wait if the new token is already there', async () => {
    await refreshAcrossTabs('old', refreshTask('refreshed'))
    writeFromOtherTab('web_app_token', 'new')
    expect(await refreshAcrossTabs('old', refreshTask('refreshed'))).toBe('refreshed')
  })

  test('does not wait if its own token is newer', async () => {
    await refreshAcrossTabs('older', refreshTask('refreshed'))
    expect(await refreshAcrossTabs('old', refreshTask('refreshed'))).toBe('refreshed')
  })
})

test('a tab waits for another tab’s pending refresh and refreshes itself if that one fails', async () => {
  const pending = Promise.withResolvers<RefreshOutcome>()
  const first = refreshAcrossTabs('old', () => pending.promise)
  const task = refreshTask('over')
  const second = refreshAcrossTabs('old', task)
  await vi.advanceTimersByTimeAsync(1000)
  expect(task).not.toHaveBeenCalled()
  pending.resolve('down')
  expect(await first).toBe('down')
  expect(await second).toBe('over')
})

test('a single tab refreshes without waiting', async () => {
  expect(await refreshAcrossTabs('old', refreshTask('refreshed'))).toBe('refreshed')
})

test('without locks a tab refreshes immediately', async () => {
  Reflect.deleteProperty(navigator, 'locks')
  expect(await refreshAcrossTabs('old', refreshTask('over'))).toBe('over')
})

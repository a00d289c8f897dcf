import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { RefreshOutcome } from '../../../src/api/token-refresh.ts'
import { acrossTabs } from '../../../src/stores/session/connect-api-client.ts'
import { $webAppToken } from '../../../src/stores/session/session.ts'

type Task = () => Promise<unknown>

/** Fakes the browser's locks as far as the portal uses them: exclusive ones queue, shared ones run side by side. */
class Locks {
  private readonly lines = new Map<string, Promise<unknown>>()
  private readonly names: string[] = []

  async request(name: string, ...rest: [Task] | [{ mode: 'shared' }, Task]): Promise<unknown> {
    const task = rest.at(-1) as Task
    if (rest.length === 2) return this.hold(name, task)
    const turn = (this.lines.get(name) ?? Promise.resolve()).then(() => this.hold(name, task))
    this.lines.set(
      name,
      turn.catch(() => undefined),
    )
    return turn
  }

  query(): Promise<{ held: { name: string }[] }> {
    return Promise.resolve({ held: this.names.map((name) => ({ name })) })
  }

  private async hold(name: string, task: Task): Promise<unknown> {
    this.names.push(name)
    return task().finally(() => this.names.splice(this.names.indexOf(name), 1))
  }
}

beforeEach(() => {
  vi.useFakeTimers()
  Object.defineProperty(navigator, 'locks', { value: new Locks(), configurable: true })
  $webAppToken.set('old')
})
afterEach(() => {
  vi.useRealTimers()
  Reflect.deleteProperty(navigator, 'locks')
})

const answer = (outcome: RefreshOutcome) => vi.fn(() => Promise.resolve(outcome))
function storageSays(key: string, newValue: string): void {
  localStorage.setItem(key, newValue)
  dispatchEvent(new StorageEvent('storage', { key, newValue }))
}

describe('tab whose token another tab refreshed', () => {
  test('reads the token only after that tab’s write arrives, however long after the lock', async () => {
    await acrossTabs('old', answer('refreshed'))
    const task = answer('refreshed')
    const done = acrossTabs('old', task)
    await vi.advanceTimersByTimeAsync(1000)
    storageSays('action_log', '[]')
    await vi.advanceTimersByTimeAsync(1000)
    expect(task).not.toHaveBeenCalled()
    storageSays('web_app_token', 'new')
    expect(await done).toBe('refreshed')
    expect(task).toHaveBeenCalledOnce()
  })

  test('finally sends its own refresh if no write arrives', async () => {
    await acrossTabs('old', answer('refreshed'))
    const task = answer('down')
    const done = acrossTabs('old', task)
    await vi.advanceTimersByTimeAsync(3000)
    expect(await done).toBe('down')
  })

  test('does not wait if the new token is already there', async () => {
    await acrossTabs('old', answer('refreshed'))
    storageSays('web_app_token', 'new')
    expect(await acrossTabs('old', answer('refreshed'))).toBe('refreshed')
  })

  test('does not wait if its own token is newer', async () => {
    await acrossTabs('older', answer('refreshed'))
    expect(await acrossTabs('old', answer('refreshed'))).toBe('refreshed')
  })
})

test('a tab waits for another tab’s pending refresh and refreshes itself if that one fails', async () => {
  const pending = Promise.withResolvers<RefreshOutcome>()
  const first = acrossTabs('old', () => pending.promise)
  const task = answer('over')
  const second = acrossTabs('old', task)
  await vi.advanceTimersByTimeAsync(1000)
  expect(task).not.toHaveBeenCalled()
  pending.resolve('down')
  expect(await first).toBe('down')
  expect(await second).toBe('over')
})

test('a single tab refreshes without waiting', async () => {
  expect(await acrossTabs('old', answer('refreshed'))).toBe('refreshed')
})

test('without locks a tab refreshes immediately', async () => {
  Reflect.deleteProperty(navigator, 'locks')
  expect(await acrossTabs('old', answer('over'))).toBe('over')
})

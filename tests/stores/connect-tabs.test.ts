import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { acrossTabs } from '../../src/stores/session/connect.ts'

type Task = (lock: object | null) => Promise<unknown>

/** The browser's locks as far as the portal uses them: one holder, the others in line. */
class Locks {
  private line: Promise<unknown> = Promise.resolve()
  private held = 0

  request(_name: string, ...rest: [Task] | [{ ifAvailable: boolean }, Task]): Promise<unknown> {
    const task = rest.at(-1) as Task
    if (rest.length === 2 && this.held > 0) return task(null)
    this.held++
    const turn = this.line.then(() => task({})).finally(() => this.held--)
    this.line = turn.catch(() => undefined)
    return turn
  }
}

const locks = new Locks()

beforeEach(() => {
  vi.useFakeTimers()
  Object.defineProperty(navigator, 'locks', { value: locks, configurable: true })
})
afterEach(() => {
  vi.useRealTimers()
  Reflect.deleteProperty(navigator, 'locks')
})

/** Another tab that holds the lock until it is told to let go. */
function otherTab(): () => void {
  let release = () => {}
  void locks.request('another tab', () => new Promise<void>((resolve) => (release = resolve)))
  return () => release()
}

test('a tab that waited for another looks at the token only when that tab’s write has come', async () => {
  await Promise.resolve()
  const letGo = otherTab()
  await vi.advanceTimersByTimeAsync(0)
  const seen: string[] = []
  let token = 'old'
  const done = acrossTabs(() => Promise.resolve(void seen.push(token)))
  letGo()
  await vi.advanceTimersByTimeAsync(100)
  dispatchEvent(new StorageEvent('storage', { key: 'action_log', newValue: '[]' }))
  await vi.advanceTimersByTimeAsync(100)
  expect(seen).toEqual([])
  token = 'new'
  dispatchEvent(new StorageEvent('storage', { key: 'web_app_token', newValue: token }))
  await done
  expect(seen).toEqual(['new'])
})

test('it goes on by itself when the other tab has stored nothing', async () => {
  const letGo = otherTab()
  await vi.advanceTimersByTimeAsync(0)
  const done = acrossTabs(() => Promise.resolve('asked'))
  letGo()
  await vi.advanceTimersByTimeAsync(300)
  expect(await done).toBe('asked')
})

test('alone it waits for nobody', async () => {
  expect(await acrossTabs(() => Promise.resolve('asked'))).toBe('asked')
})

import { expect, test, vi } from 'vitest'
import { ConnectQueue } from '../../../bridge/sources/connect-queue.ts'
import { LoginBackoff } from '../../../bridge/sources/login-backoff.ts'
import { addTestCleanup, CAMERA_WAIT_OPTIONS, startCamera, startWatchedSource } from '../../support/watched-camera.ts'
import { ACTION_STREAM } from '../../support/bridge-streams.ts'
import { parseReason } from '../../support/camera-reasons.ts'

const CREDENTIALS = { user: 'me', password: 'right' }

/**
 * Replaces `performance.now` by a clock that the test advances. The clock runs each scheduled callback when it is due.
 */
function useFakeClock() {
  // Rounds the start to whole milliseconds, because floating-point sums of whole numbers are exact.
  const startedAt = Math.floor(performance.now())
  let elapsedMs = 0
  const spy = vi.spyOn(performance, 'now').mockImplementation(() => startedAt + elapsedMs)
  addTestCleanup(() => spy.mockRestore())
  const timers = new Set<{ at: number; then: () => void }>()
  const schedule = (then: () => void, ms: number) => {
    const timer = { at: elapsedMs + ms, then }
    timers.add(timer)
    return () => timers.delete(timer)
  }
  const advanceMs = (ms: number) => {
    elapsedMs += ms
    for (const timer of [...timers]) if (timer.at <= elapsedMs && timers.delete(timer)) timer.then()
  }
  return { schedule, advanceMs, timers }
}

const createConnectionOptions = () => ({ logins: new LoginBackoff(), connectQueue: new ConnectQueue() })

test.each([
  ['401', 'me:wrong', {}, 'wrong login'],
  ['403', 'me:right', { fixedResponses: { DESCRIBE: '403 Forbidden' } }, 'no right'],
] as const)(
  'a login rejected with %s is retried after a minute, then every ten minutes, and its owner sees when',
  async (_, login, options, reason) => {
    const server = await startCamera({ stream: ACTION_STREAM, credentials: CREDENTIALS, ...options })
    const countLoginAttempts = () => server.requests.filter((method) => method === 'DESCRIBE with credentials').length
    const { schedule, advanceMs, timers } = useFakeClock()
    const { states } = startWatchedSource(server.url(login), { schedule, ...createConnectionOptions() })
    for (const [count, minutes] of [1, 10, 10].entries()) {
      await vi.waitUntil(() => states.length > count, CAMERA_WAIT_OPTIONS)
      expect([countLoginAttempts(), states.length]).toEqual([count + 1, count + 1])
      expect(parseReason(states.at(-1))).toBe(reason)
      expect(states.at(-1)).toMatch(minutes === 1 ? /\b(?:a|1) minute\b/ : /\b(?:ten|10) minutes\b/)
      advanceMs(minutes * 60_000 - 1)
      expect(timers.size).toBe(1)
      advanceMs(1)
      expect(timers.size).toBe(0)
    }
  },
)

test('all streams with a rejected login share one retry; a corrected login is tried immediately', async () => {
  const server = await startCamera({ stream: ACTION_STREAM, credentials: CREDENTIALS })
  const countLoginAttempts = () => server.requests.filter((method) => method === 'DESCRIBE with credentials').length
  const { schedule, advanceMs } = useFakeClock()
  const shared = { schedule, logins: new LoginBackoff(), connectQueue: new ConnectQueue(1, 600_000) }
  const [main, sub] = [
    startWatchedSource(server.url('me:wrong'), shared),
    startWatchedSource(server.url('me:wrong'), shared),
  ]
  await vi.waitUntil(() => main.states.length + sub.states.length === 2, CAMERA_WAIT_OPTIONS)
  expect(sub.states.map(parseReason)).toEqual(['wrong login'])
  expect(sub.states[0]).toMatch(/\b(?:a|1) minute\b/)
  expect(countLoginAttempts()).toBe(1)
  advanceMs(60_000)
  await vi.waitUntil(() => main.states.length + sub.states.length === 4, CAMERA_WAIT_OPTIONS)
  expect(countLoginAttempts()).toBe(2)
  const corrected = startWatchedSource(server.url('me:right'), shared)
  await vi.waitUntil(() => corrected.states.includes('live'), CAMERA_WAIT_OPTIONS)
  expect(countLoginAttempts()).toBe(3)
})

test('a stream that a login may not watch delays no other stream of the camera', async () => {
  const forbidden = { stream: ACTION_STREAM, credentials: CREDENTIALS, forbiddenSuffix: '/stream' }
  const server = await startCamera(forbidden)
  const shared = createConnectionOptions()
  const { states } = startWatchedSource(server.url('me:right'), shared)
  await vi.waitUntil(() => states.length === 1, CAMERA_WAIT_OPTIONS)
  const other = startWatchedSource(`${server.url('me:right')}2`, shared)
  await vi.waitUntil(() => other.states.includes('live'), CAMERA_WAIT_OPTIONS)
  expect(other.states).toEqual(['live'])
})

test('a camera that requires a login missing from its address is retried at the usual interval', async () => {
  const server = await startCamera({ stream: ACTION_STREAM, credentials: CREDENTIALS })
  const { states } = startWatchedSource(server.url(), createConnectionOptions())
  await vi.waitUntil(() => states.length > 2, CAMERA_WAIT_OPTIONS)
  expect(new Set(states.map(parseReason))).toEqual(new Set(['no login']))
})

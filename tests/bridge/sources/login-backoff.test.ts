import { expect, test, vi } from 'vitest'
import { ConnectQueue } from '../../../bridge/sources/connect-queue.ts'
import { RefusedLogins } from '../../../bridge/sources/login-backoff.ts'
import { atEnd, patience, switchOn, watch } from '../../support/watched-camera.ts'
import { STREAM } from '../../support/bridge-streams.ts'
import { parseReason } from '../../support/camera-reasons.ts'

const CREDENTIALS = { user: 'me', password: 'right' }

/** Fake clock that advances on demand and runs the scheduled callbacks. */
function movedClock() {
  // Whole milliseconds keep sums exact.
  const startedAt = Math.floor(performance.now())
  let passed = 0
  const spy = vi.spyOn(performance, 'now').mockImplementation(() => startedAt + passed)
  atEnd(() => spy.mockRestore())
  const planned = new Set<{ at: number; then: () => void }>()
  const later = (then: () => void, ms: number) => {
    const plan = { at: passed + ms, then }
    planned.add(plan)
    return () => planned.delete(plan)
  }
  const pass = (ms: number) => {
    passed += ms
    for (const plan of [...planned]) if (plan.at <= passed && planned.delete(plan)) plan.then()
  }
  return { later, pass, planned }
}

const own = () => ({ logins: new RefusedLogins(), openings: new ConnectQueue() })

test.each([
  ['401', 'me:wrong', {}, 'wrong login'],
  ['403', 'me:right', { answers: { DESCRIBE: '403 Forbidden' } }, 'no right'],
] as const)(
  'a login rejected with %s is retried after a minute, then every ten minutes, and its owner sees when',
  async (_, login, options, reason) => {
    const server = await switchOn({ stream: STREAM, credentials: CREDENTIALS, ...options })
    const tries = () => server.asked.filter((method) => method === 'DESCRIBE with credentials').length
    const { later, pass, planned } = movedClock()
    const { states } = watch(server.url(login), { later, ...own() })
    for (const [count, minutes] of [1, 10, 10].entries()) {
      await vi.waitUntil(() => states.length > count, patience)
      expect([tries(), states.length]).toEqual([count + 1, count + 1])
      expect(parseReason(states.at(-1))).toBe(reason)
      expect(states.at(-1)).toMatch(minutes === 1 ? /\b(?:a|1) minute\b/ : /\b(?:ten|10) minutes\b/)
      pass(minutes * 60_000 - 1)
      expect(planned.size).toBe(1)
      pass(1)
      expect(planned.size).toBe(0)
    }
  },
)

test('all streams with a rejected login share one retry; a corrected login is tried immediately', async () => {
  const server = await switchOn({ stream: STREAM, credentials: CREDENTIALS })
  const tries = () => server.asked.filter((method) => method === 'DESCRIBE with credentials').length
  const { later, pass } = movedClock()
  const shared = { later, logins: new RefusedLogins(), openings: new ConnectQueue(1, 600_000) }
  const [main, sub] = [watch(server.url('me:wrong'), shared), watch(server.url('me:wrong'), shared)]
  await vi.waitUntil(() => main.states.length + sub.states.length === 2, patience)
  expect(sub.states.map(parseReason)).toEqual(['wrong login'])
  expect(sub.states[0]).toMatch(/\b(?:a|1) minute\b/)
  expect(tries()).toBe(1)
  pass(60_000)
  await vi.waitUntil(() => main.states.length + sub.states.length === 4, patience)
  expect(tries()).toBe(2)
  const corrected = watch(server.url('me:right'), shared)
  await vi.waitUntil(() => corrected.states.includes('live'), patience)
  expect(tries()).toBe(3)
})

test('a stream that a login may not watch delays no other stream of the camera', async () => {
  const forbidden = { stream: STREAM, credentials: CREDENTIALS, forbids: '/stream' }
  const server = await switchOn(forbidden)
  const shared = own()
  const { states } = watch(server.url('me:right'), shared)
  await vi.waitUntil(() => states.length === 1, patience)
  const other = watch(`${server.url('me:right')}2`, shared)
  await vi.waitUntil(() => other.states.includes('live'), patience)
  expect(other.states).toEqual(['live'])
})

test('a camera that requires a login missing from its address is retried at the usual interval', async () => {
  const server = await switchOn({ stream: STREAM, credentials: CREDENTIALS })
  const { states } = watch(server.url(), own())
  await vi.waitUntil(() => states.length > 2, patience)
  expect(new Set(states.map(parseReason))).toEqual(new Set(['no login']))
})

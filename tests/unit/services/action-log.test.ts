import { beforeEach, expect, test } from 'vitest'
import { appendToLog, readActionLog, type LogStorage } from '../../../src/services/action-log.ts'
import { createLoggedFetch, type LoggedRequest } from '../../../src/services/logged-fetch.ts'

let storedLog: string | null = null
let otherBytes = 0
const logStorage: LogStorage = {
  read: () => storedLog,
  write: (next) => (storedLog = next),
  bytes: () => otherBytes + 2 * (storedLog?.length ?? 0),
}
const createExchange = (url: string, payload?: string): LoggedRequest => ({
  at: 0,
  method: 'GET',
  url,
  status: 200,
  ms: 5,
  ...(payload === undefined ? {} : { payload }),
})
const listLoggedUrls = () => readActionLog(logStorage).map(({ url }) => url)

beforeEach(() => {
  storedLog = null
  otherBytes = 0
})

test('LOG-01 every request is logged with time, method, status, duration and payload', async () => {
  const logged: LoggedRequest[] = []
  let now = 1000
  const fetcher = createLoggedFetch(
    () => {
      now += 40
      return Promise.resolve(new Response(null, { status: 204, headers: { request_id: 'r1' } }))
    },
    (entry) => logged.push(entry),
    () => now,
  )
  await fetcher('/api/a', { method: 'POST', body: '{"x":1}' })
  expect(logged).toEqual([
    { at: 1000, method: 'POST', url: '/api/a', status: 204, ms: 40, requestId: 'r1', payload: '{"x":1}' },
  ])
})

test('a failed request is logged with status 0 and still fails', async () => {
  const logged: LoggedRequest[] = []
  const fetcher = createLoggedFetch(
    () => Promise.reject(new TypeError('Failed to fetch')),
    (entry) => logged.push(entry),
  )
  await expect(fetcher('/api/a')).rejects.toThrow('Failed to fetch')
  expect(logged).toMatchObject([{ status: 0, method: 'GET' }])
})

test('LOG-02 CONST-20 the 201st entry removes the oldest', () => {
  for (let at = 1; at <= 201; at++) appendToLog(logStorage, [createExchange(`/${at}`)])
  expect(listLoggedUrls()).toHaveLength(200)
  expect([listLoggedUrls()[0], listLoggedUrls().at(-1)]).toEqual(['/2', '/201'])
})

test('LOG-03 LOG-12 the 20 oldest entries are removed repeatedly while storage exceeds 3 MB', () => {
  for (let at = 1; at <= 100; at++)
    appendToLog(logStorage, [createExchange(`/${at}`, JSON.stringify({ text: 'x'.repeat(900) }))])
  otherBytes = 3 * 1024 * 1024 - logStorage.bytes() + 1000
  appendToLog(logStorage, [createExchange('/101')])
  expect(listLoggedUrls()).toHaveLength(81)
  expect(listLoggedUrls()[0]).toBe('/21')
  otherBytes = 3 * 1024 * 1024 - 30_000
  appendToLog(logStorage, [createExchange('/102')])
  expect(logStorage.bytes()).toBeLessThanOrEqual(3 * 1024 * 1024)
  expect(listLoggedUrls().at(-1)).toBe('/102')
})

test('LOG-10 LOG-11 upload and feedback URLs are not logged', () => {
  appendToLog(logStorage, [
    createExchange('/api/p/replays/upload/1'),
    createExchange('/api/p/ai-feedback/events/1/feedback'),
    createExchange('/ok'),
  ])
  expect(listLoggedUrls()).toEqual(['/ok'])
})

test('secrets in a payload are masked before it is truncated', () => {
  const payload = JSON.stringify({ access_token: 'canary', filler: 'x'.repeat(5000), password: 'canary' })
  appendToLog(logStorage, [createExchange('/a', payload)])
  expect(storedLog).not.toContain('canary')
  expect(storedLog?.length).toBeLessThan(4500)
})

test('a corrupt log is replaced by a new one', () => {
  storedLog = '{broken'
  appendToLog(logStorage, [createExchange('/a')])
  expect(listLoggedUrls()).toEqual(['/a'])
})

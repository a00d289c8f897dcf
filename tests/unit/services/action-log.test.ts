import { beforeEach, expect, test } from 'vitest'
import { appendToLog, readActionLog, type LogPlace } from '../../../src/services/action-log.ts'
import { loggedFetch, type Exchange } from '../../../src/services/logged-fetch.ts'

let text: string | null = null
let others = 0
const place: LogPlace = {
  read: () => text,
  write: (next) => (text = next),
  bytes: () => others + 2 * (text?.length ?? 0),
}
const exchange = (url: string, payload?: string): Exchange => ({
  at: 0,
  method: 'GET',
  url,
  status: 200,
  ms: 5,
  ...(payload === undefined ? {} : { payload }),
})
const urls = () => readActionLog(place).map(({ url }) => url)

beforeEach(() => {
  text = null
  others = 0
})

test('LOG-01 every request is logged with time, method, status, duration and payload', async () => {
  const noted: Exchange[] = []
  let now = 1000
  const fetcher = loggedFetch(
    () => {
      now += 40
      return Promise.resolve(new Response(null, { status: 204, headers: { request_id: 'r1' } }))
    },
    (entry) => noted.push(entry),
    () => now,
  )
  await fetcher('/api/a', { method: 'POST', body: '{"x":1}' })
  expect(noted).toEqual([
    { at: 1000, method: 'POST', url: '/api/a', status: 204, ms: 40, requestId: 'r1', payload: '{"x":1}' },
  ])
})

test('a failed request is logged with status 0 and still fails', async () => {
  const noted: Exchange[] = []
  const fetcher = loggedFetch(
    () => Promise.reject(new TypeError('Failed to fetch')),
    (entry) => noted.push(entry),
  )
  await expect(fetcher('/api/a')).rejects.toThrow('Failed to fetch')
  expect(noted).toMatchObject([{ status: 0, method: 'GET' }])
})

test('LOG-02 CONST-20 the 201st entry removes the oldest', () => {
  for (let at = 1; at <= 201; at++) appendToLog(place, [exchange(`/${at}`)])
  expect(urls()).toHaveLength(200)
  expect([urls()[0], urls().at(-1)]).toEqual(['/2', '/201'])
})

test('LOG-03 LOG-12 the 20 oldest entries are removed repeatedly while storage exceeds 3 MB', () => {
  for (let at = 1; at <= 100; at++) appendToLog(place, [exchange(`/${at}`, JSON.stringify({ text: 'x'.repeat(900) }))])
  others = 3 * 1024 * 1024 - place.bytes() + 1000
  appendToLog(place, [exchange('/101')])
  expect(urls()).toHaveLength(81)
  expect(urls()[0]).toBe('/21')
  others = 3 * 1024 * 1024 - 30_000
  appendToLog(place, [exchange('/102')])
  expect(place.bytes()).toBeLessThanOrEqual(3 * 1024 * 1024)
  expect(urls().at(-1)).toBe('/102')
})

test('LOG-10 LOG-11 upload and feedback URLs are not logged', () => {
  appendToLog(place, [
    exchange('/api/p/replays/upload/1'),
    exchange('/api/p/ai-feedback/events/1/feedback'),
    exchange('/ok'),
  ])
  expect(urls()).toEqual(['/ok'])
})

test('secrets in a payload are masked before it is truncated', () => {
  const payload = JSON.stringify({ access_token: 'canary', filler: 'x'.repeat(5000), password: 'canary' })
  appendToLog(place, [exchange('/a', payload)])
  expect(text).not.toContain('canary')
  expect(text?.length).toBeLessThan(4500)
})

test('a corrupt log is replaced by a new one', () => {
  text = '{broken'
  appendToLog(place, [exchange('/a')])
  expect(urls()).toEqual(['/a'])
})

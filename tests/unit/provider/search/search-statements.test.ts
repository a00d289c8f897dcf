import type { SqlStorage } from '@cloudflare/workers-types'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { HOUR_MS, MINUTE_MS } from '../../../../contract/time-units.ts'
import { insertEvent } from '../../../../provider/events/event-rows.ts'
import { searchHome } from '../../../../provider/search/search-pipeline.ts'
import { openHomeSql } from '../../../support/home-sql.ts'
import { createBridgeEvent } from '../../../support/home.ts'

const FIRST_EVENT_MS = 1_790_000_000_000
const EVENT_COUNT = 20_000
const NOW = FIRST_EVENT_MS + EVENT_COUNT * MINUTE_MS
const CAMERAS = ['door', 'yard', 'hall'].map((device_id) => ({ device_id, name: device_id }))
const VIEW = [{ devices: CAMERAS.map(({ device_id }) => device_id), since: FIRST_EVENT_MS, free: false }]

const { sql, transaction } = openHomeSql()
const statements: { readonly text: string; readonly values: readonly unknown[]; readonly rows: number }[] = []
const countingSql = {
  exec: (text: string, ...values: (string | number | null)[]) => {
    const rows = sql.exec(text, ...values).toArray()
    statements.push({ text, values, rows: rows.length })
    return { toArray: () => rows, one: () => rows[0] }
  },
} as unknown as SqlStorage

const insertText = (n: number, event_ts: number, text: string) =>
  insertEvent(
    sql,
    createBridgeEvent(CAMERAS[n % 3]?.device_id ?? '', `e${n}`, { event_ts, moments: [{ at_s: 0, text }] }),
  )

beforeAll(() => {
  transaction(() => {
    for (let n = 0; n < EVENT_COUNT; n++)
      insertText(
        n,
        FIRST_EVENT_MS + n * MINUTE_MS,
        n % 8 === 0 ? `A black cat and a dog, ${n}.` : n % 2 === 0 ? 'A dog.' : 'Rain.',
      )
  })
})

const runSearch = async (query: string, range = { start: FIRST_EVENT_MS, end: NOW }) => {
  statements.length = 0
  return searchHome(countingSql, CAMERAS, { query, devices: [], tags: [], ...range, now: NOW }, VIEW)
}
const listStatements = (part: string) => statements.filter(({ text }) => text.includes(part))
const sumRows = () => statements.reduce((sum, { rows }) => sum + rows, 0)

beforeEach(() => runSearch('cat and dog'))

test('a search runs at most 19 statements and returns at most 300 rows', async () => {
  const { found, total } = await runSearch('cat and dog')
  expect([found.length, total]).toEqual([50, 500])
  expect(statements.length).toBeLessThanOrEqual(19)
  // 200 compared texts, 50 descriptions, and single rows.
  expect(sumRows()).toBeLessThanOrEqual(300)
})

test('a search reads the matches of each word once to find rare words, and once per later slice', async () => {
  await runSearch('cat and dog')
  const slices = listStatements('OFFSET').length
  expect(slices).toBe(2)
  expect(listStatements('ORDER BY rowid DESC LIMIT').length).toBeLessThanOrEqual(2 * slices)
})

test('a search reads the text of an event once, even if it compares its sentences twice', async () => {
  expect((await runSearch('black cat')).found).toHaveLength(50)
  expect(listStatements('AS these CROSS JOIN events')).toHaveLength(1)
})

test('only the returned matches are explained', async () => {
  const { found } = await runSearch('cat and dog')
  const ids = found.map(({ match }) => match.event.event_id)
  const explained = listStatements('moment_times').map(({ values }) => JSON.parse(String(values[0])) as string[])
  expect(explained).toEqual([ids])
  await runSearch('zebra')
  expect(listStatements('moment_times')).toEqual([])
})

test('coverage counts all cameras in one statement, and a range until now needs no event', async () => {
  const { coverage } = await runSearch('cat and dog')
  expect(coverage.clips).toBe(EVENT_COUNT)
  expect(listStatements('event_days')).toHaveLength(1)
  const middle = { start: FIRST_EVENT_MS + 30 * HOUR_MS, end: FIRST_EVENT_MS + 90 * HOUR_MS }
  expect((await runSearch('cat and dog', middle)).coverage.clips).toBe(60 * 60 + 1)
})

test('a search skips words that no event contains, until an event contains them', async () => {
  const listIndexQueries = () => listStatements('ORDER BY rowid DESC LIMIT').map(({ values }) => String(values[0]))
  expect((await runSearch('cat')).total).toBe(500)
  expect(listIndexQueries().every((match) => match.includes('"cat"') && !match.includes('"kitten"'))).toBe(true)
  expect(listStatements('EXISTS (SELECT 1 FROM search_index')).toEqual([])
  insertText(EVENT_COUNT, NOW + MINUTE_MS, 'A kitten.')
  const { found } = await runSearch('cat', { start: FIRST_EVENT_MS, end: NOW + MINUTE_MS })
  expect(found.map(({ match }) => match.event.event_id)).toContain(`e${EVENT_COUNT}`)
})

test('a scan skips phrases that no event contains, until an event contains them', async () => {
  const range = { start: FIRST_EVENT_MS, end: NOW + HOUR_MS }
  insertText(EVENT_COUNT + 1, NOW + 2 * MINUTE_MS, 'Somebody watering plants in the garden.')
  await runSearch('watering the garden', range)
  expect(listStatements('AS docs0')).toEqual([])
  insertText(EVENT_COUNT + 2, NOW + 3 * MINUTE_MS, 'Watering the garden.')
  const { found } = await runSearch('watering the garden', range)
  expect(listStatements('AS docs0').length).toBeGreaterThan(0)
  expect(found.map(({ match }) => match.event.event_id)).toContain(`e${EVENT_COUNT + 2}`)
})

import { beforeAll, describe, expect, test } from 'vitest'
import { insertEvent } from '../../../../provider/events/event-rows.ts'
import { yieldToEventLoop } from '../../../../provider/platform/yield-to-event-loop.ts'
import { allPeople } from '../../../../provider/people/people-rows.ts'
import { recognizedEvent } from '../../../../provider/people/recognized.ts'
import { putRecognition } from '../../../../provider/people/recognition.ts'
import { namedPeople } from '../../../../provider/people/shown-names.ts'
import { findInHome } from '../../../../provider/search/search-pipeline.ts'
import { SCAN_ROWS_MAX, SLICE_MAX } from '../../../../provider/search/index/index-scan.ts'
import { vocabulary } from '../../../../provider/search/index/search-rows.ts'
import { suggestions } from '../../../../provider/search/suggestions.ts'
import { openSql } from '../../../support/home-sql.ts'
import { makeEvent } from '../../../support/home.ts'

const T = 1_790_000_000_000
const EVENTS = 30_000
const CAMERAS = [{ device_id: 'cam', name: 'Hall' }]
const VIEW = [{ devices: ['cam'], since: 0, free: false }]
const RANGE = { devices: [], tags: [], start: 0, end: 2 * T }
/** Common words: each event except the first has five of them; none has six. */
const TEN = ['courier', 'dog', 'fox', 'car', 'bike', 'moon', 'torch', 'sofa', 'water', 'gate']
/**
 * Rare words. Every fourth of the oldest 3,000 events contains one of these words, so each word occurs in 250 events.
 */
const RARE = ['otter', 'badger', 'heron']
const { sql, transaction } = openSql()

beforeAll(() => {
  putRecognition(sql, { is_on: 1, guests: 0, takes_names: 1 })
  transaction(() => {
    for (let n = 0; n < EVENTS; n++) {
      const words = TEN.filter((_, i) => (i + n) % 10 < 5).join(' ')
      const rare = n < 3000 && n % 4 === 0 ? RARE[(n / 4) % 3] : ''
      const text = n === 0 ? 'An ocelot and a dog.' : `${words} ${rare}`
      const title = n < 100 ? 'Long ago' : 'A visit'
      const event_values = n === 5 ? ['Maya'] : n % 100 === 0 ? ['Sam'] : []
      const event = makeEvent('cam', `e${n}`, { event_ts: T + n, title, event_values, moments: [{ at_s: 0, text }] })
      insertEvent(sql, recognizedEvent(sql, event, false, T))
    }
  })
})

const runSearch = (query: string, budget = { left: SCAN_ROWS_MAX, slices: 0 }, end = RANGE.end) =>
  findInHome(sql, CAMERAS, { ...RANGE, query, end }, VIEW, { budget })

describe('search for common words', () => {
  test('reads a bounded number of rows and reports the time from which it compared all', async () => {
    const budget = { left: SCAN_ROWS_MAX, slices: 0 }
    const { found, coverage } = await runSearch(TEN.join(' '), budget)
    const all = TEN.map((word) => sql.exec<{ n: number }>('SELECT count(*) AS n FROM search_index(?)', word).one().n)
    expect(all.reduce((sum, n) => sum + n, 0)).toBeGreaterThan(SCAN_ROWS_MAX + SLICE_MAX)
    expect(SCAN_ROWS_MAX - budget.left).toBeLessThan(SCAN_ROWS_MAX + SLICE_MAX)
    expect(budget.slices).toBeGreaterThan(2)
    const { clips, searched, left_out } = coverage
    expect([found.length, clips]).toEqual([0, EVENTS])
    expect(left_out).toEqual({ before: T + EVENTS - searched, clips: EVENTS - searched })
    expect(searched).toBeLessThan(EVENTS / 2)
  })

  test('yields to the event loop between slices', async () => {
    const budget = { left: SCAN_ROWS_MAX, slices: 0 }
    let [isOver, between] = [false, 0]
    const search = runSearch(TEN.join(' '), budget).then(() => (isOver = true))
    for (; !isOver; between++) await yieldToEventLoop()
    await search
    expect(between).toBeGreaterThanOrEqual(budget.slices - 2)
  })

  test('finds rare matches of any age and reports no omitted clips when it has enough', async () => {
    const { found, coverage } = await runSearch('dog ocelot')
    expect(found[0]).toMatchObject({ match: { event: { event_id: 'e0' }, strength: 'strong' } })
    expect(coverage).not.toHaveProperty('left_out')
  })

  test('shows near misses among the newest events', async () => {
    const { closest } = await runSearch(TEN.join(' '))
    expect(closest).toHaveLength(8)
    expect(closest.every(({ match }) => match.event.event_ts > T + EVENTS / 2)).toBe(true)
  })
})

describe('search for many rare words', () => {
  test('finds no event with only one of them and reports that everything was searched', async () => {
    const { found, closest, coverage } = await runSearch(`${RARE.join(' ')} dog car`)
    expect(found).toEqual([])
    expect(coverage).not.toHaveProperty('left_out')
    // 750 events contain one of the rare words. The search compares only the 600 newest of them.
    expect(closest).toHaveLength(8)
    expect(closest.every(({ match }) => match.event.event_ts > T + 596)).toBe(true)
  })

  test('does not report events that it reached through common words as omitted', async () => {
    const { coverage } = await runSearch('otter or dog or car', { left: 10_000_000, slices: 0 })
    expect(coverage).not.toHaveProperty('left_out')
  })
})

describe('multi-word phrase', () => {
  // A search for a courier also searches for the phrase `mail carrier`.
  test('charges the scan budget for all events newer than its range, which the index scans', async () => {
    const budget = { left: SCAN_ROWS_MAX, slices: 0 }
    const { coverage } = await runSearch('courier', budget, T + 999)
    expect(budget.slices).toBe(1)
    expect(SCAN_ROWS_MAX - budget.left).toBeGreaterThan((EVENTS - 1000) / 20 + 1000)
    expect(coverage).not.toHaveProperty('left_out')
  })

  test('is left out and reported if too many newer events exceed the scan budget', async () => {
    const { found, coverage } = await runSearch('courier', { left: 5000, slices: 0 }, T + 9999)
    expect(found.length).toBeGreaterThan(0)
    expect(coverage.left_out).toEqual({ before: T + 10_000, clips: 10_000 })
    expect((await runSearch('gate', { left: 5000, slices: 0 }, T + 1999)).coverage).not.toHaveProperty('left_out')
  })
})

test('words with a common prefix are read one by one, regardless of their number of events', () => {
  let rows = 0
  const counting = {
    exec: (...args: Parameters<typeof sql.exec>) => {
      const answer = sql.exec(...args).toArray()
      rows += answer.length
      return { toArray: () => answer }
    },
  } as unknown as typeof sql
  expect(vocabulary(counting, 'd')).toEqual(['dog'])
  expect(rows).toBe(1)
})

test('search suggestions come from the newest events and count up to five hundred matches', async () => {
  const suggested = await suggestions(sql, CAMERAS, { start: 0, end: 2 * T }, VIEW, namedPeople(allPeople(sql)))
  expect(suggested).toEqual([
    { query: 'Sam', found: 300 },
    { query: 'A visit', found: 500 },
  ])
})

import { beforeAll, describe, expect, test } from 'vitest'
import { insertEvent } from '../../../../provider/events/event-rows.ts'
import { yieldToEventLoop } from '../../../../provider/platform/yield-to-event-loop.ts'
import { listPeople } from '../../../../provider/people/people-rows.ts'
import { recognizeEvent } from '../../../../provider/people/recognize-event.ts'
import { storeRecognition } from '../../../../provider/people/recognition.ts'
import { toNamedPeople } from '../../../../provider/people/shown-names.ts'
import { searchHome } from '../../../../provider/search/search-pipeline.ts'
import { SCAN_ENTRIES_MAX, SLICE_ENTRIES_MAX } from '../../../../provider/search/index/index-scan.ts'
import { listIndexedStems } from '../../../../provider/search/index/search-rows.ts'
import { suggestSearches } from '../../../../provider/search/suggestions.ts'
import { openHomeSql } from '../../../support/home-sql.ts'
import { createBridgeEvent } from '../../../support/home.ts'

const FIRST_EVENT_MS = 1_790_000_000_000
const EVENT_COUNT = 30_000
const CAMERAS = [{ device_id: 'cam', name: 'Hall' }]
const VIEW = [{ devices: ['cam'], since: 0, free: false }]
const RANGE = { devices: [], tags: [], start: 0, end: 2 * FIRST_EVENT_MS }
/** Common words. Each event except the first contains exactly five of them. */
const COMMON_WORDS = ['courier', 'dog', 'fox', 'car', 'bike', 'moon', 'torch', 'sofa', 'water', 'gate']
/**
 * Rare words. Every fourth of the oldest 3,000 events, except the first event, contains one of these words. Each word
 * occurs in 249 or 250 events.
 */
const RARE_WORDS = ['otter', 'badger', 'heron']
const { sql, transaction } = openHomeSql()

beforeAll(() => {
  storeRecognition(sql, { is_on: 1, guests: 0, takes_names: 1 })
  transaction(() => {
    for (let n = 0; n < EVENT_COUNT; n++) {
      const words = COMMON_WORDS.filter((_, i) => (i + n) % 10 < 5).join(' ')
      const rare = n < 3000 && n % 4 === 0 ? RARE_WORDS[(n / 4) % 3] : ''
      const text = n === 0 ? 'An ocelot and a dog.' : `${words} ${rare}`
      const title = n < 100 ? 'Long ago' : 'A visit'
      const event_values = n === 5 ? ['Maya'] : n % 100 === 0 ? ['Sam'] : []
      const event = createBridgeEvent('cam', `e${n}`, {
        event_ts: FIRST_EVENT_MS + n,
        title,
        event_values,
        moments: [{ at_s: 0, text }],
      })
      insertEvent(sql, recognizeEvent(sql, event, false, FIRST_EVENT_MS))
    }
  })
})

const runSearch = (query: string, budget = { left: SCAN_ENTRIES_MAX, slices: 0 }, end = RANGE.end) =>
  searchHome(sql, CAMERAS, { ...RANGE, query, end }, VIEW, { budget })

describe('search for common words', () => {
  test('reads a bounded number of rows and reports the time from which it compared all', async () => {
    const budget = { left: SCAN_ENTRIES_MAX, slices: 0 }
    const { found, coverage } = await runSearch(COMMON_WORDS.join(' '), budget)
    const all = COMMON_WORDS.map(
      (word) => sql.exec<{ n: number }>('SELECT count(*) AS n FROM search_index(?)', word).one().n,
    )
    expect(all.reduce((sum, n) => sum + n, 0)).toBeGreaterThan(SCAN_ENTRIES_MAX + SLICE_ENTRIES_MAX)
    expect(SCAN_ENTRIES_MAX - budget.left).toBeLessThan(SCAN_ENTRIES_MAX + SLICE_ENTRIES_MAX)
    expect(budget.slices).toBeGreaterThan(2)
    const { clips, searched, left_out } = coverage
    expect([found.length, clips]).toEqual([0, EVENT_COUNT])
    expect(left_out).toEqual({ before: FIRST_EVENT_MS + EVENT_COUNT - searched, clips: EVENT_COUNT - searched })
    expect(searched).toBeLessThan(EVENT_COUNT / 2)
  })

  test('yields to the event loop between slices', async () => {
    const budget = { left: SCAN_ENTRIES_MAX, slices: 0 }
    let [isOver, yieldCount] = [false, 0]
    const search = runSearch(COMMON_WORDS.join(' '), budget).then(() => (isOver = true))
    for (; !isOver; yieldCount++) await yieldToEventLoop()
    await search
    expect(yieldCount).toBeGreaterThanOrEqual(budget.slices - 2)
  })

  test('finds rare matches of any age and reports no omitted clips when it has enough', async () => {
    const { found, coverage } = await runSearch('dog ocelot')
    expect(found[0]).toMatchObject({ match: { event: { event_id: 'e0' }, strength: 'strong' } })
    expect(coverage).not.toHaveProperty('left_out')
  })

  test('shows near misses among the newest events', async () => {
    const { closest } = await runSearch(COMMON_WORDS.join(' '))
    expect(closest).toHaveLength(8)
    expect(closest.every(({ match }) => match.event.event_ts > FIRST_EVENT_MS + EVENT_COUNT / 2)).toBe(true)
  })
})

describe('search for a word of every eighth event', () => {
  const EVENTS = 12_000
  const home = openHomeSql()
  const getFillerCount = (n: number) => (n / 8) % 5
  beforeAll(() => {
    home.transaction(() => {
      for (let n = 0; n < EVENTS; n++) {
        const text = n % 8 === 0 ? `gull ${'sand '.repeat(getFillerCount(n))}` : 'sand'
        const event = { event_ts: FIRST_EVENT_MS + n, moments: [{ at_s: 0, text }] }
        insertEvent(home.sql, createBridgeEvent('cam', `e${n}`, event))
      }
    })
  })
  const countAndSearch = async (view: typeof VIEW) => {
    const budget = { left: SCAN_ENTRIES_MAX, slices: 0 }
    const query = { ...RANGE, query: 'gull', end: FIRST_EVENT_MS + EVENTS }
    const { found, total, coverage } = await searchHome(home.sql, CAMERAS, query, view, { budget })
    return { ids: found.map(({ match }) => match.event.event_id), total, coverage, budget }
  }

  test('reads only as many events as it needs, and ranks the same events', async () => {
    const { ids, total, coverage, budget } = await countAndSearch(VIEW)
    const newest = Array.from({ length: 200 }, (_, i) => EVENTS - 8 * (i + 1))
    const shortestTexts = newest.toSorted((a, b) => getFillerCount(a) - getFillerCount(b) || b - a)
    expect(ids).toEqual(shortestTexts.slice(0, 50).map((n) => `e${n}`))
    expect([total, budget.slices]).toEqual([500, 2])
    expect(coverage).not.toHaveProperty('left_out')
    // 250 of the 2,000 events in the first slice match, so 2,500 further events are expected to contain 250 more.
    // With 8,000 further events, the scan would cost 3,330 entries.
    expect(SCAN_ENTRIES_MAX - budget.left).toBe(562 + 2 * 1040)
  })

  test('finds the same events if it must check which of them are visible', async () => {
    const split = [
      { devices: ['cam'], since: 0, free: false },
      { devices: ['yard'], since: FIRST_EVENT_MS + 1, free: false },
    ]
    const { budget: _budget, ...all } = await countAndSearch(VIEW)
    expect(await countAndSearch(split)).toMatchObject(all)
    const sinceHour = [{ devices: ['cam'], since: FIRST_EVENT_MS + EVENTS - 800, free: false }]
    expect((await countAndSearch([...sinceHour, { devices: ['yard'], since: 0, free: false }])).total).toBe(100)
    expect((await countAndSearch(sinceHour)).total).toBe(100)
  })
})

describe('search for many rare words', () => {
  test('finds no event with only one of them and reports that everything was searched', async () => {
    const { found, closest, coverage } = await runSearch(`${RARE_WORDS.join(' ')} dog car`)
    expect(found).toEqual([])
    expect(coverage).not.toHaveProperty('left_out')
    // 749 events contain one of the rare words. The search compares only the 600 newest of them.
    expect(closest).toHaveLength(8)
    expect(closest.every(({ match }) => match.event.event_ts > FIRST_EVENT_MS + 596)).toBe(true)
  })

  test('does not report events that it reached through common words as omitted', async () => {
    const { coverage } = await runSearch('otter or dog or car', { left: 10_000_000, slices: 0 })
    expect(coverage).not.toHaveProperty('left_out')
  })
})

describe('multi-word phrase', () => {
  // A search for a courier also searches for the phrase `mail carrier`.
  test('charges the scan budget for all events newer than its range, which the index scans', async () => {
    const budget = { left: SCAN_ENTRIES_MAX, slices: 0 }
    const { coverage } = await runSearch('courier', budget, FIRST_EVENT_MS + 999)
    expect(budget.slices).toBe(1)
    expect(SCAN_ENTRIES_MAX - budget.left).toBeGreaterThan((EVENT_COUNT - 1000) / 20 + 1000)
    expect(coverage).not.toHaveProperty('left_out')
  })

  test('is left out and reported if too many newer events exceed the scan budget', async () => {
    const { found, coverage } = await runSearch('courier', { left: 5000, slices: 0 }, FIRST_EVENT_MS + 9999)
    expect(found.length).toBeGreaterThan(0)
    expect(coverage.left_out).toEqual({ before: FIRST_EVENT_MS + 10_000, clips: 10_000 })
    expect((await runSearch('gate', { left: 5000, slices: 0 }, FIRST_EVENT_MS + 1999)).coverage).not.toHaveProperty(
      'left_out',
    )
  })
})

test('words with a common prefix are read one by one, regardless of their number of events', () => {
  let rows = 0
  const countingSql = {
    exec: (...args: Parameters<typeof sql.exec>) => {
      const answer = sql.exec(...args).toArray()
      rows += answer.length
      return { toArray: () => answer }
    },
  } as unknown as typeof sql
  expect(listIndexedStems(countingSql, 'd')).toEqual(['dog'])
  expect(rows).toBe(1)
})

test('search suggestions come from the newest events and count up to five hundred matches', async () => {
  const people = toNamedPeople(listPeople(sql))
  // A default name says nothing, so it is not suggested.
  const unnamed = people.map(({ tokens }) => ({ name: 'Person 7', tokens }))
  const range = { start: 0, end: 2 * FIRST_EVENT_MS }
  const suggested = await suggestSearches(sql, CAMERAS, range, VIEW, [...people, ...unnamed])
  expect(suggested).toEqual([
    { query: 'Sam', found: 300 },
    { query: 'A visit', found: 500 },
  ])
})

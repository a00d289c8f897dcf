import { beforeAll, expect, test } from 'vitest'
import { EVENT_SPAN_MAX_MS } from '../../../../../contract/events/events.ts'
import { DAY_MS } from '../../../../../contract/time-units.ts'
import { insertEvent } from '../../../../../provider/events/event-rows.ts'
import {
  countEventsFrom,
  findNewestOffsetsStart,
  getOffsetTime,
  listNewestOffsets,
  toOffsetRange,
} from '../../../../../provider/search/index/document-offsets.ts'
import { searchHome } from '../../../../../provider/search/search-pipeline.ts'
import { openHomeSql } from '../../../../support/home-sql.ts'
import { createBridgeEvent } from '../../../../support/home.ts'

const START = 1_790_000_000_000
const END = START + EVENT_SPAN_MAX_MS
const EVENT_TIMES = [START - 40 * DAY_MS, START - 1, START, START, START, START + 1, END - 1, END, END, END + 1]
const { sql, transaction } = openHomeSql()

beforeAll(() => {
  transaction(() => {
    for (const [n, event_ts] of EVENT_TIMES.entries())
      insertEvent(sql, createBridgeEvent('door', `e${n}`, { event_ts, moments: [{ at_s: 0, text: 'A dog.' }] }))
  })
})

test('each event in the longest range of a call has its own offset, also events in the same millisecond', () => {
  const range = toOffsetRange(sql, { start: START, end: END })
  const offsets = listNewestOffsets(sql, '"dog"', range, 100)
  expect(new Set(offsets).size).toBe(7)
  expect(offsets).toEqual(offsets.toSorted((a, b) => b - a))
  expect(offsets.every(Number.isSafeInteger)).toBe(true)
  expect(offsets.map((offset) => getOffsetTime(range, offset))).toEqual(EVENT_TIMES.slice(2, 9).reverse())
})

test('a part of a range has the same offsets', () => {
  const range = toOffsetRange(sql, { start: START, end: END })
  const offsets = listNewestOffsets(sql, '"dog"', range, 100)
  const edge = findNewestOffsetsStart(sql, range, 3)
  expect(edge).toEqual({ doc: offsets[2], event_ts: END - 1 })
  const before = edge?.doc ?? 0
  expect(listNewestOffsets(sql, '"dog"', { ...range, before }, 100)).toEqual(offsets.slice(3))
  expect(listNewestOffsets(sql, '"dog"', { ...range, from: before }, 100)).toEqual(offsets.slice(0, 3))
  expect(findNewestOffsetsStart(sql, range, 8)).toBeNull()
  expect([countEventsFrom(sql, range, 10), countEventsFrom(sql, { ...range, before }, 2)]).toEqual([1, 3])
})

test('a range in which offsets would not be exact ends at its newest event, and has at least 98 days', async () => {
  const range = toOffsetRange(sql, { start: 0, end: 9_000_000_000_000 })
  expect(range.before).toBeLessThanOrEqual(Number.MAX_SAFE_INTEGER)
  expect(getOffsetTime(range, range.before - 1)).toBe(END + 1)
  expect(range.baseMs).toBeLessThan(END - 98 * DAY_MS)
  const view = [{ devices: ['door'], since: 0, free: false }]
  const query = { query: 'dog', devices: [], tags: [], start: 0, end: 9_000_000_000_000 }
  const { found } = await searchHome(sql, [{ device_id: 'door', name: 'Door' }], query, view)
  expect(found.map(({ match }) => match.event.event_ts)).toEqual(EVENT_TIMES.slice(1).reverse())
})

test('a range without events is empty', () => {
  const { sql: empty } = openHomeSql()
  const ranges = [
    { start: 0, end: 9_000_000_000_000 },
    { start: START, end: START - 1 },
  ]
  for (const range of ranges) expect(listNewestOffsets(empty, '"dog"', toOffsetRange(empty, range), 10)).toEqual([])
})

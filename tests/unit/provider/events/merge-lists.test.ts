import { expect, test } from 'vitest'
import { mergeLists } from '../../../../provider/events/merge-lists.ts'

const list = (...times: number[]) => JSON.stringify(times.map((event_ts) => ({ event_id: `at_${event_ts}`, event_ts })))
const merged = (lists: readonly string[], count: number) =>
  (JSON.parse(mergeLists(lists, count)) as { event_ts: number }[]).map(({ event_ts }) => event_ts)

test('event lists of several homes merge into one, newest first, with at most the requested count', () => {
  const homes = [list(9, 5, 1), list(), list(8, 7, 2)]
  expect(merged(homes, 4)).toEqual([9, 8, 7, 5])
  expect(merged(homes, 100)).toEqual([9, 8, 7, 5, 2, 1])
  expect(merged([], 4)).toEqual([])
})

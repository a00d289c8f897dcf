import { expect, test } from 'vitest'
import { mergeEventLists } from '../../../../provider/events/event-list-handlers.ts'

const createList = (...times: number[]) =>
  JSON.stringify(times.map((event_ts) => ({ event_id: `at_${event_ts}`, event_ts })))
const mergeToTimes = (lists: readonly string[], count: number) =>
  (JSON.parse(mergeEventLists(lists, count)) as { event_ts: number }[]).map(({ event_ts }) => event_ts)

test('event lists of several homes merge into one, newest first, with at most the requested count', () => {
  const homes = [createList(9, 5, 1), createList(), createList(8, 7, 2)]
  expect(mergeToTimes(homes, 4)).toEqual([9, 8, 7, 5])
  expect(mergeToTimes(homes, 100)).toEqual([9, 8, 7, 5, 2, 1])
  expect(mergeToTimes([], 4)).toEqual([])
})

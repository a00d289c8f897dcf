import { expect, test } from 'vitest'
import { parseEvents } from '../../../src/stores/events/parse-events.ts'

const createEvent = (index: number) => ({
  event_id: `e${index}`,
  device_id: 'CAM1',
  event_ts: 1_800_000_000_000 - index,
  tags: ['4'],
  event_values: [],
  title: 'Motion',
  event_resources: [],
  reviewed: false,
})
const createEvents = (count: number) => Array.from({ length: count }, (_, index) => createEvent(index))

/** Returns the number of events that each task validates. */
async function countValidatedPerTask(count: number): Promise<number[]> {
  const counts = [0]
  const events = createEvents(count).map((event) =>
    Object.defineProperty({ ...event }, 'event_id', {
      enumerable: true,
      get: () => (counts.push((counts.pop() ?? 0) + 1), event.event_id),
    }),
  )
  await parseEvents(events, async () => void counts.push(0))
  return counts
}

test('no task validates more than 1,000 events, and the caller continues in a new task', async () => {
  const counts = await countValidatedPerTask(2500)
  expect(counts.map((count) => count > 0)).toEqual([false, true, true, true, false])
  const [, readsOfSlice = 0, , readsOfLastSlice] = counts
  expect(readsOfLastSlice).toBe(readsOfSlice / 2)
})

test('a short list stays in the task of its response', async () => {
  expect(await countValidatedPerTask(100)).toHaveLength(1)
})

test('all events are returned in order; one event that is not valid rejects the list', async () => {
  const events = createEvents(2500)
  expect(await parseEvents(events, async () => undefined)).toEqual(events)
  expect(await parseEvents([...events, { ...createEvent(1), event_ts: 'now' }], async () => undefined)).toBeNull()
})

import { expect, test } from 'vitest'
import { DEFAULT_FILTER, formatEventsQuery, parseEventsQuery } from '../../../../src/domain/events/event-url.ts'
import { type EventFilter, passesFilter } from '../../../../src/domain/events/event-filter.ts'
import { createFilterChips } from '../../../../src/domain/events/filter-chips.ts'

const CAMERA_NAMES = new Map([
  ['a', 'Driveway'],
  ['b', 'Street'],
])
const listChipLabels = (change: Partial<typeof DEFAULT_FILTER>) =>
  createFilterChips({ ...DEFAULT_FILTER, ...change }, CAMERA_NAMES).map(({ label }) => label)

test('each filter choice is a chip, and removing all chips restores the initial page', () => {
  const filter: EventFilter = {
    ...DEFAULT_FILTER,
    range: 60 as const,
    cameras: ['a'],
    kinds: ['motion' as const],
    tags: ['101' as const],
    people: ['Maya'],
    hour: 7,
    seen: false,
  }
  const chips = createFilterChips(filter, CAMERA_NAMES)
  expect(chips.map(({ label }) => label)).toEqual([
    '60 days',
    'Motion, Person',
    'Driveway',
    'Maya',
    '07:00 – 08:00',
    'Unseen',
  ])
  expect(chips.reduce((left, { without }) => ({ ...left, ...without }), filter)).toEqual(DEFAULT_FILTER)
  expect(listChipLabels({})).toEqual([])
  expect(listChipLabels({ cameras: ['a', 'b', 'gone'], hour: 23 })).toEqual(['Driveway and 2 more', '23:00 – 00:00'])
})

test('an hour of the day narrows the list and is part of the URL', () => {
  const filter = { ...DEFAULT_FILTER, hour: 7 }
  const event = {
    event_id: 'e',
    device_id: 'a',
    tags: [],
    event_values: [],
    title: '',
    event_resources: [],
    reviewed: false,
  }
  const at = (hour: number) => passesFilter({ ...event, event_ts: new Date(2026, 10, 20, hour, 30).getTime() }, filter)
  expect([6, 7, 8].map(at)).toEqual([false, true, false])
  expect(formatEventsQuery({ filter, open: null })).toBe('?hour=7')
  expect(parseEventsQuery('?hour=7').filter).toEqual(filter)
  expect(['24', '-1', '7.5', 'x', ''].map((hour) => parseEventsQuery(`?hour=${hour}`).filter.hour)).toEqual(
    Array(5).fill(null),
  )
})

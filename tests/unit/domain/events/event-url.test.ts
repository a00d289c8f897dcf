import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  updateEventsQuery,
  DEFAULT_FILTER,
  includesTime,
  type EventsPageState,
  formatEventsQuery,
  parseEventsQuery,
} from '../../../../src/domain/events/event-url.ts'

const parameterNames = fc.constantFrom(
  'days',
  'from',
  'to',
  'hours',
  'tags',
  'cameras',
  'person',
  'seen',
  'event',
  't',
  'search',
)
const days = fc.constantFrom('2026-11-01', '2026-11-07', '2026-11-20')
const hours = fc
  .tuple(fc.integer({ min: 0, max: 22 }), fc.integer({ min: 1, max: 23 }))
  .map(([a, b]) => (a < b ? ([a, b] as const) : ([0, 23] as const)))
const customRanges = fc.tuple(days, days, hours).map(([a, b, time]) => {
  const [start, end] = [a, b].toSorted() as [string, string]
  return { start, end, hours: start === end ? time : ([0, 23] as const) }
})
const pageStateArbitrary: fc.Arbitrary<EventsPageState> = fc.record({
  filter: fc.record({
    range: fc.oneof(fc.constantFrom(14 as const, 60 as const), customRanges),
    cameras: fc.uniqueArray(fc.constantFrom('CAM1', 'CAM_2', '3')),
    kinds: fc.uniqueArray(fc.constantFrom('motion' as const, 'sound' as const, 'face' as const)),
    tags: fc.uniqueArray(fc.constantFrom('101' as const, '800002' as const)),
    people: fc.uniqueArray(fc.constantFrom('Maya', 'Sam & Jo', 'Zoë, the neighbour')),
    hour: fc.constantFrom(null, 0, 7, 23),
    seen: fc.constantFrom(null, true, false),
  }),
  open: fc.option(fc.record({ eventId: fc.constantFrom('e-1', 'E_2'), deviceId: fc.constantFrom('', 'CAM1') })),
})

describe('URL of the events page', () => {
  test('parses back to the values that were written', () => {
    fc.assert(
      fc.property(
        pageStateArbitrary,
        (pageState) => void expect(parseEventsQuery(formatEventsQuery(pageState))).toEqual(pageState),
      ),
    )
  })

  test('holds the open search, its query and its order; an open clip overrides it', () => {
    const search = { filter: { ...DEFAULT_FILTER, cameras: ['CAM1'] }, open: null, search: 'person with a box' }
    const more: readonly EventsPageState[] = [
      { ...search, search: '' },
      { ...search, sort: 'newest' },
      { ...search, asWritten: true },
    ]
    for (const pageState of [search, ...more]) expect(parseEventsQuery(formatEventsQuery(pageState))).toEqual(pageState)
    expect(formatEventsQuery(search)).toBe('?cameras=CAM1&search=person+with+a+box')
    expect(formatEventsQuery({ ...search, asWritten: true })).toMatch(/&search=person\+with\+a\+box&as=written$/)
    expect(parseEventsQuery('?search=fox&sort=sideways')).toMatchObject({ search: 'fox' })
    expect(parseEventsQuery('?search=fox&sort=sideways')).not.toHaveProperty('sort')
    expect(parseEventsQuery('?event=e1&search=fox')).not.toHaveProperty('search')
  })

  test('replaces an earlier one, and keeps other parameters of the page', () => {
    const searches = fc.record({
      filter: pageStateArbitrary.map(({ filter }) => filter),
      open: fc.constant(null),
      search: fc.constantFrom('', 'a dog & a cat'),
      sort: fc.constantFrom('newest' as const, 'oldest' as const),
      asWritten: fc.constant(true as const),
    })
    const moments = pageStateArbitrary.map((pageState) => ({ ...pageState, moment: 1_795_000_000_000 }))
    const any = fc.oneof(pageStateArbitrary, searches, moments)
    fc.assert(
      fc.property(any, any, (before, after) => {
        expect(updateEventsQuery(formatEventsQuery(before), after)).toBe(formatEventsQuery(after))
      }),
    )
    fc.assert(
      fc.property(searches, searches, (before, after) => {
        const live = updateEventsQuery('?camera=CAM1&wall', before)
        expect(updateEventsQuery(live, after)).toBe(`?camera=CAM1&wall=${formatEventsQuery(after).replace('?', '&')}`)
        expect(parseEventsQuery(live)).toEqual(before)
        expect(updateEventsQuery(live, { filter: DEFAULT_FILTER, open: null })).toBe('?camera=CAM1&wall=')
      }),
    )
  })

  test('is empty for the default view of the page', () => {
    expect(formatEventsQuery({ filter: DEFAULT_FILTER, open: null })).toBe('')
  })

  test('ignores invalid parameters', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(parameterNames, fc.string())),
        (pairs) => void expect(parseEventsQuery(`?${new URLSearchParams(pairs)}`).filter.cameras).toBeInstanceOf(Array),
      ),
    )
    expect(
      parseEventsQuery('?days=15&from=2026-11-20&to=2026-11-01&tags=motion,smell&cameras=../x&event=<script>'),
    ).toEqual({
      filter: { ...DEFAULT_FILTER, kinds: ['motion'] },
      open: null,
    })
    expect(parseEventsQuery('?from=2026-11-20&to=2026-11-20&hours=10-9').filter.range).toMatchObject({
      hours: [0, 23],
    })
  })

  test('fixes the times of chosen days, while the last 14 days advance at midnight', () => {
    const [morning, night, after] = ['2026-11-20T09:00', '2026-11-20T23:59:59', '2026-11-21T00:00:01'].map((text) =>
      new Date(text).getTime(),
    ) as [number, number, number]
    const day = parseEventsQuery('?from=2026-11-20&to=2026-11-20').filter
    const hours = parseEventsQuery('?from=2026-11-20&to=2026-11-20&hours=9-12').filter
    expect([morning, night, after].map((time) => includesTime(day, time, after))).toEqual([true, true, false])
    expect([morning, night, after].map((time) => includesTime(hours, time, morning))).toEqual([true, false, false])
    expect([after - 14 * 86_400_000, night, after].map((time) => includesTime(DEFAULT_FILTER, time, after))).toEqual([
      false,
      true,
      true,
    ])
  })
})

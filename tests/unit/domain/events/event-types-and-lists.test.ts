import * as fc from 'fast-check'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { event, eventResource, type Event } from '../../../../contract/events/events.ts'
import { getClip, getReplayResourceType } from '../../../../src/domain/events/event-recording.ts'
import {
  groupByDay,
  markReviewed,
  mergeEvents,
  type SortOrder,
  sortEvents,
} from '../../../../src/domain/events/event-list.ts'
import { eventTags, hasKind, isFreeEvent, isFreeType } from '../../../../src/domain/events/event-types.ts'
import { listOfferedKinds } from '../../../../src/domain/events/offered-kinds.ts'

function createEvent(event_id: string, event_ts: number, more: Partial<Event> = {}): Event {
  return {
    event_id,
    device_id: 'CAM1',
    event_ts,
    tags: ['4'],
    event_values: [],
    title: 'Motion',
    event_resources: [],
    reviewed: false,
    ...more,
  }
}

const eventLists = fc.array(
  fc
    .record({ id: fc.integer({ min: 1, max: 40 }), ts: fc.integer({ min: 0, max: 9e12 }) })
    .map(({ id, ts }) => createEvent(`e${id}`, ts)),
)

describe('event sorting', () => {
  test('EVENT-17 orders objects by event_ts, ascending or descending', () => {
    const list = [{ event_ts: 2 }, { event_ts: 3 }, { event_ts: 1 }]
    expect(sortEvents(list, 'asc').map((item) => item.event_ts)).toEqual([1, 2, 3])
    expect(sortEvents(list, 'desc').map((item) => item.event_ts)).toEqual([3, 2, 1])
  })

  test('EVENT-17 keeps every event and does not change the input list', () => {
    fc.assert(
      fc.property(eventLists, fc.constantFrom<SortOrder>('asc', 'desc'), (list, order) => {
        const before = [...list]
        const sorted = sortEvents(list, order)
        expect(list).toEqual(before)
        expect(sorted).toHaveLength(list.length)
        expect(new Set(sorted)).toEqual(new Set(list))
        const sign = order === 'asc' ? 1 : -1
        expect(sorted.every((item, i) => i === 0 || sign * ((sorted[i - 1]?.event_ts ?? 0) - item.event_ts) <= 0)).toBe(
          true,
        )
      }),
    )
  })

  test.each([undefined, null, 'events', { length: 0 }])('EVENT-18 rejects %j, which is not an array', (value) => {
    expect(() => sortEvents(value as never, 'asc')).toThrow(new Error('Input must be an array.'))
  })

  test.each([[['1']], [[{ event_ts: '1' }]], [[null]], [[{ event_ts: NaN }]]])(
    'EVENT-19 rejects %j, which has no numeric event_ts',
    (list) => {
      expect(() => sortEvents(list as never, 'asc')).toThrow(new Error('Array must contain only numbers (timestamps).'))
    },
  )

  test.each(['ASC', 'up', undefined])('EVENT-20 rejects the order %j', (order) => {
    expect(() => sortEvents([], order as never)).toThrow(new Error('Order must be "asc" or "desc".'))
  })
})

describe('free and paid event types', () => {
  const FREE_TYPES = [
    '800001',
    '800002',
    '800003',
    '800005',
    '800006',
    '800007',
    '4',
    '5',
    '101',
    '102',
    '103',
    '104',
    '100285',
    '100286',
  ]

  test.each(FREE_TYPES)('EVENT-22 %s is free, as text and as a number', (id) => {
    expect([isFreeType(id), isFreeType(Number(id))]).toEqual([true, true])
  })

  test.each(['800004', '100', '105'])('EVENT-22 %s is not free', (id) => {
    expect(isFreeType(id)).toBe(false)
  })

  test('EVENT-23 an id of more than 7 digits is free; an id of 7 digits is not', () => {
    expect([isFreeType('1234567'), isFreeType('12345678'), isFreeType('longer than seven')]).toEqual([
      false,
      true,
      false,
    ])
  })

  test('EVENT-24 every other id of up to 7 digits is paid', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 9_999_999 }), (id) => isFreeType(id) === FREE_TYPES.includes(String(id))),
    )
  })

  test('an event is free if one of its types is free', () => {
    expect([isFreeEvent({ tags: ['12', '4'] }), isFreeEvent({ tags: ['12'] }), isFreeEvent({ tags: [] })]).toEqual([
      true,
      false,
      false,
    ])
  })

  test('the free view offers no face filter', () => {
    expect([listOfferedKinds(false), listOfferedKinds(true)]).toEqual([
      ['motion', 'sound'],
      ['motion', 'sound', 'face'],
    ])
  })
})

describe('event tags', () => {
  test('a specific tag replaces the general tag of its kind', () => {
    expect(eventTags({ tags: ['12', '4', '101', '5', '99'] }).map((tag) => tag.name)).toEqual([
      'Person',
      'Sound',
      'Face',
    ])
  })

  test('the filter keeps an event that has a tag of a chosen kind', () => {
    const dog = { tags: ['4', '103', '800002'] }
    expect([
      hasKind(dog, []),
      hasKind(dog, ['sound']),
      hasKind(dog, ['face']),
      hasKind(dog, ['face', 'motion']),
    ]).toEqual([true, true, false, true])
  })
})

describe('clip resources', () => {
  const resource = { begin_time: 1000, end_time: 19_000, resource_version: 1, resource_type: 's3' } as const

  test('EVENT-16 CLIP-02 an event requires id, camera, time, tags and resources; a resource requires times, version and type', () => {
    const whole = createEvent('e1', 1000, { event_resources: [resource] })
    expect(v.parse(event, whole)).toEqual(whole)
    for (const key of ['event_id', 'device_id', 'event_ts', 'tags', 'event_resources'] as const) {
      expect(v.safeParse(event, { ...whole, [key]: undefined }).success, key).toBe(false)
    }
    for (const key of Object.keys(resource)) {
      expect(v.safeParse(eventResource, { ...resource, [key]: undefined }).success, key).toBe(false)
    }
  })

  test('CLIP-03 a resource type is kvs, wvs or s3 and nothing else', () => {
    const accepted = ['kvs', 'wvs', 's3', 'mp4'].filter(
      (resource_type) => v.safeParse(eventResource, { ...resource, resource_type }).success,
    )
    expect(accepted).toEqual(['kvs', 'wvs', 's3'])
  })

  test('CLIP-06 wvs stays wvs, and s3 stays s3, in every version', () => {
    fc.assert(
      fc.property(
        fc.nat(20),
        fc.constantFrom('wvs' as const, 's3' as const),
        (resource_version, resource_type) =>
          getReplayResourceType({ resource_type, resource_version }) === resource_type,
      ),
    )
  })

  test.each([
    [4, 'kvs'],
    [5, 'wvs'],
    [6, 'wvs'],
    [7, 'kvs'],
  ])('CLIP-07 kvs of version %i is requested as %s', (resource_version, type) => {
    expect(getReplayResourceType({ resource_type: 'kvs', resource_version })).toBe(type)
  })

  test('a clip is as long as its resource, and an event without resources has no clip', () => {
    expect(getClip(createEvent('e1', 1, { event_resources: [resource] }))?.length).toBe(18_000)
    expect(getClip(createEvent('e1', 1))).toBeNull()
  })
})

describe('event list', () => {
  test('merging keeps each event once, prefers the fresh copy, and sorts newest first', () => {
    fc.assert(
      fc.property(eventLists, eventLists, (existing, fresh) => {
        const merged = mergeEvents(mergeEvents([], existing), fresh)
        expect(new Set(merged.map((item) => item.event_id)).size).toBe(merged.length)
        expect(merged.every((item, i) => i === 0 || (merged[i - 1]?.event_ts ?? 0) >= item.event_ts)).toBe(true)
        for (const item of fresh) expect(merged.some((other) => other.event_id === item.event_id)).toBe(true)
        expect(mergeEvents(merged, fresh)).toEqual(merged)
      }),
    )
  })

  test('groups by local day without losing or reordering an event', () => {
    fc.assert(
      fc.property(eventLists, (list) => {
        const sorted = mergeEvents([], list)
        const days = groupByDay(sorted)
        expect(days.flatMap((day) => day.events)).toEqual(sorted)
        expect(new Set(days.map((day) => day.day)).size).toBe(days.length)
      }),
    )
  })

  test('marks events as seen and returns the same list when there is nothing to mark', () => {
    const list = [createEvent('a', 2), createEvent('b', 1, { reviewed: true })]
    expect(markReviewed(list, ['a']).map((item) => item.reviewed)).toEqual([true, true])
    expect(markReviewed(list, ['b', 'gone'])).toBe(list)
  })
})

import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  createTicks,
  createVisitTicks,
  findNearestTick,
  findNeighborTick,
  TICK_MIN_DISTANCE_PX,
  getTickKind,
} from '../../../../src/domain/events/timeline-ticks.ts'

const VIEW = { begin: 0, end: 1000 }
const VIEW_WIDTH_PX = 1000
const TAGS = { motion: ['4'], person: ['4', '101'], sound: ['5', '800002'], face: ['12'] } as const
const createEvent = (event_id: string, event_ts: number, kind: keyof typeof TAGS = 'motion') => ({
  event_id,
  event_ts,
  tags: [...TAGS[kind]],
})
const listTickIds = (ticks: readonly { ids: readonly string[] }[]) => ticks.map((tick) => tick.ids)

describe('timeline ticks', () => {
  test('represent a person or a face, else a sound, else motion', () => {
    const kinds = (['motion', 'person', 'sound', 'face'] as const).map((kind) => getTickKind({ tags: [...TAGS[kind]] }))
    expect(kinds).toEqual(['motion', 'person', 'sound', 'person'])
    expect(getTickKind({ tags: ['101', '800002'] })).toBe('person')
    expect(getTickKind({ tags: ['unheard of'] })).toBe('motion')
  })

  test('have the position of their event in pixels, and none is outside the view', () => {
    const events = [
      createEvent('before', -1),
      createEvent('first', 0),
      createEvent('middle', 250),
      createEvent('end', 1000),
      createEvent('after', 1001),
    ]
    expect(createTicks(events, VIEW, 400)).toEqual([
      { x: 0, at: 0, kind: 'motion', ids: ['first'] },
      { x: 100, at: 250, kind: 'motion', ids: ['middle'] },
      { x: 400, at: 1000, kind: 'motion', ids: ['end'] },
    ])
    expect(createTicks(events, VIEW, 0)).toEqual([])
    expect(createTicks(events, { begin: 5, end: 5 }, 400)).toEqual([])
  })

  test('closer than 6 px merge: a person before a sound before motion, at its own position', () => {
    const near = [createEvent('m', 100), createEvent('s', 103, 'sound'), createEvent('p', 105, 'person')]
    expect(createTicks(near, VIEW, VIEW_WIDTH_PX)).toEqual([{ x: 105, at: 105, kind: 'person', ids: ['p', 's', 'm'] }])
    expect(createTicks(near.slice(0, 2), VIEW, VIEW_WIDTH_PX)).toEqual([
      { x: 103, at: 103, kind: 'sound', ids: ['s', 'm'] },
    ])
    expect(listTickIds(createTicks([createEvent('a', 100), createEvent('b', 106)], VIEW, VIEW_WIDTH_PX))).toEqual([
      ['a'],
      ['b'],
    ])
    expect(listTickIds(createTicks([createEvent('a', 100), createEvent('b', 105.9)], VIEW, VIEW_WIDTH_PX))).toEqual([
      ['a', 'b'],
    ])
  })

  test('lose no event, are in order and never closer than 6 px, for any events', () => {
    const kind = fc.constantFrom('motion', 'person', 'sound', 'face')
    const occurrences = fc.array(fc.tuple(fc.integer({ min: 0, max: 1000 }), kind), { maxLength: 200 })
    fc.assert(
      fc.property(occurrences, fc.integer({ min: 1, max: 2000 }), (all, width) => {
        const events = all.map(([at, tagName], i) => createEvent(String(i), at, tagName as keyof typeof TAGS))
        const found = createTicks(events, VIEW, width)
        expect(found.flatMap((tick) => tick.ids).sort()).toEqual(events.map(({ event_id }) => event_id).sort())
        for (const [i, tick] of found.slice(1).entries())
          expect(tick.x - (found[i]?.x ?? 0)).toBeGreaterThanOrEqual(TICK_MIN_DISTANCE_PX - 1e-9)
        const kindsByEventId = new Map(events.map((entry) => [entry.event_id, getTickKind(entry)]))
        const weight = { person: 0, sound: 1, motion: 2 }
        for (const tick of found)
          for (const id of tick.ids)
            expect(weight[tick.kind]).toBeLessThanOrEqual(weight[kindsByEventId.get(id) ?? 'person'])
      }),
    )
  })
})

describe('the tick selected by pointer or keyboard', () => {
  const all = createTicks([createEvent('a', 100), createEvent('b', 120), createEvent('c', 500)], VIEW, VIEW_WIDTH_PX)

  test('is the nearest one within 8 px', () => {
    expect([91.9, 92, 108, 109, 111, 112, 128, 128.1].map((x) => findNearestTick(all, x)?.ids[0] ?? null)).toEqual([
      null,
      'a',
      'a',
      null,
      null,
      'b',
      'b',
      null,
    ])
    expect(findNearestTick(all, 111, 50)?.ids).toEqual(['b'])
    expect(findNearestTick([], 5)).toBeNull()
  })

  test('is the next or previous one in time', () => {
    expect(findNeighborTick(all, 100, 1)?.ids).toEqual(['b'])
    expect(findNeighborTick(all, 100, -1)).toBeNull()
    expect(findNeighborTick(all, 300, -1)?.ids).toEqual(['b'])
    expect(findNeighborTick(all, 500, 1)).toBeNull()
  })
})

test('a visit has one tick at its start, with its strongest kind and the ids of all its clips', () => {
  const clips = (['motion', 'person'] as const).map((kind, i) => ({
    ...createEvent(`e${i}`, 100 + i * 300, kind),
    device_id: 'street',
    event_values: [],
    title: 'Motion',
    event_resources: [],
    reviewed: true,
  }))
  expect(createVisitTicks([{ clips, begin: 100, end: 420 }], VIEW, VIEW_WIDTH_PX)).toEqual([
    { x: 100, at: 100, kind: 'person', ids: ['e0', 'e1'] },
  ])
})

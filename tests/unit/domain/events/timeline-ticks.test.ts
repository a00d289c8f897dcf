import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  eventTicks,
  nearestTick,
  findNeighborTick,
  TICK_GAP,
  tickKind,
} from '../../../../src/domain/events/timeline-ticks.ts'

const VIEW = { begin: 0, end: 1000 }
const WIDTH = 1000
const TAGS = { motion: ['4'], person: ['4', '101'], sound: ['5', '800002'], face: ['12'] } as const
const event = (event_id: string, event_ts: number, kind: keyof typeof TAGS = 'motion') => ({
  ...{ event_id, event_ts },
  tags: [...TAGS[kind]],
})
const ids = (ticks: readonly { ids: readonly string[] }[]) => ticks.map((tick) => tick.ids)

describe('timeline ticks', () => {
  test('represent a person or a face, else a sound, else motion', () => {
    const kinds = (['motion', 'person', 'sound', 'face'] as const).map((kind) => tickKind({ tags: [...TAGS[kind]] }))
    expect(kinds).toEqual(['motion', 'person', 'sound', 'person'])
    expect(tickKind({ tags: ['101', '800002'] })).toBe('person')
    expect(tickKind({ tags: ['unheard of'] })).toBe('motion')
  })

  test('have the position of their event in pixels, and none is outside the view', () => {
    const events = [
      event('before', -1),
      event('first', 0),
      event('middle', 250),
      event('end', 1000),
      event('after', 1001),
    ]
    expect(eventTicks(events, VIEW, 400)).toEqual([
      { x: 0, at: 0, kind: 'motion', ids: ['first'] },
      { x: 100, at: 250, kind: 'motion', ids: ['middle'] },
      { x: 400, at: 1000, kind: 'motion', ids: ['end'] },
    ])
    expect(eventTicks(events, VIEW, 0)).toEqual([])
    expect(eventTicks(events, { begin: 5, end: 5 }, 400)).toEqual([])
  })

  test('closer than 6 px merge: a person before a sound before motion, at its own position', () => {
    const near = [event('m', 100), event('s', 103, 'sound'), event('p', 105, 'person')]
    expect(eventTicks(near, VIEW, WIDTH)).toEqual([{ x: 105, at: 105, kind: 'person', ids: ['p', 's', 'm'] }])
    expect(eventTicks(near.slice(0, 2), VIEW, WIDTH)).toEqual([{ x: 103, at: 103, kind: 'sound', ids: ['s', 'm'] }])
    expect(ids(eventTicks([event('a', 100), event('b', 106)], VIEW, WIDTH))).toEqual([['a'], ['b']])
    expect(ids(eventTicks([event('a', 100), event('b', 105.9)], VIEW, WIDTH))).toEqual([['a', 'b']])
  })

  test('lose no event, are in order and never closer than 6 px, for any events', () => {
    const kind = fc.constantFrom('motion', 'person', 'sound', 'face')
    const occurrences = fc.array(fc.tuple(fc.integer({ min: 0, max: 1000 }), kind), { maxLength: 200 })
    fc.assert(
      fc.property(occurrences, fc.integer({ min: 1, max: 2000 }), (all, width) => {
        const events = all.map(([at, tagName], i) => event(String(i), at, tagName as keyof typeof TAGS))
        const found = eventTicks(events, VIEW, width)
        expect(found.flatMap((tick) => tick.ids).sort()).toEqual(events.map(({ event_id }) => event_id).sort())
        for (const [i, tick] of found.slice(1).entries())
          expect(tick.x - (found[i]?.x ?? 0)).toBeGreaterThanOrEqual(TICK_GAP - 1e-9)
        const kindOf = new Map(events.map((entry) => [entry.event_id, tickKind(entry)]))
        const weight = { person: 0, sound: 1, motion: 2 }
        for (const tick of found)
          for (const id of tick.ids) expect(weight[tick.kind]).toBeLessThanOrEqual(weight[kindOf.get(id) ?? 'person'])
      }),
    )
  })
})

describe('the tick selected by pointer or keyboard', () => {
  const all = eventTicks([event('a', 100), event('b', 120), event('c', 500)], VIEW, WIDTH)

  test('is the nearest one within 8 px', () => {
    expect([91.9, 92, 108, 109, 111, 112, 128, 128.1].map((x) => nearestTick(all, x)?.ids[0] ?? null)).toEqual([
      ...[null, 'a', 'a', null, null, 'b', 'b', null],
    ])
    expect(nearestTick(all, 111, 50)?.ids).toEqual(['b'])
    expect(nearestTick([], 5)).toBeNull()
  })

  test('is the next or previous one in time', () => {
    expect(findNeighborTick(all, 100, 1)?.ids).toEqual(['b'])
    expect(findNeighborTick(all, 100, -1)).toBeNull()
    expect(findNeighborTick(all, 300, -1)?.ids).toEqual(['b'])
    expect(findNeighborTick(all, 500, 1)).toBeNull()
  })
})

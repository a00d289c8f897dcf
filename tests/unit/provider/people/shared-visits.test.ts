import { expect, test } from 'vitest'
import { VISIT_GAP_MS } from '../../../../contract/events/events.ts'
import { insertEvent } from '../../../../provider/events/event-rows.ts'
import {
  listDifferentPairs,
  MAX_DIFFERENT_PAIRS,
  storeDifferentPair,
} from '../../../../provider/people/different-people-rows.ts'
import { toPersonToken } from '../../../../provider/people/person-token.ts'
import { listPeopleClips } from '../../../../provider/people/same-person-rows.ts'
import { listSharedVisits, type PeopleClip } from '../../../../provider/people/shared-visits.ts'
import { openHomeSql } from '../../../support/home-sql.ts'
import { createBridgeEvent, RECENT_TIME_MS } from '../../../support/home.ts'

/** Clip of camera `door`. `begin` and `end`: ms UTC. */
const createClip = (people: number[], begin: number, end = begin): PeopleClip => ({
  camera: 'door',
  people,
  begin,
  end,
})
const listPairs = (clips: PeopleClip[]) =>
  listSharedVisits(clips).map(({ a, b, visits }) => [a, b, visits.get('door') ?? 0])

test('people in one long visit form a pair only if their own clips are close', () => {
  const step = VISIT_GAP_MS - 1
  const clips = [createClip([1], 0), createClip([2], step), createClip([3], 2 * step), createClip([2], 3 * step)]
  expect(listPairs(clips)).toEqual([
    [1, 2, 1],
    [2, 3, 1],
  ])
})

test('a long clip keeps its people in the visit although shorter clips ended earlier', () => {
  expect(listPairs([createClip([1], 0, 90_000), createClip([1], 1000), createClip([2], 120_000)])).toEqual([[1, 2, 1]])
})

test('a clip of both people removes their pair', () => {
  const apart = [createClip([1], 0), createClip([2], 1000)]
  expect(listPairs([...apart, createClip([2, 1], 900_000)])).toEqual([])
  expect(listPairs(apart)).toEqual([[1, 2, 1]])
})

test('suggestions read only the newest clips of the people', () => {
  const { sql } = openHomeSql()
  for (let n = 0; n < 6; n++) {
    const event_values = n === 5 ? ['person'] : [toPersonToken(n % 2)]
    insertEvent(sql, createBridgeEvent('door', `e${n}`, { event_ts: RECENT_TIME_MS + n, event_values }))
  }
  const view = [{ devices: ['door'], since: 0, free: false }]
  const readTimes = (limit: number) =>
    listPeopleClips(sql, view, [toPersonToken(0), toPersonToken(1)], limit).map(({ begin }) => begin - RECENT_TIME_MS)
  expect([readTimes(2), readTimes(10)]).toEqual([
    [3, 4],
    [0, 1, 2, 3, 4],
  ])
})

test('a home stores a limited number of different pairs and deletes the oldest', () => {
  const { sql, transaction } = openHomeSql()
  transaction(() => {
    for (let n = 0; n <= MAX_DIFFERENT_PAIRS; n++) storeDifferentPair(sql, n + 2, 1, n)
  })
  const pairs = listDifferentPairs(sql)
  expect([pairs.length, pairs[0]]).toEqual([MAX_DIFFERENT_PAIRS, { person: 1, other: 3 }])
})

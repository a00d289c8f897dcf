import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  listRetentionCutoffs,
  SOFT_DELETE_PERIOD_MS,
  recordRetentionPeriods,
} from '../../../../../provider/events/retention/retention-period-rows.ts'
import { openHomeSql } from '../../../../support/home-sql.ts'
import { DAY_MS } from '../../../../../contract/time-units.ts'

const FIRST_DAY_MS = 1_800_000_000_000

test('no event of a camera is deleted until its retention period has been known for 14 days', () => {
  const { sql } = openHomeSql()
  recordRetentionPeriods(sql, new Map([['door', 1]]), FIRST_DAY_MS)
  expect([
    listRetentionCutoffs(sql, FIRST_DAY_MS),
    listRetentionCutoffs(sql, FIRST_DAY_MS + SOFT_DELETE_PERIOD_MS - 1),
  ]).toEqual([[], []])
  expect(listRetentionCutoffs(sql, FIRST_DAY_MS + SOFT_DELETE_PERIOD_MS)).toEqual([['door', FIRST_DAY_MS - DAY_MS]])
})

test('events stay for 14 days after their plan ends, and permanently if it is bought again', () => {
  const { sql } = openHomeSql()
  const recordAndListCutoffs = (day: number, days: number) => {
    recordRetentionPeriods(sql, new Map([['door', days]]), FIRST_DAY_MS + day * DAY_MS)
    return listRetentionCutoffs(sql, FIRST_DAY_MS + day * DAY_MS).map(([, floor]) => (floor - FIRST_DAY_MS) / DAY_MS)
  }
  expect(recordAndListCutoffs(0, 30)).toEqual([])
  expect(recordAndListCutoffs(20, 30)).toEqual([20 - 14 - 30])
  // The 30-day plan ends on day 21. Events since day -9 were visible until then, so they stay for 14 more days.
  expect(recordAndListCutoffs(21, 1)).toEqual([21 - 14 - 30])
  expect(recordAndListCutoffs(34, 1)).toEqual([20 - 30])
  expect(recordAndListCutoffs(35, 1)).toEqual([21 - 1])
  // The plan is bought again on day 36, so events that are not deleted yet are visible again.
  expect(recordAndListCutoffs(36, 30)).toEqual([36 - 30])
  expect(recordAndListCutoffs(50, 30)).toEqual([36 - 30])
})

test('an event is deleted exactly when it was never visible during the last 14 days', () => {
  const change = fc.record({ hours: fc.integer({ min: 1, max: 200 }), days: fc.constantFrom(1, 14, 30, 60) })
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 12 }), fc.nat(90 * 24), (changes, age) => {
      const { sql } = openHomeSql()
      let now = FIRST_DAY_MS
      const periods: { at: number; days: number }[] = []
      for (const { hours, days } of changes) {
        now += hours * 3_600_000
        periods.push({ at: now, days })
        recordRetentionPeriods(sql, new Map([['door', days]]), now)
      }
      const event = now - age * 3_600_000
      const floor = listRetentionCutoffs(sql, now)[0]?.[1] ?? -Infinity
      const isRecorded =
        now - FIRST_DAY_MS >= SOFT_DELETE_PERIOD_MS && (periods[0]?.at ?? now) <= now - SOFT_DELETE_PERIOD_MS
      const isShown = (at: number) => {
        const days = periods.findLast((piece) => piece.at <= at)?.days
        return days === undefined || event >= at - days * DAY_MS
      }
      // In each retention period, the most events are visible at its start. Therefore, the test checks only the start
      // of the last 14 days and the later starts of retention periods.
      const moments = [
        now - SOFT_DELETE_PERIOD_MS,
        ...periods.map(({ at }) => at).filter((at) => at > now - SOFT_DELETE_PERIOD_MS),
      ]
      expect(event < floor).toBe(isRecorded && !moments.some(isShown))
    }),
  )
})

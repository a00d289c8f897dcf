import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  retentionCutoffs,
  SOFT_DELETE_MS,
  recordRetentionPeriods,
} from '../../../../../provider/events/retention/retention-period-rows.ts'
import { openSql } from '../../../../support/home-sql.ts'
import { DAY_MS } from '../../../../../contract/time-units.ts'

const T = 1_800_000_000_000

test('no event of a camera is deleted until its retention period has been known for 14 days', () => {
  const { sql } = openSql()
  recordRetentionPeriods(sql, new Map([['door', 1]]), T)
  expect([retentionCutoffs(sql, T), retentionCutoffs(sql, T + SOFT_DELETE_MS - 1)]).toEqual([[], []])
  expect(retentionCutoffs(sql, T + SOFT_DELETE_MS)).toEqual([['door', T - DAY_MS]])
})

test('events stay for 14 days after their plan ends, and permanently if it is bought again', () => {
  const { sql } = openSql()
  const recordAndListCutoffs = (day: number, days: number) => {
    recordRetentionPeriods(sql, new Map([['door', days]]), T + day * DAY_MS)
    return retentionCutoffs(sql, T + day * DAY_MS).map(([, floor]) => (floor - T) / DAY_MS)
  }
  expect(recordAndListCutoffs(0, 30)).toEqual([])
  expect(recordAndListCutoffs(20, 30)).toEqual([20 - 14 - 30])
  // The 30-day plan ends on day 21. Events since day 21 - 30 were visible until then, so they stay for 14 more days.
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
      const { sql } = openSql()
      let now = T
      const pieces: { at: number; days: number }[] = []
      for (const { hours, days } of changes) {
        now += hours * 3_600_000
        pieces.push({ at: now, days })
        recordRetentionPeriods(sql, new Map([['door', days]]), now)
      }
      const event = now - age * 3_600_000
      const floor = retentionCutoffs(sql, now)[0]?.[1] ?? -Infinity
      const isRecorded = now - T >= SOFT_DELETE_MS && (pieces[0]?.at ?? now) <= now - SOFT_DELETE_MS
      const isShown = (at: number) => {
        const days = pieces.findLast((piece) => piece.at <= at)?.days
        return days === undefined || event >= at - days * DAY_MS
      }
      // While one retention period applies, the most events are visible at its start, so the test checks only these
      // times.
      const moments = [now - SOFT_DELETE_MS, ...pieces.map(({ at }) => at).filter((at) => at > now - SOFT_DELETE_MS)]
      expect(event < floor).toBe(isRecorded && !moments.some(isShown))
    }),
  )
})

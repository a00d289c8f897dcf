import { describe, expect, test } from 'vitest'
import {
  includesOfferedRange,
  listOfferedRanges,
  findWiderRange,
} from '../../../../src/domain/search/offered-ranges.ts'

const NOW = new Date(2026, 10, 20, 12).getTime()
const getRetainedSince = (days: number) => NOW - days * 86_400_000
const ALL_HOURS = [0, 23] as const
const ALL_30_DAYS = { start: '2026-10-22', end: '2026-11-20', hours: ALL_HOURS }

describe('days offered by search', () => {
  test.each([
    [null, [14]],
    [1, [14]],
    [14, [14]],
    [30, [14, 30]],
    [60, [14, 60]],
  ])('on a plan that keeps %s days are %j', (days, offered) => {
    expect(listOfferedRanges(days === null ? null : getRetainedSince(days), NOW).map((option) => option.days)).toEqual(
      offered,
    )
  })

  test('are calendar days unless they are 14 or 60', () => {
    expect(listOfferedRanges(getRetainedSince(30), NOW)[1]?.range).toEqual(ALL_30_DAYS)
    expect(listOfferedRanges(getRetainedSince(60), NOW)[1]?.range).toBe(60)
  })

  test('are selected if they match the current range, including 60 days of which 30 are kept', () => {
    const [usual, all] = listOfferedRanges(getRetainedSince(30), NOW)
    if (!usual || !all) throw new Error('Expected two offered ranges.')
    const listOfferedStates = (range: Parameters<typeof includesOfferedRange>[0]) =>
      [usual, all].map((option) => includesOfferedRange(range, option, NOW))
    expect(listOfferedStates(14)).toEqual([true, false])
    expect(listOfferedStates(60)).toEqual([false, true])
    expect(listOfferedStates({ ...ALL_30_DAYS })).toEqual([false, true])
    expect(listOfferedStates({ start: '2026-11-01', end: '2026-11-20', hours: ALL_HOURS })).toEqual([false, false])
  })
})

describe('search without results', () => {
  test.each([
    ['14 days of 30', 14, 30, 30],
    ['14 days of 60', 14, 60, 60],
    ['14 days of 14', 14, 14, undefined],
    ['all of 30 days', ALL_30_DAYS, 30, undefined],
    ['60 days if 30 are kept', 60, 30, undefined],
    ['one day', { start: '2026-11-19', end: '2026-11-19', hours: ALL_HOURS }, 30, 14],
    ['days before the last 14', { start: '2026-10-25', end: '2026-10-27', hours: ALL_HOURS }, 30, 14],
  ] as const)('of %s offers no more days than are kept', (_, range, planDays, days) => {
    expect(findWiderRange(range, getRetainedSince(planDays), NOW)?.days).toBe(days)
  })
})

import { describe, expect, test } from 'vitest'
import { isOffered, offeredDays, widerDays } from '../../../../src/domain/search/offered-ranges.ts'

const NOW = new Date(2026, 10, 20, 12).getTime()
const keeps = (days: number) => NOW - days * 86_400_000
const hours = [0, 23] as const
const ALL_30 = { start: '2026-10-22', end: '2026-11-20', hours }

describe('days offered by search', () => {
  test.each([
    [null, [14]],
    [1, [14]],
    [14, [14]],
    [30, [14, 30]],
    [60, [14, 60]],
  ])('on a plan that keeps %s days are %j', (days, offered) => {
    expect(offeredDays(days === null ? null : keeps(days), NOW).map((option) => option.days)).toEqual(offered)
  })

  test('are calendar days unless they are 14 or 60', () => {
    expect(offeredDays(keeps(30), NOW)[1]?.range).toEqual(ALL_30)
    expect(offeredDays(keeps(60), NOW)[1]?.range).toBe(60)
  })

  test('are selected if they match the current range, including 60 days of which 30 are kept', () => {
    const [usual, all] = offeredDays(keeps(30), NOW)
    if (!usual || !all) throw new Error('Too few days are offered.')
    const chosen = (range: Parameters<typeof isOffered>[0]) =>
      [usual, all].map((option) => isOffered(range, option, NOW))
    expect(chosen(14)).toEqual([true, false])
    expect(chosen(60)).toEqual([false, true])
    expect(chosen({ ...ALL_30 })).toEqual([false, true])
    expect(chosen({ start: '2026-11-01', end: '2026-11-20', hours })).toEqual([false, false])
  })
})

describe('search without results', () => {
  test.each([
    ['14 days of 30', 14, 30, 30],
    ['14 days of 60', 14, 60, 60],
    ['14 days of 14', 14, 14, undefined],
    ['all of 30 days', ALL_30, 30, undefined],
    ['60 days where 30 are kept', 60, 30, undefined],
    ['one day', { start: '2026-11-19', end: '2026-11-19', hours }, 30, 14],
    ['days before the last 14', { start: '2026-10-25', end: '2026-10-27', hours }, 30, 14],
  ] as const)('of %s offers no more days than are kept', (_, range, planDays, days) => {
    expect(widerDays(range, keeps(planDays), NOW)?.days).toBe(days)
  })
})

import { expect, test } from 'vitest'
import { Budget } from '../../contract/wire/token-bucket.ts'

test('a budget gives its burst at once, then what a second brings, and never more than the burst', () => {
  const budget = new Budget({ burst: 3, perSecond: 2 }, 1000)
  expect([1, 2, 3, 4].map(() => budget.take(1000))).toEqual([true, true, true, false])
  expect(budget.wait(1000)).toBe(500)
  expect([budget.take(1499), budget.take(1500), budget.take(1500)]).toEqual([false, true, false])
  expect([1, 2, 3, 4].map(() => budget.take(60_000))).toEqual([true, true, true, false])
})

test('a budget takes all of an amount or nothing, and a clock that goes back gives nothing', () => {
  const budget = new Budget({ burst: 10, perSecond: 1 }, 5000)
  expect([budget.take(5000, 11), budget.take(5000, 8), budget.take(5000, 3), budget.take(5000, 2)]).toEqual([
    false,
    true,
    false,
    true,
  ])
  expect([budget.take(0), budget.take(5999), budget.take(6000)]).toEqual([false, false, true])
})

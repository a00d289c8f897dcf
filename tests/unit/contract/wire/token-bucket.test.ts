import { expect, test } from 'vitest'
import { TokenBucket } from '../../../../contract/wire/token-bucket.ts'

test('a token bucket grants its burst immediately, then its rate per second, and never more than the burst', () => {
  const budget = new TokenBucket({ burst: 3, perSecond: 2 }, 1000)
  expect([1, 2, 3, 4].map(() => budget.consume(1000))).toEqual([true, true, true, false])
  expect(budget.wait(1000)).toBe(500)
  expect([budget.consume(1499), budget.consume(1500), budget.consume(1500)]).toEqual([false, true, false])
  expect([1, 2, 3, 4].map(() => budget.consume(60_000))).toEqual([true, true, true, false])
})

test('a token bucket grants all of an amount or nothing, and grants nothing when the clock goes back', () => {
  const budget = new TokenBucket({ burst: 10, perSecond: 1 }, 5000)
  expect([budget.consume(5000, 11), budget.consume(5000, 8), budget.consume(5000, 3), budget.consume(5000, 2)]).toEqual(
    [false, true, false, true],
  )
  expect([budget.consume(0), budget.consume(5999), budget.consume(6000)]).toEqual([false, false, true])
})

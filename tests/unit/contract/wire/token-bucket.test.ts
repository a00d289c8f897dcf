import { expect, test } from 'vitest'
import { TokenBucket } from '../../../../contract/wire/token-bucket.ts'

test('a token bucket grants its burst immediately, then its rate per second, and never more than the burst', () => {
  const bucket = new TokenBucket({ burst: 3, perSecond: 2 }, 1000)
  expect([1, 2, 3, 4].map(() => bucket.consume(1000))).toEqual([true, true, true, false])
  expect(bucket.getWaitMs(1000)).toBe(500)
  expect([bucket.consume(1499), bucket.consume(1500), bucket.consume(1500)]).toEqual([false, true, false])
  expect([1, 2, 3, 4].map(() => bucket.consume(60_000))).toEqual([true, true, true, false])
})

test('a token bucket grants all of an amount or nothing, and grants nothing when the clock goes back', () => {
  const bucket = new TokenBucket({ burst: 10, perSecond: 1 }, 5000)
  expect([bucket.consume(5000, 11), bucket.consume(5000, 8), bucket.consume(5000, 3), bucket.consume(5000, 2)]).toEqual(
    [false, true, false, true],
  )
  expect([bucket.consume(0), bucket.consume(5999), bucket.consume(6000)]).toEqual([false, false, true])
})

import { expect, test } from 'vitest'
import { FairShareLimiter } from '../../../../contract/wire/fair-share-limiter.ts'

const createLimiter = () => new FairShareLimiter({ each: { burst: 2, perSecond: 1 }, all: { burst: 3, perSecond: 1 } })
const repeat = (count: number, take: () => number) => Array.from({ length: count }, take)

test('a single key gets its own bucket and the whole shared bucket', () => {
  const limiter = createLimiter()
  expect(repeat(6, () => limiter.consume('a', 0))).toEqual([0, 0, 0, 0, 0, 1000])
})

test('a new key gets its own bucket even if the shared bucket is empty', () => {
  const limiter = createLimiter()
  repeat(10, () => limiter.consume('many', 0))
  expect(repeat(3, () => limiter.consume('late', 0))).toEqual([0, 0, 1000])
})

test('both buckets refill over time', () => {
  const limiter = createLimiter()
  repeat(10, () => limiter.consume('a', 0))
  expect(repeat(3, () => limiter.consume('a', 1000))).toEqual([0, 0, 1000])
})

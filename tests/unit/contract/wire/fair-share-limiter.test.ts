import { expect, test } from 'vitest'
import { FairShareLimiter } from '../../../../contract/wire/fair-share-limiter.ts'

const open = () => new FairShareLimiter({ each: { burst: 2, perSecond: 1 }, all: { burst: 3, perSecond: 1 } })
const times = (count: number, take: () => number) => Array.from({ length: count }, take)

test('a single key gets its own bucket and the whole shared bucket', () => {
  const shares = open()
  expect(times(6, () => shares.consume('a', 0))).toEqual([0, 0, 0, 0, 0, 1000])
})

test('a new key gets its own bucket even if the shared bucket is empty', () => {
  const shares = open()
  times(10, () => shares.consume('many', 0))
  expect(times(3, () => shares.consume('late', 0))).toEqual([0, 0, 1000])
})

test('both buckets refill over time', () => {
  const shares = open()
  times(10, () => shares.consume('a', 0))
  expect(times(3, () => shares.consume('a', 1000))).toEqual([0, 0, 1000])
})

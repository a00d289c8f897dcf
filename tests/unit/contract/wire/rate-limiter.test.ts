import { expect, test } from 'vitest'
import { KeyedRateLimiter } from '../../../../contract/wire/rate-limiter.ts'
import type { ApiError } from '../../../../provider/platform/api-error.ts'
import { enforceRateLimit } from '../../../../provider/platform/rate-limits/enforce-rate-limit.ts'

test('each key has its own burst, then refills per second', () => {
  const limiter = new KeyedRateLimiter({ burst: 2, perSecond: 1 })
  expect([limiter.consume('a', 0), limiter.consume('a', 0), limiter.consume('a', 0), limiter.consume('b', 0)]).toEqual([
    0, 0, 1000, 0,
  ])
  expect([limiter.consume('a', 500), limiter.consume('a', 1000)]).toEqual([500, 0])
})

test('a rejection has a Retry-After header', () => {
  const limiter = new KeyedRateLimiter({ burst: 1, perSecond: 0.1 })
  enforceRateLimit(limiter, 'a', 0)
  const rejection = (() => {
    try {
      enforceRateLimit(limiter, 'a', 1500)
    } catch (error) {
      return error as ApiError
    }
    return null
  })()
  expect(rejection).toMatchObject({ status: 429, headers: { 'Retry-After': '9' } })
})

test('made-up keys use no more memory than 5000 keys', () => {
  const limiter = new KeyedRateLimiter({ burst: 1, perSecond: 1 })
  limiter.consume('first', 0)
  for (let n = 0; n < 4999; n++) limiter.consume(`made up ${n}`, 0)
  expect(limiter.consume('first', 0)).toBe(1000)
  limiter.consume('one too many', 0)
  expect(limiter.consume('first', 0)).toBe(0)
})

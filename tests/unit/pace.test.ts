import { expect, test } from 'vitest'
import { Pace } from '../../contract/wire/rate-limiter.ts'
import type { Refusal } from '../../provider/platform/api-error.ts'
import { requirePace } from '../../provider/platform/rate-limits/enforce-rate-limit.ts'

test('each has a burst of their own, then what a second brings', () => {
  const pace = new Pace({ burst: 2, perSecond: 1 })
  expect([pace.take('a', 0), pace.take('a', 0), pace.take('a', 0), pace.take('b', 0)]).toEqual([0, 0, 1000, 0])
  expect([pace.take('a', 500), pace.take('a', 1000)]).toEqual([500, 0])
})

test('a refusal says when to come back', () => {
  const pace = new Pace({ burst: 1, perSecond: 0.1 })
  requirePace(pace, 'a', 0)
  const refused = (() => {
    try {
      requirePace(pace, 'a', 1500)
    } catch (error) {
      return error as Refusal
    }
    return null
  })()
  expect(refused).toMatchObject({ status: 429, headers: { 'Retry-After': '9' } })
})

test('names that somebody makes up take no more memory than those of five thousand', () => {
  const pace = new Pace({ burst: 1, perSecond: 1 })
  pace.take('first', 0)
  for (let n = 0; n < 4999; n++) pace.take(`made up ${n}`, 0)
  expect(pace.take('first', 0)).toBe(1000)
  pace.take('one too many', 0)
  expect(pace.take('first', 0)).toBe(0)
})

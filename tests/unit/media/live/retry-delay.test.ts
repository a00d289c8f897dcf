import { describe, expect, test } from 'vitest'
import { computeRetryDelayMs } from '../../../../src/media/live/retry-delay.ts'

describe('retry delay', () => {
  test('starts at a quarter second, capped at one second while a quick recovery is possible', () => {
    expect([1, 2, 3, 4, 300].map((attempt) => computeRetryDelayMs(attempt, 0))).toEqual([250, 500, 1000, 1000, 1000])
  })

  test('grows after about five minutes', () => {
    expect(computeRetryDelayMs(301, 0)).toBe(5000)
  })

  test('spreads the attempts of many pages by a fifth', () => {
    expect(computeRetryDelayMs(3, 0.999)).toBeGreaterThan(1190)
    expect(computeRetryDelayMs(3, 0.999)).toBeLessThanOrEqual(1200)
  })
})

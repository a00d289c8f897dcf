import { describe, expect, it } from 'vitest'
import { backOff } from '../../../../src/media/live/retry-delay.ts'

describe('trying again', () => {
  it('waits a quarter of a second first and a second at most while it may come back soon', () => {
    expect([1, 2, 3, 4, 300].map((attempt) => backOff(attempt, 0))).toEqual([250, 500, 1000, 1000, 1000])
  })

  it('slows down after about five minutes', () => {
    expect(backOff(301, 0)).toBe(5000)
  })

  it('spreads the attempts of many pages by a fifth', () => {
    expect(backOff(3, 0.999)).toBeGreaterThan(1190)
    expect(backOff(3, 0.999)).toBeLessThanOrEqual(1200)
  })
})

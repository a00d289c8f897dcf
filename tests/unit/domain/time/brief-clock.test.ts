import { expect, test } from 'vitest'
import { briefClockLabel, briefClockSpan } from '../../../../src/domain/time/brief-clock.ts'
import { joinClocks } from '../../../../src/domain/time/clock-time.ts'
import { wholeHourLabel } from '../../../../src/domain/time/hour-label.ts'

const getTime = (hour: number, minute: number) => new Date(2026, 10, 25, hour, minute).getTime()

test('a whole hour has no minutes where the clock has 12 hours', () => {
  expect(briefClockLabel(getTime(18, 0))).toBe(wholeHourLabel(18))
  expect(briefClockLabel(getTime(17, 30))).toMatch(/^(17:30|5:30\u00a0PM)$/)
  expect(briefClockSpan(getTime(17, 30), getTime(21, 0))).toMatch(/^(17:30 – 21:00|5:30 – 9\u00a0PM)$/)
})

test('the end of a span states the half of the day for both ends, if it is the same', () => {
  expect(joinClocks('5:30\u00a0PM', '6:30\u00a0PM')).toBe('5:30 – 6:30\u00a0PM')
  expect(joinClocks('11\u00a0AM', '1:30\u00a0PM')).toBe('11\u00a0AM – 1:30\u00a0PM')
  expect(joinClocks('17:30', '18:30')).toBe('17:30 – 18:30')
})

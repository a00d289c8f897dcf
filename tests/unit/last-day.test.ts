import { expect, test } from 'vitest'
import { lastDayWords } from '../../src/domain/last-day.ts'

const HOUR = 3_600_000
const at = (day: number, hour: number, minute = 0) => new Date(2026, 10, day, hour, minute).getTime()

test('OPEN-18 the last day of a session says when it ends, in the words of a clock', () => {
  expect(lastDayWords(at(23, 9, 41), at(22, 12))).toMatch(/^You will be logged out tomorrow at 09:41\./)
  expect(lastDayWords(at(22, 13, 5), at(22, 12))).toMatch(/^You will be logged out today at 13:05\./)
})

test('OPEN-18 nothing is said before that day, and nothing of an end that is past', () => {
  const ends = at(23, 12)
  expect([24 * HOUR, 24 * HOUR - 1, 1, 0].map((left) => lastDayWords(ends, ends - left) !== null)).toEqual([
    false,
    true,
    true,
    false,
  ])
})

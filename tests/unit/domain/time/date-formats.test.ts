import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { formatClock } from '../../../../src/domain/time/clock-time.ts'
import { formatAge, todayLabel } from '../../../../src/domain/time/relative-time.ts'
import * as dates from '../../../../src/domain/time/date-formats.ts'
import { HOUR_MS, MINUTE_MS } from '../../../../contract/time-units.ts'

/** Wednesday, 25 November 2026, 09:41:07 in Berlin. */
const NOW = Date.UTC(2026, 10, 25, 8, 41, 7)
const NEXT_YEAR = Date.UTC(2027, 10, 22, 5, 3, 4)

beforeEach(() => {
  vi.stubEnv('TZ', 'Europe/Berlin')
})
afterEach(() => {
  vi.unstubAllEnvs()
})

test('hours have two digits and use the 24-hour clock', () => {
  expect([formatClock(NOW), dates.timeLabel(NOW), dates.hourRangeLabel(NOW)]).toEqual(['09:41', '09:41:07', '09 to 10'])
  expect([formatClock(NOW + 12 * HOUR_MS), formatClock(NOW - 9 * HOUR_MS)]).toEqual(['21:41', '00:41'])
  expect(dates.hourRangeLabel(NOW + 14 * HOUR_MS)).toBe('23 to 00')
})

test('a day shows its year if it is in another year', () => {
  expect([dates.dayWords(NOW, NOW), dates.dayWords(NEXT_YEAR, NOW)]).toEqual(['25 November', '22 November 2027'])
  expect([dates.shortDayLabel(NOW, NOW), dates.shortDayLabel(NEXT_YEAR, NOW)]).toEqual(['25 Nov', '22 Nov 2027'])
  expect([dates.fullDayLabel(NOW), dates.shortDayWithYearLabel(NOW)]).toEqual(['25 November 2026', '25 Nov 2026'])
})

test('page heads and lists format a day alike', () => {
  expect(dates.weekdayWords(NOW)).toBe('Wednesday 25 November')
  expect(todayLabel(new Date(NOW))).toBe(dates.weekdayWords(NOW))
})

test('near days have names', () => {
  const times = [NOW, NOW - 24 * HOUR_MS, NOW - 72 * HOUR_MS, NEXT_YEAR]
  expect(times.map((time) => dates.nearDayLabel(time, NOW))).toEqual([
    'Today',
    'Yesterday',
    'Sun 22 Nov',
    'Mon 22 Nov 2027',
  ])
  expect(times.map((time) => dates.timeOrDayLabel(time, NOW))).toEqual([
    '09:41',
    'Yesterday',
    '22 November',
    '22 November 2027',
  ])
  expect(dates.dateTimeLabel(NOW - 72 * HOUR_MS, NOW)).toBe('22 Nov, 09:41')
  expect(dates.exactTimeLabel(NOW, NOW)).toBe('Today 09:41:07')
})

test('durations use the two largest units', () => {
  expect(
    [18_000, 46 * MINUTE_MS, 2 * HOUR_MS, 23 * HOUR_MS + 34 * MINUTE_MS, 72 * HOUR_MS].map(dates.roundedDurationLabel),
  ).toEqual(['18 s', '46 min', '2 h', '23 h 34 min', '3 days'])
  expect([10_000, 5 * MINUTE_MS, 3 * HOUR_MS].map(formatAge)).toEqual(['just now', '5 min ago', '3 h ago'])
})

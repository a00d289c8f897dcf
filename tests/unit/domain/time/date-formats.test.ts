import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { clock } from '../../../../src/domain/time/clock-time.ts'
import { ago, todayLabel } from '../../../../src/domain/time/relative-time.ts'
import * as dates from '../../../../src/domain/time/date-formats.ts'
import { formatFullDay, formatMoment } from '../../../../provider/notifications/email/email-format.ts'

/** Wednesday in Berlin. */
const NOW = Date.UTC(2026, 10, 25, 8, 41, 7)
const NEXT_YEAR = Date.UTC(2027, 10, 22, 5, 3, 4)
const HOUR = 3_600_000

beforeEach(() => {
  vi.stubEnv('TZ', 'Europe/Berlin')
})
afterEach(() => {
  vi.unstubAllEnvs()
})

test('hours have two digits and use the 24-hour clock', () => {
  expect([clock(NOW), dates.timeLabel(NOW), dates.hourRangeLabel(NOW)]).toEqual(['09:41', '09:41:07', '09 to 10'])
  expect([clock(NOW + 12 * HOUR), clock(NOW - 9 * HOUR)]).toEqual(['21:41', '00:41'])
  expect(dates.hourRangeLabel(NOW + 14 * HOUR)).toBe('23 to 00')
})

test('a day shows its year if it is in another year', () => {
  expect([dates.dayWords(NOW, NOW), dates.dayWords(NEXT_YEAR, NOW)]).toEqual(['25 November', '22 November 2027'])
  expect([dates.shortDayLabel(NOW, NOW), dates.shortDayLabel(NEXT_YEAR, NOW)]).toEqual(['25 Nov', '22 Nov 2027'])
  expect([dates.fullDay(NOW), dates.shortFullDay(NOW)]).toEqual(['25 November 2026', '25 Nov 2026'])
})

test('page heads and lists format a day alike', () => {
  expect(dates.weekdayWords(NOW)).toBe('Wednesday 25 November')
  expect(todayLabel(new Date(NOW))).toBe(dates.weekdayWords(NOW))
})

test('near days have names', () => {
  const times = [NOW, NOW - 24 * HOUR, NOW - 72 * HOUR, NEXT_YEAR]
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
  expect(dates.dateTimeLabel(NOW - 72 * HOUR, NOW)).toBe('22 Nov, 09:41')
  expect(dates.exactTimeLabel(NOW, NOW)).toBe('Today 09:41:07')
})

test('durations use the two largest units', () => {
  const MINUTE = 60_000
  expect([18_000, 46 * MINUTE, 2 * HOUR, 23 * HOUR + 34 * MINUTE, 72 * HOUR].map(dates.lengthLabel)).toEqual([
    '18 s',
    '46 min',
    '2 h',
    '23 h 34 min',
    '3 days',
  ])
  expect([10_000, 5 * MINUTE, 3 * HOUR].map(ago)).toEqual(['just now', '5 min ago', '3 h ago'])
})

test('emails and provider pages format days like the portal', () => {
  vi.stubEnv('TZ', 'UTC')
  for (let month = 0; month < 12; month++) {
    const time = Date.UTC(2026, month, 9, 9, 41)
    expect(formatFullDay(time)).toBe(dates.fullDay(time))
    expect(formatMoment(time)).toBe(`${dates.fullDay(time)} at ${clock(time)} UTC`)
  }
})

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { describeFormats } from '../../../../src/domain/copy/regional-formats.ts'
import { formatClock, formatClockSpan } from '../../../../src/domain/time/clock-time.ts'
import * as dates from '../../../../src/domain/time/date-formats.ts'
import { getFirstWeekday } from '../../../../src/domain/time/first-weekday.ts'
import { resolveFormats } from '../../../../src/domain/time/regional-formats.ts'
import { todayLabel } from '../../../../src/domain/time/relative-time.ts'

/** Wednesday, November 25, 2026, 6:04:07 PM in Berlin. */
const NOW = Date.UTC(2026, 10, 25, 17, 4, 7, 240)

beforeEach(() => vi.stubEnv('TZ', 'Europe/Berlin'))
afterEach(() => {
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
})

test.each([
  ['en-US', true, true, 7],
  ['en-IN', true, false, 7],
  ['en-GB', false, false, 1],
  ['de-DE', false, false, 1],
  ['ja-JP', false, true, 7],
  ['ar-EG', true, false, 6],
  ['not a locale', true, true, 7],
])(
  'OPEN-168 the region of %s determines clock, order of dates and first weekday',
  (locale, is12Hour, isMonthFirst, firstWeekday) => {
    const formats = resolveFormats(locale)
    expect(formats).toMatchObject({ is12Hour, isMonthFirst })
    expect(getFirstWeekday(formats)).toBe(firstWeekday)
  },
)

describe('OPEN-168 dates and times follow the browser', () => {
  test('in the United States', () => {
    vi.stubGlobal('navigator', { language: 'en-US' })
    expect([formatClock(NOW), dates.timeLabel(NOW), dates.formatFrameTime(NOW)]).toEqual([
      '6:04\u00a0PM',
      '6:04:07\u00a0PM',
      '6:04:07.24\u00a0PM',
    ])
    expect([dates.fullDayLabel(NOW), todayLabel(new Date(NOW))]).toEqual([
      'November 25, 2026',
      'Wednesday, November 25',
    ])
    expect(dates.exactTimeLabel(NOW - 72 * 3_600_000, NOW)).toBe('Sun, Nov 22 6:04:07\u00a0PM')
    expect(dates.rangeLabel('2026-11-07', '2026-11-20')).toBe('November 7 – 20')
    expect(dates.rangeLabel('2026-10-28', '2026-11-20')).toBe('October 28 – November 20')
    expect(formatClockSpan(NOW, NOW + 120_000)).toBe('6:04 – 6:06\u00a0PM')
    expect(formatClockSpan(NOW - 12 * 3_600_000, NOW)).toBe('6:04\u00a0AM – 6:04\u00a0PM')
    expect(formatClockSpan(NOW, NOW + 1000)).toBe('6:04\u00a0PM')
  })

  test('in Germany, with English names', () => {
    vi.stubGlobal('navigator', { language: 'de-DE' })
    expect([formatClock(NOW), dates.fullDayLabel(NOW)]).toEqual(['18:04', '25 November 2026'])
    expect(formatClockSpan(NOW, NOW + 120_000)).toBe('18:04 – 18:06')
    expect(dates.rangeLabel('2026-11-07', '2026-11-20')).toBe('7 – 20 November')
  })

  test('unless the document carries a setting', () => {
    vi.stubGlobal('navigator', { language: 'de-DE' })
    vi.stubGlobal('document', { documentElement: { dataset: { formats: 'en-AU' } } })
    expect([formatClock(NOW), dates.dayMonthLabel(NOW)]).toEqual(['6:04\u00a0pm', '25 November'])
  })
})

test('a time that is not a number has no text', () => {
  expect(formatClock(NaN)).toBe('')
})

test('the setting describes each choice by an example', () => {
  expect(['en-US', 'en-GB', 'en-US-u-hc-h23'].map((tag) => describeFormats(tag, NOW))).toEqual([
    'Nov 25, 6:00 PM (Sun)',
    '25 Nov, 18:00 (Mon)',
    'Nov 25, 18:00 (Sun)',
  ])
})

import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { SINGLE_DAY_END } from '../../../../contract/events/date-ranges.ts'
import {
  isDay,
  isHourRange,
  hasHourLimit,
  getNewerHalf,
  splitNewestDay,
  toDateRange,
  toSpan,
} from '../../../../src/domain/time/date-range.ts'
import { endHourLabel, startHourLabel } from '../../../../src/domain/time/hour-label.ts'
import { toDay } from '../../../../src/domain/time/local-time.ts'

const NOON = new Date(2026, 10, 20, 12, 30).getTime()
const toLocalTime = (year: number, month: number, day: number, hour = 0, minute = 0, second = 0, ms = 0) =>
  new Date(year, month, day, hour, minute, second, ms).getTime()
const createRange = (start: string, end: string, hours: readonly [number, number] = [0, 23]) => ({ start, end, hours })

describe('quick ranges', () => {
  test('EVENT-06 14 days start 13 days before today and end today', () => {
    expect(toDateRange(14, NOON)).toMatchObject({ start: '2026-11-07', end: '2026-11-20' })
  })

  test('EVENT-07 60 days start 59 days before today and end today', () => {
    expect(toDateRange(60, NOON)).toMatchObject({ start: '2026-09-22', end: '2026-11-20' })
  })

  test('EVENT-06 EVENT-07 CONST-07 span their exact number of calendar days on every day, including clock changes', () => {
    const utc = (day: string) => Date.parse(`${day}T00:00:00Z`)
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4e12 }), fc.constantFrom(14 as const, 60 as const), (now, days) => {
        const { start, end } = toDateRange(days, now)
        return (utc(end) - utc(start)) / 86_400_000 === days - 1 && end === toDay(now)
      }),
    )
  })

  test('EVENT-13 the time of day is 0 to 23 until another is chosen', () => {
    expect(toDateRange(14, NOON).hours).toEqual([0, 23])
  })
})

describe('time spans', () => {
  test('EVENT-10 a single day uses the chosen hours', () => {
    expect(toSpan(createRange('2026-11-20', '2026-11-20', [9, 10]))).toEqual({
      begin: toLocalTime(2026, 10, 20, 9),
      end: toLocalTime(2026, 10, 20, 10) - 1,
    })
  })

  test('EVENT-11 the flag is set for part of a single day and unset for the whole day', () => {
    const day = '2026-11-20'
    expect(
      [
        [0, 23],
        [0, 22],
        [1, 23],
        [9, 10],
      ].map((hours) => hasHourLimit(createRange(day, day, hours as [number, number]))),
    ).toEqual([false, true, true, true])
  })

  test('EVENT-12 several days are used whole, whatever hours were chosen before', () => {
    expect(toSpan(createRange('2026-11-19', '2026-11-20', [9, 10]))).toEqual({
      begin: toLocalTime(2026, 10, 19),
      end: toLocalTime(2026, 10, 20, 23, 59, 59, 999),
    })
    expect(hasHourLimit(createRange('2026-11-19', '2026-11-20', [9, 10]))).toBe(false)
  })

  test('EVENT-15 a single day up to hour 23 is queried past the named end, to its last millisecond', () => {
    const { end } = toSpan(createRange('2026-11-20', '2026-11-20', [9, 23]))
    const [hour, minute] = SINGLE_DAY_END.split(':').map(Number)
    expect(SINGLE_DAY_END).toBe('23:29')
    expect(end).toBeGreaterThanOrEqual(toLocalTime(2026, 10, 20, hour, minute))
    expect(end).toBe(toLocalTime(2026, 10, 20, 23, 59, 59, 999))
  })

  test('EVENT-10 an hour range ends after it starts, and 23 to 23 is the last hour', () => {
    expect(
      [
        [0, 23],
        [9, 10],
        [23, 23],
        [9, 9],
        [10, 9],
        [23, 5],
        [-1, 5],
        [5, 24],
        [1.5, 3],
      ].map((hours) => isHourRange(hours as unknown as [number, number])),
    ).toEqual([true, true, true, false, false, false, false, false, false])
    expect(toSpan(createRange('2026-11-20', '2026-11-20', [23, 23]))).toEqual({
      begin: toLocalTime(2026, 10, 20, 23),
      end: toLocalTime(2026, 10, 20, 23, 59, 59, 999),
    })
  })

  test.each([
    [true, ['12:00\u00a0AM', '9:00\u00a0AM', '12:00\u00a0PM', '10:00\u00a0PM', '11:59\u00a0PM'], '11:00\u00a0PM'],
    [false, ['00:00', '09:00', '12:00', '22:00', '23:59'], '23:00'],
  ])('EVENT-14 OPEN-168 hour 23 ends in its last minute (12-hour clock: %s)', (is12Hour, ends, start) => {
    expect([0, 9, 12, 22, 23].map((hour) => endHourLabel(hour, is12Hour))).toEqual(ends)
    expect(startHourLabel(23, is12Hour)).toBe(start)
  })
})

describe('parts of a span', () => {
  const spans = fc
    .tuple(fc.integer({ min: 0, max: 4e12 }), fc.integer({ min: 0, max: 6e9 }))
    .map(([begin, length]) => ({ begin, end: begin + length }))

  test('the newest day and the rest cover the whole span without overlap', () => {
    fc.assert(
      fc.property(spans, (span) => {
        const { newest, rest } = splitNewestDay(span)
        expect(newest.end).toBe(span.end)
        expect(toDay(newest.begin)).toBe(toDay(span.end))
        if (rest) expect([rest.begin, rest.end]).toEqual([span.begin, newest.begin - 1])
        else expect(newest.begin).toBe(span.begin)
      }),
    )
  })

  test('the newer half ends where the whole span ends and is at most half as long', () => {
    fc.assert(
      fc.property(spans, (span) => {
        const half = getNewerHalf(span)
        expect(half.end).toBe(span.end)
        expect(half.begin).toBeGreaterThanOrEqual(span.begin)
        expect(half.end - half.begin).toBeLessThanOrEqual((span.end - span.begin) / 2)
      }),
    )
  })

  test('a day in a URL must be a real day', () => {
    expect(['2026-11-20', '2026-02-30', '2026-1-2', 'today', ''].map(isDay)).toEqual([true, false, false, false, false])
  })
})

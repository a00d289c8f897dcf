import { describe, expect, test } from 'vitest'
import { parseSearchTime } from '../../../../contract/search/query-time/query-time.ts'
import { EVENT_SPAN_MAX_MS } from '../../../../contract/events/events.ts'
import {
  excludesNamedTime,
  hasNamedDays,
  getSearchSpan,
  queryTimeText,
} from '../../../../src/domain/search/query-time.ts'

/** Thursday, 26 November 2026, 14:30 in the local time zone of the tests. */
const NOW = new Date(2026, 10, 26, 14, 30).getTime()
const { timeZone: ZONE } = new Intl.DateTimeFormat().resolvedOptions()
const parseTime = (query: string) => parseSearchTime(query, NOW, ZONE)
const formatQueryTime = (query: string) => {
  const time = parseTime(query)
  return time && queryTimeText(time, NOW)
}
const localTime = (day: number, hour = 0, month = 10) => new Date(2026, month, day, hour).getTime()
const getSearchedSpan = (range: Parameters<typeof getSearchSpan>[0], query: string) =>
  getSearchSpan(range, parseTime(query), NOW)
const createDayRange = (start: string, end = start) => ({ start, end, hours: [0, 23] as const })

describe('the query time as text', () => {
  test.each([
    ['who came last night', 'Last night · 25 Nov 20:00 – 26 Nov 06:00'],
    ['a van yesterday', 'Yesterday · 25 Nov'],
    ['two people after 10 pm yesterday', 'Yesterday, 22:00 – 24:00'],
    ['courier last week', 'Last week · 16 Nov – 22 Nov'],
    ['anybody since yesterday', 'Since yesterday · 25 Nov 00:00 – 26 Nov 14:30'],
    ['a car 3 hours ago', '3 hours ago · 26 Nov 11:00 – 12:00'],
    ['front door yesterday at 18:00', 'Yesterday, 17:30 – 18:30'],
    ['a cat between 2 and 4', 'Every day 14:00 – 16:00'],
    ['nach 22 Uhr ein Auto', 'Every day 22:00 – 24:00'],
    ['kids in the morning this week', 'In the morning this week · 23 Nov – 26 Nov, every day 05:00 – 12:00'],
    ['foxes before Monday', 'Before Monday · until 22 Nov'],
    ['yesterday a fox after 10 pm', 'Yesterday, 22:00 – 24:00'],
  ])('%s', (query, expected) => expect(formatQueryTime(query)).toBe(expected))

  test('is empty if the query names no time, or only darkness', () => {
    expect([formatQueryTime('a red car'), formatQueryTime('raccoon at night')]).toEqual([null, null])
  })
})

describe('the time span of a search', () => {
  test('is the selected range if the query names no days', () => {
    for (const query of ['a fox', 'a fox after 10 pm']) {
      expect(getSearchedSpan(14, query), query).toEqual({ begin: localTime(13), end: localTime(27) - 1 })
      expect(getSearchedSpan(createDayRange('2026-11-20'), query), query).toEqual({
        begin: localTime(20),
        end: localTime(21) - 1,
      })
    }
  })

  test('is the time named by the query instead of the default days, even if that is longer', () => {
    expect(getSearchedSpan(14, 'a fox last night')).toEqual({ begin: localTime(25, 20), end: localTime(26, 6) - 1 })
    expect(getSearchedSpan(14, 'foxes in October')).toEqual({ begin: localTime(1, 0, 9), end: localTime(1) - 1 })
  })

  test('is at most what one query may request', () => {
    expect(getSearchedSpan(14, 'a fox since 1 May')).toEqual({ begin: NOW - EVENT_SPAN_MAX_MS, end: NOW })
    const { begin, end } = getSearchedSpan(14, 'foxes before Monday')
    expect([begin, end]).toEqual([end - EVENT_SPAN_MAX_MS, localTime(23) - 1])
  })

  test('is narrowed by days that were selected manually', () => {
    expect(getSearchedSpan(createDayRange('2026-11-24', '2026-11-30'), 'a fox this week')).toEqual({
      begin: localTime(24),
      end: localTime(27) - 1,
    })
    expect(getSearchedSpan(60, 'a fox yesterday')).toEqual({ begin: localTime(25), end: localTime(26) - 1 })
    expect(getSearchedSpan(createDayRange('2026-11-20'), 'a fox yesterday')).toEqual({
      begin: localTime(20),
      end: localTime(21) - 1,
    })
  })

  test('omits the named time that the selected days exclude', () => {
    const isRangeCut = (range: Parameters<typeof getSearchSpan>[0], query: string) =>
      excludesNamedTime(range, parseTime(query), NOW)
    expect([
      isRangeCut(14, 'in October'),
      isRangeCut(60, 'yesterday'),
      isRangeCut(createDayRange('2026-11-20'), 'a fox'),
    ]).toEqual([false, false, false])
    expect([
      isRangeCut(createDayRange('2026-11-20'), 'yesterday'),
      isRangeCut(createDayRange('2026-11-24', '2026-11-26'), 'this week'),
    ]).toEqual([true, true])
    expect(isRangeCut(60, 'today')).toBe(false)
    expect([hasNamedDays(parseTime('after 10 pm')), hasNamedDays(parseTime('today'))]).toEqual([false, true])
  })
})

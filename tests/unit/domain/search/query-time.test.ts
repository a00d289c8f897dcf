import { describe, expect, test } from 'vitest'
import { searchedTimeIn } from '../../../../contract/search/query-time/query-time.ts'
import { EVENT_SPAN_MAX_MS } from '../../../../contract/events/events.ts'
import { isCut, namesDays, searchedSpan, queryTimeText } from '../../../../src/domain/search/query-time.ts'

/** Thursday, 26 November 2026, 14:30 in the local time zone of the tests. */
const NOW = new Date(2026, 10, 26, 14, 30).getTime()
const { timeZone: ZONE } = new Intl.DateTimeFormat().resolvedOptions()
const parseTime = (question: string) => searchedTimeIn(question, NOW, ZONE)
const words = (question: string) => {
  const time = parseTime(question)
  return time && queryTimeText(time, NOW)
}
const at = (day: number, hour = 0, month = 10) => new Date(2026, month, day, hour).getTime()
const span = (range: Parameters<typeof searchedSpan>[0], question: string) =>
  searchedSpan(range, parseTime(question), NOW)
const days = (start: string, end = start) => ({ start, end, hours: [0, 23] as const })

describe('the query time as text', () => {
  test.each([
    ['who came last night', 'Last night · 25 Nov 20:00 – 26 Nov 06:00'],
    ['a van yesterday', 'Yesterday · 25 Nov'],
    ['two people after 10 pm yesterday', 'After 10 pm yesterday · 25 Nov 22:00 – 24:00'],
    ['courier last week', 'Last week · 16 Nov – 22 Nov'],
    ['anybody since yesterday', 'Since yesterday · 25 Nov 00:00 – 26 Nov 14:30'],
    ['a car 3 hours ago', '3 hours ago · 26 Nov 11:00 – 12:00'],
    ['a cat between 2 and 4', 'Between 2 and 4 · every day 14:00 – 16:00'],
    ['nach 22 Uhr ein Auto', 'Nach 22 Uhr · every day 22:00 – 24:00'],
    ['kids in the morning this week', 'In the morning this week · 23 Nov – 26 Nov, every day 05:00 – 12:00'],
    ['foxes before Monday', 'Before Monday · until 22 Nov'],
    ['yesterday a fox after 10 pm', 'Yesterday, after 10 pm · 25 Nov 22:00 – 24:00'],
  ])('%s', (question, expected) => expect(words(question)).toBe(expected))

  test('is empty if the query names no time, or only darkness', () => {
    expect([words('a red car'), words('raccoon at night')]).toEqual([null, null])
  })
})

describe('the time span of a search', () => {
  test('is the selected range if the query names no days', () => {
    for (const question of ['a fox', 'a fox after 10 pm']) {
      expect(span(14, question), question).toEqual({ begin: at(13), end: at(27) - 1 })
      expect(span(days('2026-11-20'), question), question).toEqual({ begin: at(20), end: at(21) - 1 })
    }
  })

  test('is the time named by the query instead of the default days, even if that is longer', () => {
    expect(span(14, 'a fox last night')).toEqual({ begin: at(25, 20), end: at(26, 6) - 1 })
    expect(span(14, 'foxes in October')).toEqual({ begin: at(1, 0, 9), end: at(1) - 1 })
  })

  test('is at most what one query may request', () => {
    expect(span(14, 'a fox since 1 May')).toEqual({ begin: NOW - EVENT_SPAN_MAX_MS, end: NOW })
    const { begin, end } = span(14, 'foxes before Monday')
    expect([begin, end]).toEqual([end - EVENT_SPAN_MAX_MS, at(23) - 1])
  })

  test('is narrowed by days that were selected manually', () => {
    expect(span(days('2026-11-24', '2026-11-30'), 'a fox this week')).toEqual({ begin: at(24), end: at(27) - 1 })
    expect(span(60, 'a fox yesterday')).toEqual({ begin: at(25), end: at(26) - 1 })
    expect(span(days('2026-11-20'), 'a fox yesterday')).toEqual({ begin: at(20), end: at(21) - 1 })
  })

  test('omits the named time that the selected days exclude', () => {
    const cut = (range: Parameters<typeof searchedSpan>[0], question: string) => isCut(range, parseTime(question), NOW)
    expect([cut(14, 'in October'), cut(60, 'yesterday'), cut(days('2026-11-20'), 'a fox')]).toEqual([
      false,
      false,
      false,
    ])
    expect([cut(days('2026-11-20'), 'yesterday'), cut(days('2026-11-24', '2026-11-26'), 'this week')]).toEqual([
      true,
      true,
    ])
    expect(cut(60, 'today')).toBe(false)
    expect([namesDays(parseTime('after 10 pm')), namesDays(parseTime('today'))]).toEqual([false, true])
  })
})

import dayjs from 'dayjs'
import * as fc from 'fast-check'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { Event } from '../../../../contract/events/events.ts'
import type { TimelineRun } from '../../../../contract/events/timeline.ts'
import { formatClock } from '../../../../src/domain/time/clock-time.ts'
import type { Span } from '../../../../src/domain/time/date-range.ts'
import { roundedDurationLabel } from '../../../../src/domain/time/date-formats.ts'
import { addDays, parseDay } from '../../../../src/domain/time/local-time.ts'
import {
  cropSegments,
  moveViewTo,
  getLast24Hours,
  formatInstant,
  panView,
  findSegmentAt,
  segmentLabel,
  getShownState,
  createTimeLabels,
  cameraViewLabel,
  formatInstantBriefly,
  viewLabel,
  VIEW_MAX_MS,
  VIEW_MIN_MS,
  zoomView,
} from '../../../../src/domain/events/timeline-viewport.ts'
import { extractFacts } from '../../../support/facts.ts'
import { HOUR_MS } from '../../../../contract/time-units.ts'

const NOW = dayjs('2026-11-20T15:00:00').valueOf()
const VIEW = getLast24Hours(NOW - 1)
const createRun = (from: number, to: number, state: TimelineRun[2] = 'recorded'): TimelineRun => [from, to, state, '']

describe('zoom and drag', () => {
  test('keep the view between half an hour and 60 days, and never show the future', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.double({ min: 0.1, max: 10, noNaN: true }), fc.integer({ min: -1e9, max: 1e9 }))),
        (steps) => {
          let now = VIEW
          for (const [factor, ms] of steps)
            now = panView(zoomView(now, factor, (now.begin + now.end) / 2, NOW), ms, NOW)
          expect(now.end).toBeLessThanOrEqual(NOW)
          expect(now.end - now.begin).toBeGreaterThanOrEqual(VIEW_MIN_MS - 1)
          expect(now.end - now.begin).toBeLessThanOrEqual(VIEW_MAX_MS + 1)
        },
      ),
    )
  })

  test('keep the instant under the pointer in its place', () => {
    const at = NOW - 6 * HOUR_MS
    const near = zoomView(VIEW, 0.5, at, NOW)
    expect((at - near.begin) / (near.end - near.begin)).toBeCloseTo(0.75)
  })

  test('center an instant from outside the view, but put the current time at the end', () => {
    const at = VIEW.begin - 5 * HOUR_MS
    expect(zoomView(VIEW, 0.5, at, NOW)).toEqual({ begin: at - 6 * HOUR_MS, end: at + 6 * HOUR_MS })
    const past = { begin: NOW - 9 * HOUR_MS, end: NOW - 6 * HOUR_MS }
    expect(zoomView(past, 1, NOW, NOW)).toEqual({ begin: NOW - 3 * HOUR_MS, end: NOW })
  })

  test('leave a view that contains the open clip unchanged, or else move to the clip', () => {
    expect(moveViewTo(VIEW, NOW - HOUR_MS, NOW)).toBe(VIEW)
    const at = NOW - 72 * HOUR_MS
    expect(moveViewTo(VIEW, at, NOW)).toEqual({ begin: at - 12 * HOUR_MS, end: at + 12 * HOUR_MS })
  })
})

describe('last 24 hours', () => {
  test('contain each instant of the current minute, and are a day long', () => {
    for (const later of [0, 1, 34_000, 59_999]) {
      const { begin, end } = getLast24Hours(NOW + later)
      expect(NOW + later).toBeLessThan(end)
      expect(end - begin).toBe(24 * HOUR_MS)
      expect({ begin, end }).toEqual(getLast24Hours(NOW))
    }
  })
})

describe('segments in a view', () => {
  test('are clipped to the view without gaps', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 3 * HOUR_MS }), { minLength: 1 }), (lengths) => {
        let at = VIEW.begin - HOUR_MS
        const runs = lengths.map((length) => createRun(at, (at += length)))
        const inside = cropSegments(runs, VIEW)
        for (const segment of inside) {
          expect(segment[0]).toBeGreaterThanOrEqual(VIEW.begin)
          expect(segment[1]).toBeLessThanOrEqual(VIEW.end)
        }
        for (const [before, segment] of inside.slice(1).entries()) expect(segment[0]).toBe(inside[before]?.[1])
      }),
    )
  })

  test('are found by their instants: the end belongs to the next segment', () => {
    const runs = [createRun(0, 10), createRun(10, 20, 'asleep')]
    expect(findSegmentAt(runs, 10)?.[2]).toBe('asleep')
    expect(findSegmentAt(runs, 20)).toBeUndefined()
  })

  test('are filtered out if the filter hides all their events', () => {
    const event: Event = {
      event_id: 'e',
      device_id: 'CAM1',
      event_ts: 5,
      tags: [],
      event_values: [],
      title: '',
      event_resources: [],
      reviewed: false,
    }
    expect(getShownState(createRun(0, 10), [event], () => false)).toBe('filtered_out')
    expect(getShownState(createRun(0, 10), [event], () => true)).toBe('recorded')
    expect(getShownState(createRun(0, 10), [], () => false)).toBe('recorded')
    expect(getShownState(createRun(0, 10, 'asleep'), [event], () => false)).toBe('asleep')
  })
})

describe('labels on a day with a clock change', () => {
  afterEach(() => {
    vi.unstubAllEnvs()
  })
  const createDayInZone = (zone: string, day: string) => {
    vi.stubEnv('TZ', zone)
    return { begin: parseDay(day), end: addDays(parseDay(day), 1) }
  }
  const listLabels = (span: Span, maxCount: number) => createTimeLabels(span, maxCount).map(({ label }) => label)

  test.each([
    ['America/New_York', '2026-11-01', 5, ['Sun 00:00', '06:00', '12:00', '18:00', 'Mon 00:00']],
    ['America/New_York', '2026-11-01', 3, ['Sun 00:00', '12:00', 'Mon 00:00']],
    ['America/New_York', '2026-03-08', 3, ['Sun 00:00', '12:00', 'Mon 00:00']],
    ['Europe/Berlin', '2026-03-29', 5, ['Sun 00:00', '06:00', '12:00', '18:00', 'Mon 00:00']],
    ['Australia/Lord_Howe', '2026-10-04', 5, ['Sun 00:00', '06:00', '12:00', '18:00', 'Mon 00:00']],
    ['America/Santiago', '2026-09-06', 5, ['Sun 01:00', '06:00', '12:00', '18:00', 'Mon 00:00']],
  ])('in %s on %s, %i at most, are at round hours', (zone, day, maxCount, expected) => {
    expect(listLabels(createDayInZone(zone, day), maxCount)).toEqual(expected)
  })

  test('show an hour that occurs twice as clocks do, or once if only one fits', () => {
    const berlin = createDayInZone('Europe/Berlin', '2026-10-25')
    const repeated = listLabels(berlin, 26).slice(1, 6)
    expect(repeated).toEqual(['01:00', '02:00', '02:00', '03:00', '04:00'])
    expect(listLabels(berlin, 13).slice(0, 4)).toEqual(['Sun 00:00', '02:00', '04:00', '06:00'])
    const second = berlin.begin + 3 * HOUR_MS
    expect(listLabels({ begin: second, end: second + HOUR_MS / 2 }, 3)).toEqual([
      'Sun 02:00',
      '02:10',
      '02:20',
      '02:30',
    ])
  })

  test.each([
    ['America/New_York', '2026-03-08', '2026-11-01'],
    ['Europe/Berlin', '2026-03-29', '2026-10-25'],
    ['Australia/Lord_Howe', '2026-10-04', '2026-04-05'],
    ['America/Santiago', '2026-09-06', '2026-04-04'],
    ['America/Havana', '2026-03-08', '2026-11-01'],
  ])('in %s have enough space, match their position, and include every round hour that fits', (zone, ...days) => {
    for (const { begin, end } of days.map((day) => createDayInZone(zone, day)))
      for (const [maxCount, minutes] of [
        [26, 60],
        [13, 120],
        [9, 180],
        [5, 360],
        [3, 720],
      ] as const) {
        const [labels, room] = [createTimeLabels({ begin, end }, maxCount), (minutes * 60_000 * 5) / 6]
        const labelTimes = labels.map(({ at }) => at)
        expect(labels.map(({ label }) => label.slice(-5))).toEqual(labelTimes.map(formatClock))
        for (const [before, at] of labelTimes.slice(1).entries())
          expect(at - (labelTimes[before] ?? NaN)).toBeGreaterThanOrEqual(room)
        const halfHours = Array.from({ length: 52 }, (_, index) => begin + (index * HOUR_MS) / 2).filter(
          (at) => at <= end,
        )
        const isRound = (at: number) => (new Date(at).getHours() * 60 + new Date(at).getMinutes()) % minutes === 0
        const hasRoom = (at: number) => !labelTimes.some((position) => position < at && at - position < room)
        expect(labelTimes).toEqual(halfHours.filter((at) => (isRound(at) || at === begin) && hasRoom(at)))
      }
  })
})

describe('timeline labels', () => {
  test('are at round local times, at most one more than requested', () => {
    fc.assert(
      fc.property(fc.integer({ min: VIEW_MIN_MS, max: VIEW_MAX_MS }), (length) => {
        const labels = createTimeLabels({ begin: NOW - length, end: NOW }, 9)
        expect(labels.length).toBeGreaterThan(0)
        expect(labels.length).toBeLessThanOrEqual(10)
        for (const { at } of labels) expect(dayjs(at).second()).toBe(0)
      }),
    )
    expect(createTimeLabels(VIEW, 9).map(({ label }) => label)).toContain('Fri 00:00')
  })

  test('state what a segment was, since when and for how long', () => {
    const from = dayjs('2026-11-20T07:12:00').valueOf()
    const { title, reason } = segmentLabel(
      [from, from + 2 * HOUR_MS + 46 * 60_000, 'offline', 'No Wi-Fi.'],
      'offline',
      NOW,
    )
    expect(extractFacts(title, 'offline')).toEqual(['offline', '07:12:00', '2 h', '46 min'])
    expect(reason).toBe('No Wi-Fi.')
    expect([18_000, 60_000, 60 * 60_000, 72 * HOUR_MS].map(roundedDurationLabel)).toEqual([
      '18 s',
      '1 min',
      '1 h',
      '3 days',
    ])
  })

  test('show an instant with its weekday or date only if needed', () => {
    const at = [NOW - HOUR_MS, NOW - 30 * HOUR_MS, NOW - 20 * 24 * HOUR_MS].map((time) => formatInstant(time, NOW))
    expect(at).toEqual(['14:00:00', 'Thu 09:00:00', '31 Oct 15:00:00'])
  })

  test('describe the visible range', () => {
    expect(viewLabel(VIEW, NOW)).toBe('Last 24 hours')
    expect(viewLabel({ begin: NOW - 2 * HOUR_MS, end: NOW }, NOW)).toBe('Fri 20 November, 13:00 – 15:00')
    expect(viewLabel({ begin: NOW - 240 * HOUR_MS, end: NOW }, NOW)).toBe('10 – 20 November')
    expect(cameraViewLabel('Street', VIEW, NOW)).toBe('Street, last 24 hours')
  })

  test('format the instant of a scrub without seconds', () => {
    expect(formatInstantBriefly(NOW - HOUR_MS, NOW)).toBe('14:00')
    expect(formatInstantBriefly(NOW - 25 * HOUR_MS, NOW)).toBe('Thu 14:00')
  })
})

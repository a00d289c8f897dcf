import dayjs from 'dayjs'
import * as fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Event } from '../../../../contract/events/events.ts'
import type { TimelineRun } from '../../../../contract/events/timeline.ts'
import { clock } from '../../../../src/domain/time/clock-time.ts'
import type { Span } from '../../../../src/domain/time/date-range.ts'
import { lengthLabel } from '../../../../src/domain/time/date-formats.ts'
import { addDays, parseDay } from '../../../../src/domain/time/local-time.ts'
import {
  cut,
  holding,
  lastDay,
  formatInstant,
  panned,
  runAt,
  runLabel,
  shownState,
  ticks,
  viewLabel,
  VIEW_MAX_MS,
  VIEW_MIN_MS,
  zoomed,
} from '../../../../src/domain/events/timeline-viewport.ts'
import { extractFacts } from '../../../support/facts.ts'

const NOW = dayjs('2026-11-20T15:00:00').valueOf()
const HOUR = 3_600_000
const view = lastDay(NOW - 1)
const run = (from: number, to: number, state: TimelineRun[2] = 'recorded'): TimelineRun => [from, to, state, '']

describe('zoom and drag', () => {
  it('keep between half an hour and 60 days, and never show the future', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.double({ min: 0.1, max: 10, noNaN: true }), fc.integer({ min: -1e9, max: 1e9 }))),
        (steps) => {
          let now = view
          for (const [factor, ms] of steps) now = panned(zoomed(now, factor, (now.begin + now.end) / 2, NOW), ms, NOW)
          expect(now.end).toBeLessThanOrEqual(NOW)
          expect(now.end - now.begin).toBeGreaterThanOrEqual(VIEW_MIN_MS - 1)
          expect(now.end - now.begin).toBeLessThanOrEqual(VIEW_MAX_MS + 1)
        },
      ),
    )
  })

  it('leave the instant under the pointer in its place', () => {
    const at = NOW - 6 * HOUR
    const near = zoomed(view, 0.5, at, NOW)
    expect((at - near.begin) / (near.end - near.begin)).toBeCloseTo(0.75)
  })

  it('bring an instant that was not in view into its middle, now to its end', () => {
    const at = view.begin - 5 * HOUR
    expect(zoomed(view, 0.5, at, NOW)).toEqual({ begin: at - 6 * HOUR, end: at + 6 * HOUR })
    const past = { begin: NOW - 9 * HOUR, end: NOW - 6 * HOUR }
    expect(zoomed(past, 1, NOW, NOW)).toEqual({ begin: NOW - 3 * HOUR, end: NOW })
  })

  it('leave a view that holds the open clip as it is, else go to the clip', () => {
    expect(holding(view, NOW - HOUR, NOW)).toBe(view)
    const at = NOW - 72 * HOUR
    expect(holding(view, at, NOW)).toEqual({ begin: at - 12 * HOUR, end: at + 12 * HOUR })
  })
})

describe('the last 24 hours', () => {
  it('hold each instant of the minute that has begun, and are a day long', () => {
    for (const later of [0, 1, 34_000, 59_999]) {
      const { begin, end } = lastDay(NOW + later)
      expect(NOW + later).toBeLessThan(end)
      expect(end - begin).toBe(24 * HOUR)
      expect({ begin, end }).toEqual(lastDay(NOW))
    }
  })
})

describe('runs in a view', () => {
  it('are cut to it and still gapless', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 3 * HOUR }), { minLength: 1 }), (lengths) => {
        let at = view.begin - HOUR
        const runs = lengths.map((length) => run(at, (at += length)))
        const inside = cut(runs, view)
        for (const segment of inside) {
          expect(segment[0]).toBeGreaterThanOrEqual(view.begin)
          expect(segment[1]).toBeLessThanOrEqual(view.end)
        }
        for (const [before, segment] of inside.slice(1).entries()) expect(segment[0]).toBe(inside[before]?.[1])
      }),
    )
  })

  it('are found by their instants: the end belongs to the next', () => {
    const runs = [run(0, 10), run(10, 20, 'asleep')]
    expect(runAt(runs, 10)?.[2]).toBe('asleep')
    expect(runAt(runs, 20)).toBeUndefined()
  })

  it('are filtered out when the filter hides all that happened in them', () => {
    const event: Event = {
      ...{ event_id: 'e', device_id: 'CAM1', event_ts: 5, tags: [], event_values: [], title: '' },
      ...{ event_resources: [], reviewed: false },
    }
    expect(shownState(run(0, 10), [event], () => false)).toBe('filtered_out')
    expect(shownState(run(0, 10), [event], () => true)).toBe('recorded')
    expect(shownState(run(0, 10), [], () => false)).toBe('recorded')
    expect(shownState(run(0, 10, 'asleep'), [event], () => false)).toBe('asleep')
  })
})

describe('labels of a day on which clocks change', () => {
  afterEach(() => {
    vi.unstubAllEnvs()
  })
  const dayIn = (zone: string, day: string) => {
    vi.stubEnv('TZ', zone)
    return { begin: parseDay(day), end: addDays(parseDay(day), 1) }
  }
  const listLabels = (span: Span, maxCount: number) => ticks(span, maxCount).map(({ label }) => label)

  it.each([
    ['America/New_York', '2026-11-01', 5, ['Sun 00:00', '06:00', '12:00', '18:00', 'Mon 00:00']],
    ['America/New_York', '2026-11-01', 3, ['Sun 00:00', '12:00', 'Mon 00:00']],
    ['America/New_York', '2026-03-08', 3, ['Sun 00:00', '12:00', 'Mon 00:00']],
    ['Europe/Berlin', '2026-03-29', 5, ['Sun 00:00', '06:00', '12:00', '18:00', 'Mon 00:00']],
    ['Australia/Lord_Howe', '2026-10-04', 5, ['Sun 00:00', '06:00', '12:00', '18:00', 'Mon 00:00']],
    ['America/Santiago', '2026-09-06', 5, ['Sun 01:00', '06:00', '12:00', '18:00', 'Mon 00:00']],
  ])('in %s on %s, %i at most, stand on round hours', (zone, day, maxCount, expected) => {
    expect(listLabels(dayIn(zone, day), maxCount)).toEqual(expected)
  })

  it('say the hour that comes twice as clocks do, once where there is room for one', () => {
    const berlin = dayIn('Europe/Berlin', '2026-10-25')
    const repeated = listLabels(berlin, 26).slice(1, 6)
    expect(repeated).toEqual(['01:00', '02:00', '02:00', '03:00', '04:00'])
    expect(listLabels(berlin, 13).slice(0, 4)).toEqual(['Sun 00:00', '02:00', '04:00', '06:00'])
    const second = berlin.begin + 3 * HOUR
    expect(listLabels({ begin: second, end: second + HOUR / 2 }, 3)).toEqual(['Sun 02:00', '02:10', '02:20', '02:30'])
  })

  it.each([
    ['America/New_York', '2026-03-08', '2026-11-01'],
    ['Europe/Berlin', '2026-03-29', '2026-10-25'],
    ['Australia/Lord_Howe', '2026-10-04', '2026-04-05'],
    ['America/Santiago', '2026-09-06', '2026-04-04'],
    ['America/Havana', '2026-03-08', '2026-11-01'],
  ])('in %s have room, say the time of their place, and leave no round hour out that has room', (zone, ...days) => {
    for (const { begin, end } of days.map((day) => dayIn(zone, day)))
      for (const [maxCount, minutes] of [
        [26, 60],
        [13, 120],
        [9, 180],
        [5, 360],
        [3, 720],
      ] as const) {
        const [labels, room] = [ticks({ begin, end }, maxCount), (minutes * 60_000 * 5) / 6]
        const places = labels.map(({ at }) => at)
        expect(labels.map(({ label }) => label.slice(-5))).toEqual(places.map(clock))
        for (const [before, at] of places.slice(1).entries())
          expect(at - (places[before] ?? NaN)).toBeGreaterThanOrEqual(room)
        const halfHours = Array.from({ length: 52 }, (_, index) => begin + (index * HOUR) / 2).filter((at) => at <= end)
        const isRound = (at: number) => (new Date(at).getHours() * 60 + new Date(at).getMinutes()) % minutes === 0
        const hasRoom = (at: number) => !places.some((position) => position < at && at - position < room)
        expect(places).toEqual(halfHours.filter((at) => (isRound(at) || at === begin) && hasRoom(at)))
      }
  })
})

describe('labels', () => {
  it('stand on round local times, at most as many as asked for and one', () => {
    fc.assert(
      fc.property(fc.integer({ min: VIEW_MIN_MS, max: VIEW_MAX_MS }), (length) => {
        const labels = ticks({ begin: NOW - length, end: NOW }, 9)
        expect(labels.length).toBeGreaterThan(0)
        expect(labels.length).toBeLessThanOrEqual(10)
        for (const { at } of labels) expect(dayjs(at).second()).toBe(0)
      }),
    )
    expect(ticks(view, 9).map(({ label }) => label)).toContain('Fri 00:00')
  })

  it('say what a run was, since when and how long', () => {
    const from = dayjs('2026-11-20T07:12:00').valueOf()
    const { title, reason } = runLabel([from, from + 2 * HOUR + 46 * 60_000, 'offline', 'No Wi-Fi.'], 'offline', NOW)
    expect(extractFacts(title, 'offline')).toEqual(['offline', '07:12:00', '2 h', '46 min'])
    expect(reason).toBe('No Wi-Fi.')
    expect([18_000, 60_000, 60 * 60_000, 72 * HOUR].map(lengthLabel)).toEqual(['18 s', '1 min', '1 h', '3 days'])
  })

  it('say an instant with what of its day is not plain', () => {
    const at = [NOW - HOUR, NOW - 30 * HOUR, NOW - 20 * 24 * HOUR].map((time) => formatInstant(time, NOW))
    expect(at).toEqual(['14:00:00', 'Thu 09:00:00', '31 Oct 15:00:00'])
  })

  it('say what a view shows', () => {
    expect(viewLabel(view, NOW)).toBe('Last 24 hours')
    expect(viewLabel({ begin: NOW - 2 * HOUR, end: NOW }, NOW)).toBe('Fri 20 November, 13:00 – 15:00')
    expect(viewLabel({ begin: NOW - 240 * HOUR, end: NOW }, NOW)).toBe('10 – 20 November')
  })
})

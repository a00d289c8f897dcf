import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { TimelineRun } from '../../../../contract/events/timeline.ts'
import {
  gapsSentence,
  formatOnTime,
  type TimelineTotals,
  sumSegments,
  totalsText,
} from '../../../../src/domain/events/timeline-totals.ts'
import { extractFacts } from '../../../support/facts.ts'
import { HOUR_MS, MINUTE_MS } from '../../../../contract/time-units.ts'

const VIEW = { begin: 0, end: 24 * HOUR_MS }
const NOW = VIEW.end
const createRun = (from: number, to: number, state: TimelineRun[2]): TimelineRun => [from, to, state, '']
const createTotals = (more: Partial<TimelineTotals> = {}): TimelineTotals => ({
  passed: 24 * HOUR_MS,
  on: 24 * HOUR_MS,
  asleep: 0,
  offline: 0,
  boxOff: 0,
  switchedOff: 0,
  ...more,
})

describe('timeline totals', () => {
  const runs = [
    createRun(-HOUR_MS, 10 * HOUR_MS, 'live_only'),
    createRun(10 * HOUR_MS, 11 * HOUR_MS, 'recorded'),
    createRun(11 * HOUR_MS, 11 * HOUR_MS + 26 * MINUTE_MS, 'offline'),
    createRun(11 * HOUR_MS + 26 * MINUTE_MS, 25 * HOUR_MS, 'not_watched'),
  ]

  test('state how long the camera was on, and its other states', () => {
    expect(sumSegments(runs, VIEW, NOW)).toEqual(
      createTotals({ on: 24 * HOUR_MS - 26 * MINUTE_MS, offline: 26 * MINUTE_MS }),
    )
    expect(formatOnTime(sumSegments(runs, VIEW, NOW), VIEW)).toBe('23 h 34 min')
    expect(totalsText(sumSegments(runs, VIEW, NOW), VIEW)).toMatch(/23 h 34 min, offline 26 min$/)
    const mixed = createTotals({ on: 2 * HOUR_MS, asleep: 20 * HOUR_MS, boxOff: HOUR_MS, switchedOff: HOUR_MS })
    expect(extractFacts(totalsText(mixed, VIEW), 'asleep', 'hub', 'turned off')).toEqual([
      '2 h',
      'asleep',
      '20 h',
      'hub',
      '1 h',
      'turned off',
      '1 h',
    ])
  })

  test('omit the future and anything shorter than two minutes', () => {
    const late = NOW - 40_000
    const all = [createRun(0, late, 'live_only'), createRun(late, NOW, 'unknown')]
    expect(formatOnTime(sumSegments(all, VIEW, late), VIEW)).toBe('24 h')
    expect(totalsText(createTotals({ on: 24 * HOUR_MS - 110_000, offline: 110_000 }), VIEW)).toMatch(/^\D+24 h$/)
    expect(formatOnTime(createTotals({ on: 0, asleep: 24 * HOUR_MS }), VIEW)).toBe('0 min')
  })

  test('never sum to more than the elapsed time', () => {
    const states = fc.constantFrom(
      'recorded',
      'live_only',
      'asleep',
      'offline',
      'bridge_off',
      'switched_off',
      'unknown',
    )
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.integer({ min: 1, max: 9 * HOUR_MS }), states)), (lengths) => {
        let at = -2 * HOUR_MS
        const { passed, ...parts } = sumSegments(
          lengths.map(([length, state]) => createRun(at, (at += length), state as TimelineRun[2])),
          VIEW,
          NOW,
        )
        expect(Object.values(parts).reduce((sum, part) => sum + part, 0)).toBeLessThanOrEqual(passed)
      }),
    )
  })
})

describe('missing-time sentence', () => {
  const createOfflineCamera = (name: string, minutes: number) => ({
    name,
    sums: createTotals({ offline: minutes * MINUTE_MS }),
  })
  const listMissingFacts = (...of: Parameters<typeof gapsSentence>) =>
    extractFacts(gapsSentence(...of), 'Driveway', 'Street', 'Garage', 'hub')

  test('names the offline cameras and durations, the longest first', () => {
    expect(listMissingFacts([createOfflineCamera('Driveway', 26), createOfflineCamera('Street', 0)])).toEqual([
      'Driveway',
      '26 min',
    ])
    expect(listMissingFacts([createOfflineCamera('Driveway', 26), createOfflineCamera('Street', 90)])).toEqual([
      'Street',
      '1 h',
      '30 min',
      'Driveway',
      '26 min',
    ])
    expect(
      listMissingFacts([
        createOfflineCamera('Driveway', 26),
        createOfflineCamera('Street', 90),
        createOfflineCamera('Garage', 3),
      ]),
    ).toEqual(['3', 'Street', '1 h', '30 min'])
  })

  test('reports the hub in plain words, and states if nothing was missing', () => {
    const boxOff = { name: 'Driveway', sums: createTotals({ boxOff: 12 * MINUTE_MS }) }
    expect(listMissingFacts([boxOff, boxOff])).toEqual(['hub', '12 min'])
    expect(listMissingFacts([boxOff, createOfflineCamera('Street', 5)])).toEqual(['hub', '12 min', 'Street', '5 min'])
    expect(listMissingFacts([createOfflineCamera('Driveway', 0)])).toEqual([])
    expect([gapsSentence([createOfflineCamera('Driveway', 0)]) === '', gapsSentence([])]).toEqual([false, ''])
  })
})

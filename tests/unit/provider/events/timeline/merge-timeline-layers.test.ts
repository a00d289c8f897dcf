import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type TimelineState, timelineState } from '../../../../../contract/events/timeline.ts'
import {
  mergeTimelineLayers,
  DEFAULT_TIMELINE_REASONS,
  type TimelineSegment,
} from '../../../../../provider/events/timeline/merge-timeline-layers.ts'

const segmentArbitrary = fc
  .record({
    from: fc.integer({ min: 0, max: 1000 }),
    length: fc.integer({ min: 0, max: 300 }),
    state: fc.constantFrom(...timelineState.options),
  })
  .map(({ from, length, state }): TimelineSegment => ({
    from,
    to: from + length,
    state,
    reason: DEFAULT_TIMELINE_REASONS[state],
  }))
const rangeArbitrary = fc.tuple(fc.integer({ min: 0, max: 900 }), fc.integer({ min: 1, max: 400 }))

describe('timeline segments', () => {
  test('have no gaps or overlaps, and sum to the range', () => {
    fc.assert(
      fc.property(fc.array(segmentArbitrary, { maxLength: 40 }), rangeArbitrary, (segments, [begin, length]) => {
        const runs = mergeTimelineLayers(begin, begin + length, segments)
        expect([runs[0]?.[0], runs.at(-1)?.[1]]).toEqual([begin, begin + length])
        for (const [i, [from, to]] of runs.entries()) {
          expect(to).toBeGreaterThan(from)
          expect(from).toBe(runs[i - 1]?.[1] ?? begin)
        }
        expect(runs.reduce((sum, [from, to]) => sum + to - from, 0)).toBe(length)
      }),
    )
  })

  test('have at each moment the state of an input segment, and differ from their neighbors', () => {
    fc.assert(
      fc.property(fc.array(segmentArbitrary, { maxLength: 12 }), rangeArbitrary, (segments, [begin, length]) => {
        const runs = mergeTimelineLayers(begin, begin + length, segments)
        for (const [i, [from, to, state, reason]] of runs.entries()) {
          for (let at = from; at < to; at += 1) {
            const coveringSegments = segments.filter((span) => span.from <= at && at < span.to)
            if (coveringSegments.length === 0) expect(state).toBe('unknown')
            else expect(coveringSegments.map((span) => span.state)).toContain(state)
            expect(state === 'recorded').toBe(coveringSegments.some((span) => span.state === 'recorded'))
          }
          expect([state, reason]).not.toEqual(runs[i + 1]?.slice(2))
        }
      }),
      { numRuns: 60 },
    )
  })

  test('of a day of 23 or 25 hours sum to its length', () => {
    for (const hours of [23, 24, 25]) {
      const begin = Date.UTC(2026, 2, 28, 23)
      const end = begin + hours * 3_600_000
      const runs = mergeTimelineLayers(begin, end, [
        { from: begin - 5, to: begin + 7000, state: 'recorded', reason: '' },
      ])
      expect(runs).toEqual([
        [begin, begin + 7000, 'recorded', ''],
        [begin + 7000, end, 'unknown', DEFAULT_TIMELINE_REASONS.unknown],
      ])
    }
  })

  test.each<[TimelineState, TimelineState]>([
    ['recorded', 'bridge_off'],
    ['not_indexed', 'live_only'],
    ['not_kept', 'live_only'],
    ['expired', 'asleep'],
    ['offline', 'live_only'],
  ])('prefer %s over %s', (strong, weak) => {
    const both = [weak, strong].map((state) => ({ from: 0, to: 9, state, reason: '' }))
    expect(mergeTimelineLayers(0, 9, both)).toEqual([[0, 9, strong, '']])
    expect(mergeTimelineLayers(0, 9, both.toReversed())).toEqual([[0, 9, strong, '']])
  })
})

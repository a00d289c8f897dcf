import { expect, test } from 'vitest'
import type { TimelineRun, TimelineState } from '../../../../contract/events/timeline.ts'
import type { Event } from '../../../../contract/events/events.ts'
import { joinVisitSegments } from '../../../../src/domain/events/visit-segments.ts'
import type { Visit } from '../../../../src/domain/events/visits.ts'

const createSegments = (...parts: [from: number, to: number, state: TimelineState][]): TimelineRun[] =>
  parts.map(([from, to, state]) => [from, to, state, ''])
const createVisit = (begin: number, end: number, clipCount = 2): Visit => ({
  begin,
  end,
  clips: Array.from({ length: clipCount }, (_, i): Event => ({
    event_id: `e${begin}-${i}`,
    device_id: 'street',
    event_ts: begin,
    tags: [],
    event_values: [],
    title: 'Motion',
    event_resources: [],
    reviewed: true,
  })),
})

test('a visit is one block from the start of its first clip to the end of its last', () => {
  const segments = createSegments(
    [0, 10, 'live_only'],
    [10, 30, 'recorded'],
    [30, 40, 'live_only'],
    [40, 60, 'recorded'],
    [60, 200, 'live_only'],
  )
  expect(joinVisitSegments(segments, [createVisit(10, 60)])).toEqual(
    createSegments([0, 10, 'live_only'], [10, 60, 'recorded'], [60, 200, 'live_only']),
  )
})

test('other states stay, and single clips and separate visits keep their own blocks', () => {
  const segments = createSegments(
    [0, 20, 'recorded'],
    [20, 30, 'offline'],
    [30, 50, 'recorded'],
    [50, 60, 'live_only'],
    [60, 80, 'recorded'],
    [80, 90, 'live_only'],
    [90, 100, 'recorded'],
  )
  expect(joinVisitSegments(segments, [createVisit(90, 100, 1), createVisit(60, 80, 1), createVisit(0, 50)])).toEqual(
    segments,
  )
  expect(joinVisitSegments(segments, [createVisit(60, 100), createVisit(0, 50)])).toEqual(
    createSegments(
      [0, 20, 'recorded'],
      [20, 30, 'offline'],
      [30, 50, 'recorded'],
      [50, 60, 'live_only'],
      [60, 100, 'recorded'],
    ),
  )
  expect(joinVisitSegments(segments, [])).toEqual(segments)
})

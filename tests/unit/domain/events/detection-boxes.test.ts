import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import {
  BOXES_MAX,
  clipDetections,
  parseDetections,
  TRACKS_MAX,
  type DetectionTrack,
} from '../../../../contract/events/detections.ts'
import {
  formatDetectionKind,
  getDetectionSpan,
  detectionsText,
  interpolateBox,
} from '../../../../src/domain/events/detection-boxes.ts'
import { getContainedRect } from '../../../../src/media/clip/watch-frames.ts'

const PERSON_TRACK: DetectionTrack = {
  kind: 'person',
  boxes: [
    [100, 0, 100, 200, 400],
    [200, 500, 100, 100, 400],
    [400, 500, 300, 100, 200],
  ],
}

describe('the position of a detection', () => {
  test('moves linearly between two boxes', () => {
    expect(interpolateBox(PERSON_TRACK, 1)).toEqual({ x: 0, y: 0.1, w: 0.2, h: 0.4 })
    expect(interpolateBox(PERSON_TRACK, 1.5)).toEqual({ x: 0.25, y: 0.1, w: 0.15, h: 0.4 })
    const later = interpolateBox(PERSON_TRACK, 3)
    expect([later?.y, later?.h]).toEqual([expect.closeTo(0.2), expect.closeTo(0.3)])
  })

  test('is known up to a quarter of a second around the track, and not before or after', () => {
    expect(interpolateBox(PERSON_TRACK, 0.8)).toEqual(interpolateBox(PERSON_TRACK, 1))
    expect(interpolateBox(PERSON_TRACK, 4.2)).toEqual(interpolateBox(PERSON_TRACK, 4))
    expect([interpolateBox(PERSON_TRACK, 0.7), interpolateBox(PERSON_TRACK, 4.3)]).toEqual([null, null])
  })

  test('stays constant for a single box', () => {
    expect(interpolateBox({ kind: 'pet', boxes: [[50, 10, 20, 30, 40]] }, 0.6)).toEqual({
      x: 0.01,
      y: 0.02,
      w: 0.03,
      h: 0.04,
    })
  })
})

test('kinds are named like their tags, and those without a tag as the camera names them', () => {
  expect(['person', 'package', 'drone'].map(formatDetectionKind)).toEqual(['Person', 'Package', 'Drone'])
  expect(detectionsText([PERSON_TRACK, PERSON_TRACK, { ...PERSON_TRACK, kind: 'package' }])).toBe(
    'Outlined: person, package',
  )
})

test('the span of all detections reaches from the first box to the last', () => {
  expect(getDetectionSpan([PERSON_TRACK, { kind: 'pet', boxes: [[50, 0, 0, 1, 1]] }])).toEqual({ from: 0.5, to: 4 })
  expect(getDetectionSpan([])).toBeNull()
})

test('a video frame that is shown whole is centered, with bars beside or above', () => {
  const wide = { width: 1280, height: 720 }
  expect(getContainedRect({ width: 640, height: 360 }, wide)).toEqual({ left: 0, top: 0, width: 640, height: 360 })
  expect(getContainedRect({ width: 640, height: 400 }, wide)).toEqual({ left: 0, top: 20, width: 640, height: 360 })
  expect(getContainedRect({ width: 800, height: 360 }, wide)).toEqual({ left: 80, top: 0, width: 640, height: 360 })
})

test('detections that a page cannot read count as none', () => {
  expect(parseDetections([PERSON_TRACK])).toEqual([PERSON_TRACK])
  expect([parseDetections(undefined), parseDetections([{ kind: 'person', boxes: 'many' }])]).toEqual([[], []])
})

test('a clip has a limited number of boxes, each within the frame', () => {
  const createTrack = (count: number): DetectionTrack => ({
    kind: 'person',
    boxes: Array.from({ length: count }, (_, i) => [i, 0, 0, 10, 10]),
  })
  expect(v.safeParse(clipDetections, [createTrack(BOXES_MAX)]).success).toBe(true)
  expect(v.safeParse(clipDetections, [createTrack(BOXES_MAX + 1)]).success).toBe(false)
  const tracks = Array.from({ length: TRACKS_MAX }, () => createTrack(1))
  expect(v.safeParse(clipDetections, tracks).success).toBe(true)
  expect(v.safeParse(clipDetections, [...tracks, createTrack(1)]).success).toBe(false)
  for (const box of [
    [0, -1, 0, 1, 1],
    [0, 0, 0, 1001, 1],
    [0, 0, 0.5, 1, 1],
    [0, 0, 0, 1],
  ])
    expect(v.safeParse(clipDetections, [{ kind: 'person', boxes: [box] }]).success).toBe(false)
})

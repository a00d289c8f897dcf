import { describe, expect, test } from 'vitest'
import * as v from 'valibot'
import { cameraSettings } from '../../../../contract/cameras/camera-settings.ts'
import {
  addZone,
  removePoint,
  removeZone,
  movePoint,
  POINT_COUNT,
  splitEdge,
  ZONES_MAX,
  type Zones,
} from '../../../../src/domain/live/motion-zones.ts'

const accepts = (zones: Zones) => v.is(cameraSettings.entries.zones, zones)
const triangle: Zones = [
  [
    [0, 0],
    [1, 0],
    [0, 1],
  ],
]

describe('motion zones', () => {
  test('are limited to the number that a camera accepts', () => {
    let zones: Zones = []
    for (let at = 0; at < ZONES_MAX + 2; at++) zones = addZone(zones)
    expect(zones).toHaveLength(ZONES_MAX)
    expect(accepts(zones)).toBe(true)
    expect(removeZone(zones, 0)).toHaveLength(ZONES_MAX - 1)
  })

  test('keep their corners inside the image', () => {
    const moved = movePoint(triangle, 0, 1, [1.4, -0.2])
    expect(moved[0]?.[1]).toEqual([1, 0])
    expect(movePoint(triangle, 0, 2, [0.25, 0.5])[0]?.[2]).toEqual([0.25, 0.5])
    expect(accepts(moved)).toBe(true)
  })

  test('gain a corner halfway along an edge, up to the maximum that a camera accepts', () => {
    expect(splitEdge(triangle, 0, 0)[0]?.[1]).toEqual([0.5, 0])
    expect(splitEdge(triangle, 0, 2)[0]?.[3]).toEqual([0, 0.5])
    let zones = triangle
    for (let at = 0; at < POINT_COUNT.max + 3; at++) zones = splitEdge(zones, 0, 0)
    expect(zones[0]).toHaveLength(POINT_COUNT.max)
    expect(accepts(zones)).toBe(true)
  })

  test('keep at least three corners', () => {
    const four = splitEdge(triangle, 0, 0)
    expect(removePoint(four, 0, 1)).toEqual(triangle)
    expect(removePoint(triangle, 0, 1)).toBe(triangle)
  })
})

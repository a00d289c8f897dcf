import { describe, expect, test } from 'vitest'
import { panZoom, toggleZoom, NO_ZOOM, type Zoom, scaleZoom, zoomLabel } from '../../../../src/domain/live/zoom.ts'

/**
 * Converts the view position `at` to an image position. Both are fractions of the width and height.
 */
const toImagePoint = ({ scale, x, y }: Zoom, at: { x: number; y: number }) => ({
  x: x + at.x / scale,
  y: y + at.y / scale,
})

describe('zoom', () => {
  test('keeps the point under the pointer in place when zooming in and out', () => {
    const at = { x: 0.8, y: 0.3 }
    const near = scaleZoom(scaleZoom(NO_ZOOM, 2, at), 1.7, at)
    expect(near.scale).toBeCloseTo(3.4)
    expect(toImagePoint(near, at).x).toBeCloseTo(0.8)
    expect(toImagePoint(near, at).y).toBeCloseTo(0.3)
    const other = { x: 0.2, y: 0.9 }
    const before = toImagePoint(near, other)
    const out = scaleZoom(near, 0.8, other)
    expect(toImagePoint(out, other).x).toBeCloseTo(before.x)
    expect(toImagePoint(out, other).y).toBeCloseTo(before.y)
  })

  test('is limited to 1x to 8x', () => {
    expect(scaleZoom(NO_ZOOM, 0.5)).toEqual(NO_ZOOM)
    expect(scaleZoom(NO_ZOOM, 100)).toEqual({ scale: 8, x: 0.4375, y: 0.4375 })
    expect(scaleZoom(scaleZoom(NO_ZOOM, 100, { x: 1, y: 1 }), 0.0001)).toEqual(NO_ZOOM)
  })

  test('never shows anything outside the image', () => {
    const corner = scaleZoom(NO_ZOOM, 4, { x: 0, y: 0 })
    expect(corner).toEqual({ scale: 4, x: 0, y: 0 })
    expect(scaleZoom(corner, 0.5, { x: 1, y: 1 })).toEqual({ scale: 2, x: 0, y: 0 })
  })
})

describe('panning', () => {
  test('follows the pointer in shares of the visible area, up to the edges', () => {
    const twice = scaleZoom(NO_ZOOM, 2)
    expect(panZoom(twice, { x: 0.1, y: -0.2 })).toEqual({ scale: 2, x: 0.2, y: 0.35 })
    expect(panZoom(twice, { x: 5, y: -5 })).toEqual({ scale: 2, x: 0, y: 0.5 })
    expect(panZoom(NO_ZOOM, { x: 0.4, y: 0.4 })).toEqual(NO_ZOOM)
  })
})

test('a double click doubles the zoom, and the next one shows the whole image again', () => {
  const twice = toggleZoom(NO_ZOOM, { x: 1, y: 0 })
  expect(twice).toEqual({ scale: 2, x: 0.5, y: 0 })
  expect(toggleZoom(twice, { x: 0.5, y: 0.5 })).toEqual(NO_ZOOM)
})

test('the zoom label has one decimal, or none if it would be zero', () => {
  expect([NO_ZOOM, { ...NO_ZOOM, scale: 2.44 }, { ...NO_ZOOM, scale: 7.99 }].map(zoomLabel)).toEqual([
    '1×',
    '2.4×',
    '8×',
  ])
})

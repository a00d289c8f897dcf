import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  totalArea,
  arrange,
  ASPECT,
  GAP,
  type LayoutMode,
  type TileRect,
  type Size,
} from '../../../../src/domain/live/tile-layout.ts'
import { stagePlaces } from '../../../../src/domain/live/stage-layout.ts'
import { fullestArea } from '../../../support/fullest-area.ts'
import { selectExtent } from '../../../support/tier.ts'

const LAYOUT_MODES: readonly LayoutMode[] = ['automatic', 'focus', 'grid']
/** Alternative areas for the tiles in a window of 1440 by 900 px. `AT_1024`: the area in a window of 1024 by 768 px. */
const AT_1440 = [
  { width: 1060, height: 620 },
  { width: 1376, height: 472 },
]
const AT_1024 = [{ width: 960, height: 500 }]
const COUNTS = Array.from({ length: 16 }, (_, index) => index + 1)
/** Camera counts for the exhaustive layout search, which is slow for many cameras. */
const SEARCHED = selectExtent([1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 16], COUNTS)
const widths = (places: readonly TileRect[]) => places.map(({ width }) => width)
const smallest = (places: readonly TileRect[]) => Math.min(...widths(places))
const largest = (places: readonly TileRect[]) => Math.max(...widths(places))

function tooClose(places: readonly TileRect[]): TileRect[][] {
  const apart = (a: TileRect, b: TileRect) => a.x + a.width + GAP <= b.x + 0.01 || a.y + a.height + GAP <= b.y + 0.01
  return places.flatMap((a, at) => places.slice(at + 1).flatMap((b) => (apart(a, b) || apart(b, a) ? [] : [[a, b]])))
}

function outside(places: readonly TileRect[], { width, height }: Size): TileRect[] {
  return places.filter(
    ({ x, y, ...size }) => x < -0.01 || y < -0.01 || x + size.width > width + 0.01 || y + size.height > height + 0.01,
  )
}

/** Share of the bounding rectangle that is empty, not counting the gaps between tiles. */
function holes(places: readonly TileRect[]): number {
  const [left, top] = [Math.min(...places.map(({ x }) => x)), Math.min(...places.map(({ y }) => y))]
  const right = Math.max(...places.map(({ x, width }) => x + width)) + GAP
  const bottom = Math.max(...places.map(({ y, height }) => y + height)) + GAP
  const usedArea = places.reduce((sum, { width, height }) => sum + (width + GAP) * (height + GAP), 0)
  return 1 - usedArea / ((right - left) * (bottom - top))
}

describe('every layout', () => {
  const sizes = fc.record({ width: fc.integer({ min: 700, max: 2500 }), height: fc.integer({ min: 400, max: 1400 }) })

  test('shows each camera whole, apart from the others and inside its area, in every mode and size', () => {
    const any = fc.tuple(fc.integer({ min: 1, max: 16 }), sizes, fc.constantFrom(...LAYOUT_MODES))
    fc.assert(
      fc.property(any, ([count, size, mode]) => {
        const { places } = arrange(count, [size], mode)
        expect(places).toHaveLength(count)
        expect(tooClose(places)).toEqual([])
        expect(outside(places, size)).toEqual([])
        for (const { width, height } of places) expect(width / height).toBeCloseTo(ASPECT, 5)
        expect(holes(places)).toBeLessThan(0.001)
        expect(places[0]!.width).toBeGreaterThan(largest(places) - 1.01)
      }),
      { numRuns: 120 },
    )
  })

  test('is the same for the same cameras and size, and larger in a larger area', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 16 }), sizes, (count, { width, height }) => {
        const small = arrange(count, [{ width, height }], 'grid').places
        expect(arrange(count, [{ width, height }], 'grid').places).toEqual(small)
        const large = arrange(count, [{ width: width * 2, height: height * 2 }], 'grid').places
        expect(totalArea(large)).toBeGreaterThan(totalArea(small))
      }),
      { numRuns: 60 },
    )
  })
})

describe.each([
  ['1440', AT_1440],
  ['1024', AT_1024],
])('window of width %s', (_, rooms) => {
  test.each(SEARCHED)('automatic covers at least 92 % of the best layout without cropping: %i', (count) => {
    const { places } = arrange(count, rooms)
    const best = Math.max(...rooms.map((room) => fullestArea(count, room)))
    expect(best).toBeGreaterThan(0)
    expect(totalArea(places) / best).toBeGreaterThanOrEqual(0.92)
    expect(smallest(places)).toBeGreaterThanOrEqual(150)
  })

  test.each(LAYOUT_MODES)('three cameras leave no hole: %s', (mode) => {
    expect(holes(arrange(3, rooms, mode).places)).toBeLessThan(0.001)
  })

  test.each(COUNTS.slice(2))('focus has a large tile, grid has nearly equal ones: %i', (count) => {
    const focus = arrange(count, rooms, 'focus').places
    expect(largest(focus) / smallest(focus)).toBeGreaterThanOrEqual(1.8)
    const large = focus.filter(({ width }) => width >= 1.8 * smallest(focus))
    expect(large.length).toBeLessThanOrEqual(count < 7 ? 1 : 3)
    const grid = arrange(count, rooms, 'grid').places
    expect(largest(grid) / smallest(grid)).toBeLessThanOrEqual(1.55)
  })
})

describe('layout rule', () => {
  test('gives Focus more than one large tile from seven cameras up', () => {
    const large = (count: number) => {
      const all = arrange(count, [{ width: 704, height: 848 }], 'focus').places
      return all.filter(({ width }) => width >= 1.8 * smallest(all)).length
    }
    expect([large(6), large(7)]).toEqual([1, 2])
  })

  test.each([
    ['focus', 6],
    ['grid', 9],
  ] as const)('prefers rows if columns are larger by less than 2 %%: %s of %i', (mode, count) => {
    const [first, second] = arrange(count, AT_1024, mode).places
    expect(second!.x).toBeGreaterThan(first!.x + first!.width)
    expect(second!.y).toBeCloseTo(first!.y, 5)
  })
})

describe('position of Today', () => {
  const BODIES = [
    ['1440', { width: 1376, height: 620 }],
    ['1024', { width: 960, height: 500 }],
    ['768', { width: 704, height: 848 }],
  ] as const
  const at = (count: number, size: Size, mode: LayoutMode = 'automatic') => stagePlaces(count, size, mode).today

  test.each(BODIES)('overlaps no tile and stays inside the layout: %s', (_, size) => {
    for (const count of COUNTS)
      for (const mode of LAYOUT_MODES) {
        const { places, today, todayBox } = stagePlaces(count, size, mode)
        const all = today === 'none' ? places : [...places, todayBox]
        expect([count, mode, tooClose(all), outside(all, size)]).toEqual([count, mode, [], []])
      }
  })

  test('is beside or below at 1440, whichever makes the tiles larger', () => {
    const wide = BODIES[0][1]
    expect(COUNTS.filter((count) => at(count, wide) === 'none')).toEqual([])
    expect([1, 3, 4, 6, 12].map((count) => at(count, wide))).toEqual(['beside', 'below', 'beside', 'beside', 'below'])
  })

  test('is below at 1024 when 120 pixels are left', () => {
    expect([1, 3, 4].map((count) => at(count, BODIES[1][1]))).toEqual(['none', 'below', 'none'])
  })

  test('is nowhere at 1024 when one pixel less is left', () => {
    const [pictures, gap, minHeight] = [540, GAP, 120]
    const under = (height: number) => at(1, { width: 960, height })
    expect([under(pictures + gap + minHeight), under(pictures + gap + minHeight - 1)]).toEqual(['below', 'none'])
  })

  test('is below the second of two tiles', () => {
    expect([at(2, BODIES[0][1]), at(2, BODIES[1][1]), at(2, BODIES[0][1], 'focus')]).toEqual([
      'under',
      'under',
      'under',
    ])
    expect([at(2, BODIES[0][1], 'grid'), at(2, BODIES[2][1])]).not.toContain('under')
  })
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  totalArea,
  arrangeTiles,
  TILE_ASPECT,
  TILE_GAP_PX,
  type LayoutMode,
  type TileRect,
  type Size,
} from '../../../../src/domain/live/tile-layout.ts'
import { layoutLiveBody } from '../../../../src/domain/live/stage-layout.ts'
import { computeMaxTileArea } from '../../../support/max-tile-area.ts'
import { selectByTestTier } from '../../../support/tier.ts'

const LAYOUT_MODES: readonly LayoutMode[] = ['automatic', 'focus', 'grid']
/**
 * Areas (px) that a window of 1440 by 900 px offers; the layout uses one of them for the tiles. `AREAS_AT_1024`: the
 * only area in a window of 1024 by 768 px.
 */
const AREAS_AT_1440 = [
  { width: 1060, height: 620 },
  { width: 1376, height: 472 },
]
const AREAS_AT_1024 = [{ width: 960, height: 500 }]
const CAMERA_COUNTS = Array.from({ length: 16 }, (_, index) => index + 1)
/** Camera counts for the exhaustive layout search. The search is slow for many cameras. */
const SEARCHED_CAMERA_COUNTS = selectByTestTier([1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 16], CAMERA_COUNTS)
const listTileWidths = (tiles: readonly TileRect[]) => tiles.map(({ width }) => width)
const findSmallestWidth = (tiles: readonly TileRect[]) => Math.min(...listTileWidths(tiles))
const findLargestWidth = (tiles: readonly TileRect[]) => Math.max(...listTileWidths(tiles))

function findTooClosePairs(tiles: readonly TileRect[]): TileRect[][] {
  const apart = (a: TileRect, b: TileRect) =>
    a.x + a.width + TILE_GAP_PX <= b.x + 0.01 || a.y + a.height + TILE_GAP_PX <= b.y + 0.01
  return tiles.flatMap((a, at) => tiles.slice(at + 1).flatMap((b) => (apart(a, b) || apart(b, a) ? [] : [[a, b]])))
}

function findTilesOutside(tiles: readonly TileRect[], { width, height }: Size): TileRect[] {
  return tiles.filter(
    ({ x, y, ...size }) => x < -0.01 || y < -0.01 || x + size.width > width + 0.01 || y + size.height > height + 0.01,
  )
}

/** Returns the share of the bounding rectangle that is empty. Gaps between tiles do not count as empty. */
function computeEmptyShare(tiles: readonly TileRect[]): number {
  const [left, top] = [Math.min(...tiles.map(({ x }) => x)), Math.min(...tiles.map(({ y }) => y))]
  const right = Math.max(...tiles.map(({ x, width }) => x + width)) + TILE_GAP_PX
  const bottom = Math.max(...tiles.map(({ y, height }) => y + height)) + TILE_GAP_PX
  const usedArea = tiles.reduce((sum, { width, height }) => sum + (width + TILE_GAP_PX) * (height + TILE_GAP_PX), 0)
  return 1 - usedArea / ((right - left) * (bottom - top))
}

describe('every layout', () => {
  const sizes = fc.record({ width: fc.integer({ min: 700, max: 2500 }), height: fc.integer({ min: 400, max: 1400 }) })

  test('shows each camera whole, apart from the others and inside its area, in every mode and size', () => {
    const any = fc.tuple(fc.integer({ min: 1, max: 16 }), sizes, fc.constantFrom(...LAYOUT_MODES))
    fc.assert(
      fc.property(any, ([count, size, mode]) => {
        const { places } = arrangeTiles(count, [size], mode)
        expect(places).toHaveLength(count)
        expect(findTooClosePairs(places)).toEqual([])
        expect(findTilesOutside(places, size)).toEqual([])
        for (const { width, height } of places) expect(width / height).toBeCloseTo(TILE_ASPECT, 5)
        expect(computeEmptyShare(places)).toBeLessThan(0.001)
        expect(places[0]!.width).toBeGreaterThan(findLargestWidth(places) - 1.01)
      }),
      { numRuns: 120 },
    )
  })

  test('is the same for the same cameras and size, and larger in a larger area', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 16 }), sizes, (count, { width, height }) => {
        const small = arrangeTiles(count, [{ width, height }], 'grid').places
        expect(arrangeTiles(count, [{ width, height }], 'grid').places).toEqual(small)
        const large = arrangeTiles(count, [{ width: width * 2, height: height * 2 }], 'grid').places
        expect(totalArea(large)).toBeGreaterThan(totalArea(small))
      }),
      { numRuns: 60 },
    )
  })
})

describe.each([
  ['1440', AREAS_AT_1440],
  ['1024', AREAS_AT_1024],
])('window of width %s', (_, areas) => {
  test.each(SEARCHED_CAMERA_COUNTS)(
    'automatic covers at least 92 % of the best layout without cropping: %i',
    (count) => {
      const { places } = arrangeTiles(count, areas)
      const best = Math.max(...areas.map((room) => computeMaxTileArea(count, room)))
      expect(best).toBeGreaterThan(0)
      expect(totalArea(places) / best).toBeGreaterThanOrEqual(0.92)
      expect(findSmallestWidth(places)).toBeGreaterThanOrEqual(150)
    },
  )

  test.each(LAYOUT_MODES)('three cameras leave no hole: %s', (mode) => {
    expect(computeEmptyShare(arrangeTiles(3, areas, mode).places)).toBeLessThan(0.001)
  })

  test.each(CAMERA_COUNTS.slice(2))('focus has a large tile, grid has nearly equal ones: %i', (count) => {
    const focus = arrangeTiles(count, areas, 'focus').places
    expect(findLargestWidth(focus) / findSmallestWidth(focus)).toBeGreaterThanOrEqual(1.8)
    const large = focus.filter(({ width }) => width >= 1.8 * findSmallestWidth(focus))
    expect(large.length).toBeLessThanOrEqual(count < 7 ? 1 : 3)
    const grid = arrangeTiles(count, areas, 'grid').places
    expect(findLargestWidth(grid) / findSmallestWidth(grid)).toBeLessThanOrEqual(1.55)
  })
})

describe('layout rule', () => {
  test('gives Focus more than one large tile from seven cameras up', () => {
    const large = (count: number) => {
      const all = arrangeTiles(count, [{ width: 704, height: 848 }], 'focus').places
      return all.filter(({ width }) => width >= 1.8 * findSmallestWidth(all)).length
    }
    expect([large(6), large(7)]).toEqual([1, 2])
  })

  test.each([
    ['focus', 6],
    ['grid', 9],
  ] as const)('prefers rows if columns are larger by less than 2 %%: %s of %i', (mode, count) => {
    const [first, second] = arrangeTiles(count, AREAS_AT_1024, mode).places
    expect(second!.x).toBeGreaterThan(first!.x + first!.width)
    expect(second!.y).toBeCloseTo(first!.y, 5)
  })
})

describe('position of Today', () => {
  const LAYOUT_SIZES = [
    ['1440', { width: 1376, height: 620 }],
    ['1024', { width: 960, height: 500 }],
    ['768', { width: 704, height: 848 }],
  ] as const
  const getTodayPosition = (count: number, size: Size, mode: LayoutMode = 'automatic') =>
    layoutLiveBody(count, size, mode).today

  test.each(LAYOUT_SIZES)('overlaps no tile and stays inside the layout: %s', (_, size) => {
    for (const count of CAMERA_COUNTS)
      for (const mode of LAYOUT_MODES) {
        const { places, today, todayBox } = layoutLiveBody(count, size, mode)
        const all = today === 'none' ? places : [...places, todayBox]
        expect([count, mode, findTooClosePairs(all), findTilesOutside(all, size)]).toEqual([count, mode, [], []])
      }
  })

  test('ends with the tiles beside it, and not below the layout', () => {
    const size = LAYOUT_SIZES[0][1]
    for (const count of [1, 2, 6]) {
      const { places, todayBox } = layoutLiveBody(count, size, 'automatic')
      const tilesBottom = Math.max(...places.map(({ y, height }) => y + height))
      expect([count, todayBox.y + todayBox.height]).toEqual([count, expect.closeTo(tilesBottom, 5)])
    }
    const { todayBox } = layoutLiveBody(40, size, 'automatic')
    expect(todayBox.height).toBe(size.height)
  })

  test('is beside or below at 1440, whichever makes the tiles larger', () => {
    const wide = LAYOUT_SIZES[0][1]
    expect(CAMERA_COUNTS.filter((count) => getTodayPosition(count, wide) === 'none')).toEqual([])
    expect([1, 3, 4, 6, 12].map((count) => getTodayPosition(count, wide))).toEqual([
      'beside',
      'below',
      'beside',
      'beside',
      'below',
    ])
  })

  test('is below at 1024 when 120 pixels are left', () => {
    expect([1, 3, 4].map((count) => getTodayPosition(count, LAYOUT_SIZES[1][1]))).toEqual(['none', 'below', 'none'])
  })

  test('is nowhere at 1024 when one pixel less is left', () => {
    const [pictures, gap, minHeight] = [540, TILE_GAP_PX, 120]
    const getPositionAtHeight = (height: number) => getTodayPosition(1, { width: 960, height })
    expect([
      getPositionAtHeight(pictures + gap + minHeight),
      getPositionAtHeight(pictures + gap + minHeight - 1),
    ]).toEqual(['below', 'none'])
  })

  test('is below the second of two tiles', () => {
    expect([
      getTodayPosition(2, LAYOUT_SIZES[0][1]),
      getTodayPosition(2, LAYOUT_SIZES[1][1]),
      getTodayPosition(2, LAYOUT_SIZES[0][1], 'focus'),
    ]).toEqual(['under', 'under', 'under'])
    expect([getTodayPosition(2, LAYOUT_SIZES[0][1], 'grid'), getTodayPosition(2, LAYOUT_SIZES[2][1])]).not.toContain(
      'under',
    )
  })
})

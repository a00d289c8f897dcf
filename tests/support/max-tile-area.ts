import type { Size } from '../../src/domain/live/tile-layout.ts'

const GAP_PX = 12
const ASPECT_RATIO = 16 / 9
const MIN_TILE_WIDTH_PX = 150
/** Maximum number of arrangements retained per tile count. More arrangements would not change the result visibly. */
const MAX_SPLITS_PER_COUNT = 1500

/**
 * Arrangement of tiles in a rectangle that is split by nested straight cuts. The rectangle's width, including gaps, is
 * `slope * height + offset`.
 */
interface TileSplit {
  readonly slope: number
  readonly offset: number
  readonly parts: readonly [TileSplit, TileSplit] | null
  readonly isRow: boolean
  /** Width of the smallest tile divided by the height of the rectangle, calculated as if all gaps were 0. */
  readonly minTileWidthRatio: number
}

const SINGLE_TILE: TileSplit = {
  slope: ASPECT_RATIO,
  offset: 0,
  parts: null,
  isRow: true,
  minTileWidthRatio: ASPECT_RATIO,
}
const splitsByCount: TileSplit[][] = [[], [SINGLE_TILE]]

/**
 * Returns the largest area (px²) that `count` 16:9 tiles, each at least 150 px wide, can cover in `room`; 0 if
 * they do not fit. Searches nested straight cuts, not only the rows, columns and stacks that the portal's layout uses.
 */
export function computeMaxTileArea(count: number, availableSize: Size): number {
  let maxArea = 0
  for (const split of listSplits(count)) {
    const height = Math.min(availableSize.height, (availableSize.width - split.offset) / split.slope)
    const widths = computeWidths(split, height)
    if (widths.every((width) => width >= MIN_TILE_WIDTH_PX))
      maxArea = Math.max(
        maxArea,
        widths.reduce((sum, width) => sum + (width * width) / ASPECT_RATIO, 0),
      )
  }
  return maxArea
}

function listSplits(count: number): TileSplit[] {
  const cached = splitsByCount[count]
  if (cached) return cached
  const splitsByShape = new Map<string, TileSplit>()
  for (let part = 1; part <= count / 2; part++)
    for (const a of listSplits(part))
      for (const b of listSplits(count - part))
        for (const split of [placeSideBySide(a, b), placeOneAboveOther(a, b)]) {
          const shapeKey = `${split.slope.toFixed(3)} ${Math.round(split.offset / 4)}`
          if (split.minTileWidthRatio > (splitsByShape.get(shapeKey)?.minTileWidthRatio ?? 0))
            splitsByShape.set(shapeKey, split)
        }
  const all = [...splitsByShape.values()].sort((a, b) => a.slope - b.slope)
  const step = Math.max(1, all.length / MAX_SPLITS_PER_COUNT)
  return (splitsByCount[count] = Array.from(
    { length: Math.floor(all.length / step) },
    (_, at) => all[Math.floor(at * step)]!,
  ))
}

const placeSideBySide = (a: TileSplit, b: TileSplit): TileSplit => ({
  slope: a.slope + b.slope,
  offset: a.offset + b.offset + GAP_PX,
  parts: [a, b],
  isRow: true,
  minTileWidthRatio: Math.min(a.minTileWidthRatio, b.minTileWidthRatio),
})

function placeOneAboveOther(a: TileSplit, b: TileSplit): TileSplit {
  const slope = 1 / (1 / a.slope + 1 / b.slope)
  return {
    slope,
    offset: slope * (a.offset / a.slope + b.offset / b.slope - GAP_PX),
    parts: [a, b],
    isRow: false,
    minTileWidthRatio: slope * Math.min(a.minTileWidthRatio / a.slope, b.minTileWidthRatio / b.slope),
  }
}

function computeWidths({ slope, offset, parts, isRow }: TileSplit, height: number): number[] {
  if (!parts) return [height * ASPECT_RATIO]
  const width = slope * height + offset
  return parts.flatMap((part) => computeWidths(part, isRow ? height : (width - part.offset) / part.slope))
}

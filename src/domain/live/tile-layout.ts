/**
 * Layouts of live tiles. All tiles are 16:9, without cropping or overlap; layouts of up to `MAX_FITTED_CAMERAS` tiles
 * have no holes. Lengths are CSS pixels. Decided in docs/decisions/0065-layouts-fill-the-stage.md.
 */

export type LayoutMode = 'automatic' | 'focus' | 'grid'

export interface Size {
  readonly width: number
  readonly height: number
}
export interface TileRect extends Size {
  readonly x: number
  readonly y: number
}
/**
 * Positions of the tiles. No other tile is more than 1 px wider than the first tile. `room`: index of the chosen area
 * in the `areas` argument of `arrangeTiles`.
 */
export interface TileArrangement {
  readonly room: number
  readonly places: readonly TileRect[]
}

export const TILE_GAP_PX = 12
export const TILE_ASPECT = 16 / 9
/** Minimum tile width in CSS pixels, unless no layout can reach it. */
export const MIN_TILE_WIDTH_PX = 150
/**
 * A Focus or Grid layout competes only if its total tile area is at least this share of the largest total in its mode.
 * The competing layout whose smallest tile is largest wins.
 */
const COMPETING_AREA_SHARE = 0.92
/**
 * In mode `automatic`, the larger of Focus and Grid is used if its total tile area reaches this share of the largest
 * total of all layouts. Otherwise, all layouts that reach this share compete.
 */
const AUTOMATIC_AREA_SHARE = 0.96
/**
 * Factor by which a layout's smallest tile must exceed that of an earlier candidate to win. Rows are tried before
 * columns, so rows win near ties.
 */
const MIN_IMPROVEMENT = 1.02
/**
 * Focus: a large tile is at least `FOCUS_MIN_RATIO` times as wide as the smallest tile. Grid: the largest tile is at
 * most `GRID_MAX_RATIO` times as wide as the smallest.
 */
const FOCUS_MIN_RATIO = 1.8
const GRID_MAX_RATIO = 1.55
/** Minimum number of cameras for which Focus may have up to three large tiles. */
const MULTI_FOCUS_MIN_CAMERAS = 7
const MAX_STACK_TILES = 4
const MAX_TILE_LINES = 5
/**
 * Maximum number of cameras that must fit without scrolling. With more cameras, the page scrolls through rows of tiles
 * that are at least `ROW_TILE_MIN_WIDTH_PX` wide.
 */
const MAX_FITTED_CAMERAS = 16
const ROW_TILE_MIN_WIDTH_PX = 240

/**
 * A row or column of tiles, given as the number of tiles in each stack: `[1, 2]` is one tile with two small tiles
 * stacked beside it.
 */
type TileLine = readonly number[]

interface CandidateLayout {
  readonly room: number
  readonly widths: readonly number[]
  readonly area: number
  readonly places: () => TileRect[]
}

/**
 * Arranges the tiles of `count` cameras in one of `areas`. `automatic` picks the larger of Focus (one to three large
 * tiles) and Grid (similar sizes), or another layout that fills clearly more. If no layout satisfies `mode`, uses
 * `automatic`. More than `MAX_FITTED_CAMERAS` cameras get rows in the first area, regardless of `mode`.
 */
export function arrangeTiles(count: number, areas: readonly Size[], mode: LayoutMode = 'automatic'): TileArrangement {
  if (count > MAX_FITTED_CAMERAS) return { room: 0, places: arrangeInRows(count, areas[0]!.width) }
  const lineOptions = listCandidateLines(count)
  const all = [false, true].flatMap((isTurned) =>
    areas.flatMap((size, room) => lineOptions.map((line) => fitLines(line, room, size, isTurned))),
  )
  const fitting = all.filter(
    ({ widths: [first = 0, ...others] }) => first > 0 && others.every((width) => width > 0 && width < first + 1),
  )
  const wide = fitting.filter(({ widths }) => Math.min(...widths) >= MIN_TILE_WIDTH_PX)
  const { room, places } = chooseLayout(wide.length > 0 ? wide : fitting, mode)
  return { room, places: places() }
}

function arrangeInRows(count: number, availableWidth: number): TileRect[] {
  const columns = Math.max(1, Math.floor((availableWidth + TILE_GAP_PX) / (ROW_TILE_MIN_WIDTH_PX + TILE_GAP_PX)))
  const width = (availableWidth + TILE_GAP_PX) / columns - TILE_GAP_PX
  const height = width / TILE_ASPECT
  return Array.from({ length: count }, (_, index) => ({
    x: (index % columns) * (width + TILE_GAP_PX),
    y: Math.floor(index / columns) * (height + TILE_GAP_PX),
    width,
    height,
  }))
}

export const totalArea = (tiles: readonly Size[]): number =>
  tiles.reduce((sum, { width, height }) => sum + width * height, 0)

function chooseLayout(candidates: readonly CandidateLayout[], mode: LayoutMode): CandidateLayout {
  const focus = findBestLayout(candidates.filter(isFocus), COMPETING_AREA_SHARE)
  const grid = findBestLayout(
    candidates.filter(({ widths }) => Math.max(...widths) <= GRID_MAX_RATIO * Math.min(...widths)),
    COMPETING_AREA_SHARE,
  )
  const requested = { focus, grid, automatic: undefined }[mode]
  if (requested) return requested
  const largerOfBoth = focus && (!grid || focus.area > grid.area) ? focus : grid
  const fullest = findBestLayout(candidates, AUTOMATIC_AREA_SHARE)!
  return largerOfBoth && largerOfBoth.area >= AUTOMATIC_AREA_SHARE * Math.max(...candidates.map(({ area }) => area))
    ? largerOfBoth
    : fullest
}

function isFocus({ widths }: CandidateLayout): boolean {
  const threshold = FOCUS_MIN_RATIO * Math.min(...widths)
  const large = widths.filter((width) => width >= threshold).length
  return large > 0 && large <= (widths.length < MULTI_FOCUS_MIN_CAMERAS ? 1 : 3)
}

function findBestLayout(candidates: readonly CandidateLayout[], share: number): CandidateLayout | undefined {
  const minArea = share * Math.max(...candidates.map(({ area }) => area))
  let [best, bestWidth]: [CandidateLayout | undefined, number] = [undefined, 0]
  for (const candidate of candidates) {
    const smallest = Math.min(...candidate.widths)
    if (candidate.area >= minArea && smallest > bestWidth * MIN_IMPROVEMENT) [best, bestWidth] = [candidate, smallest]
  }
  return best
}

function listCandidateLines(count: number): TileLine[][] {
  const all = listPartitions(count, MAX_TILE_LINES).map((split) => split.map(singleTiles))
  for (let stack = 2; stack <= MAX_STACK_TILES; stack++)
    for (let large = 1; large <= 3; large++)
      for (let stacks = 1; large + stacks * stack <= count; stacks++) {
        const stacked = [...singleTiles(large), ...Array<number>(stacks).fill(stack)]
        const rest = count - large - stacks * stack
        if (rest === 0) all.push([stacked])
        else
          for (const split of listPartitions(rest, MAX_TILE_LINES - 1)) {
            const others = split.map(singleTiles)
            all.push([stacked, ...others], [...others, stacked])
          }
      }
  return all
}

const singleTiles = (count: number): TileLine => Array<number>(count).fill(1)

/**
 * Returns the partitions of `count` tiles into at most `maxLines` lines, with the number of tiles per line in ascending
 * order: 3 as 3, 1 + 2, 1 + 1 + 1.
 */
function listPartitions(count: number, maxLines: number, minLength = 1): number[][] {
  const all = [[count]]
  for (let first = minLength; first <= count / 2 && maxLines > 1; first++)
    all.push(...listPartitions(count - first, maxLines - 1, first).map((rest) => [first, ...rest]))
  return all
}

/** Fits the lines into an area, at maximum size and with equal lengths. Lines are rows, or columns if `isTurned`. */
function fitLines(
  lines: readonly TileLine[],
  areaIndex: number,
  { width, height }: Size,
  isTurned: boolean,
): CandidateLayout {
  const [along, across, ratio] = isTurned ? [height, width, 1 / TILE_ASPECT] : [width, height, TILE_ASPECT]
  // The length of a line of thickness t is `share * t - loss`, including the gaps between its stacks.
  const shares = lines.map((line) => line.reduce((sum, stack) => sum + ratio / stack, 0))
  const losses = lines.map((line) =>
    line.reduce((sum, stack) => sum + (ratio * (stack - 1) * TILE_GAP_PX) / stack - TILE_GAP_PX, TILE_GAP_PX),
  )
  const gaps = lines.reduce((sum, _, at) => sum + losses[at]! / shares[at]!, (lines.length - 1) * TILE_GAP_PX)
  const lineLength = Math.min(along, (across - gaps) / shares.reduce((sum, share) => sum + 1 / share, 0))
  const thicknesses = lines.map((_, at) => (lineLength + losses[at]!) / shares[at]!)
  const sizeIn = (at: number, stack: number) => (thicknesses[at]! - (stack - 1) * TILE_GAP_PX) / stack
  const widths = lines.flatMap((line, at) =>
    line.flatMap((stack) => Array<number>(stack).fill(sizeIn(at, stack) * (isTurned ? 1 : ratio))),
  )
  const area = widths.reduce((sum, tileWidth) => sum + (tileWidth * tileWidth) / TILE_ASPECT, 0)
  const computeTileRects = () => {
    const totalDepth = thicknesses.reduce((sum, thickness) => sum + thickness + TILE_GAP_PX, -TILE_GAP_PX)
    let y = (across - totalDepth) / 2
    return lines.flatMap((line, at) => {
      let x = (along - lineLength) / 2
      const top = y
      y += thicknesses[at]! + TILE_GAP_PX
      return line.flatMap((stack) => {
        const size = sizeIn(at, stack)
        const left = x
        x += size * ratio + TILE_GAP_PX
        return Array.from({ length: stack }, (_, index) => {
          const down = top + index * (size + TILE_GAP_PX)
          return isTurned
            ? { x: down, y: left, width: size, height: size * ratio }
            : { x: left, y: down, width: size * ratio, height: size }
        })
      })
    })
  }
  return { room: areaIndex, widths, area, places: computeTileRects }
}

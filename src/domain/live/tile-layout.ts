/**
 * Layouts of live tiles: all 16:9, without cropping, overlap or holes. Lengths are CSS pixels.
 * Decided in docs/decisions/0065-layouts-fill-the-stage.md.
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
 * Positions of the tiles. `room`: index of the rectangle in `rooms` that the tiles fill. No other tile is larger than
 * the first.
 */
export interface Arrangement {
  readonly room: number
  readonly places: readonly TileRect[]
}

export const GAP = 12
export const ASPECT = 16 / 9
/** Minimum tile width in CSS pixels, unless no layout can reach it. */
export const NARROWEST = 150
/**
 * Layouts compete if their total tile area reaches this share of the maximum. The layout with the largest smallest tile
 * wins.
 */
const NEARLY = 0.92
/** In mode `automatic`, Focus or Grid is used only if its total tile area reaches this share of the maximum. */
const CLOSELY = 0.96
/**
 * Factor by which a layout's smallest tile must exceed that of an earlier candidate to win. Rows are tried before
 * columns, so rows win near ties.
 */
const CLEARLY = 1.02
/**
 * Focus: a large tile is at least `LARGE` times as wide as the smallest tile. Grid: the largest tile is at most `EQUAL`
 * times as wide as the smallest.
 */
const LARGE = 1.8
const EQUAL = 1.55
/** Minimum number of cameras for which Focus may have up to three large tiles. */
const MANY = 7
const TALLEST_STACK = 4
const MOST_LINES = 5
/**
 * Maximum number of cameras that must fit without scrolling. More cameras are arranged in rows of tiles that are at
 * least `IN_ROWS` wide, and extend beyond the bottom.
 */
const MOST = 16
const IN_ROWS = 240

/**
 * A row or column of tiles, given as the number of tiles in each stack: `[1, 2]` is one tile with two small tiles
 * stacked beside it.
 */
type Line = readonly number[]

interface CandidateLayout {
  readonly room: number
  readonly widths: readonly number[]
  readonly area: number
  readonly places: () => TileRect[]
}

/**
 * Arranges the tiles of `count` cameras in the one of `rooms` that they fill best. `automatic` picks the larger of
 * Focus (one to three large tiles) and Grid (similar sizes). A mode that no layout satisfies falls back to `automatic`.
 */
export function arrange(count: number, rooms: readonly Size[], mode: LayoutMode = 'automatic'): Arrangement {
  if (count > MOST) return { room: 0, places: inRows(count, rooms[0]!.width) }
  const lines = candidateLines(count)
  const all = [false, true].flatMap((isTurned) =>
    rooms.flatMap((size, room) => lines.map((line) => fitLines(line, room, size, isTurned))),
  )
  const fitting = all.filter(
    ({ widths: [first = 0, ...others] }) => first > 0 && others.every((width) => width > 0 && width < first + 1),
  )
  const wide = fitting.filter(({ widths }) => Math.min(...widths) >= NARROWEST)
  const { room, places } = choose(wide.length > 0 ? wide : fitting, mode)
  return { room, places: places() }
}

function inRows(count: number, along: number): TileRect[] {
  const columns = Math.max(1, Math.floor((along + GAP) / (IN_ROWS + GAP)))
  const width = (along + GAP) / columns - GAP
  const height = width / ASPECT
  return Array.from({ length: count }, (_, index) => ({
    x: (index % columns) * (width + GAP),
    y: Math.floor(index / columns) * (height + GAP),
    width,
    height,
  }))
}

export const totalArea = (places: readonly Size[]): number =>
  places.reduce((sum, { width, height }) => sum + width * height, 0)

function choose(all: readonly CandidateLayout[], mode: LayoutMode): CandidateLayout {
  const focus = best(all.filter(isFocus), NEARLY)
  const grid = best(
    all.filter(({ widths }) => Math.max(...widths) <= EQUAL * Math.min(...widths)),
    NEARLY,
  )
  const requested = { focus, grid, automatic: undefined }[mode]
  if (requested) return requested
  const fuller = focus && (!grid || focus.area > grid.area) ? focus : grid
  const fullest = best(all, CLOSELY)!
  return fuller && fuller.area >= CLOSELY * Math.max(...all.map(({ area }) => area)) ? fuller : fullest
}

function isFocus({ widths }: CandidateLayout): boolean {
  const threshold = LARGE * Math.min(...widths)
  const large = widths.filter((width) => width >= threshold).length
  return large > 0 && large <= (widths.length < MANY ? 1 : 3)
}

function best(all: readonly CandidateLayout[], share: number): CandidateLayout | undefined {
  const enough = share * Math.max(...all.map(({ area }) => area))
  let [found, bestWidth]: [CandidateLayout | undefined, number] = [undefined, 0]
  for (const candidate of all) {
    const smallest = Math.min(...candidate.widths)
    if (candidate.area >= enough && smallest > bestWidth * CLEARLY) [found, bestWidth] = [candidate, smallest]
  }
  return found
}

function candidateLines(count: number): Line[][] {
  const all = splits(count, MOST_LINES).map((split) => split.map(plain))
  for (let stack = 2; stack <= TALLEST_STACK; stack++)
    for (let large = 1; large <= 3; large++)
      for (let stacks = 1; large + stacks * stack <= count; stacks++) {
        const stacked = [...plain(large), ...Array<number>(stacks).fill(stack)]
        const rest = count - large - stacks * stack
        if (rest === 0) all.push([stacked])
        else
          for (const split of splits(rest, MOST_LINES - 1)) {
            const others = split.map(plain)
            all.push([stacked, ...others], [...others, stacked])
          }
      }
  return all
}

const plain = (count: number): Line => Array<number>(count).fill(1)

/** Returns the partitions of `count` into lines of non-decreasing length: 3 as 3, 1 + 2, 1 + 1 + 1. */
function splits(count: number, maxLines: number, minLength = 1): number[][] {
  const all = [[count]]
  for (let first = minLength; first <= count / 2 && maxLines > 1; first++)
    all.push(...splits(count - first, maxLines - 1, first).map((rest) => [first, ...rest]))
  return all
}

/** Fits the lines into the room at maximum size, all with the same length: as rows, or as columns if `turned`. */
function fitLines(lines: readonly Line[], room: number, { width, height }: Size, turned: boolean): CandidateLayout {
  const [along, across, ratio] = turned ? [height, width, 1 / ASPECT] : [width, height, ASPECT]
  // A line of thickness t is `share * t - lost` long, gaps between its stacks included.
  const shares = lines.map((line) => line.reduce((sum, stack) => sum + ratio / stack, 0))
  const losses = lines.map((line) => line.reduce((sum, stack) => sum + (ratio * (stack - 1) * GAP) / stack - GAP, GAP))
  const gaps = lines.reduce((sum, _, at) => sum + losses[at]! / shares[at]!, (lines.length - 1) * GAP)
  const used = Math.min(along, (across - gaps) / shares.reduce((sum, share) => sum + 1 / share, 0))
  const thick = lines.map((_, at) => (used + losses[at]!) / shares[at]!)
  const sizeIn = (at: number, stack: number) => (thick[at]! - (stack - 1) * GAP) / stack
  const widths = lines.flatMap((line, at) =>
    line.flatMap((stack) => Array<number>(stack).fill(sizeIn(at, stack) * (turned ? 1 : ratio))),
  )
  const area = widths.reduce((sum, pictureWidth) => sum + (pictureWidth * pictureWidth) / ASPECT, 0)
  const places = () => {
    const deep = thick.reduce((sum, thickness) => sum + thickness + GAP, -GAP)
    let y = (across - deep) / 2
    return lines.flatMap((line, at) => {
      let x = (along - used) / 2
      const top = y
      y += thick[at]! + GAP
      return line.flatMap((stack) => {
        const size = sizeIn(at, stack)
        const left = x
        x += size * ratio + GAP
        return Array.from({ length: stack }, (_, index) => {
          const down = top + index * (size + GAP)
          return turned
            ? { x: down, y: left, width: size, height: size * ratio }
            : { x: left, y: down, width: size * ratio, height: size }
        })
      })
    })
  }
  return { room, widths, area, places }
}

import type { Size } from '../../src/domain/live/tile-layout.ts'

const GAP = 12
const ASPECT = 16 / 9
const NARROWEST = 150
/**
 * Maximum number of cuts kept per tile count. The aspect ratios of neighboring cuts then differ by less than is
 * visible.
 */
const KEPT = 1500

/**
 * Arrangement of tiles made by guillotine cuts of a rectangle, nested to any depth. The rectangle's width, gaps
 * included, is `slope * height + offset`.
 */
interface Cut {
  readonly slope: number
  readonly offset: number
  readonly of: readonly [Cut, Cut] | null
  readonly isRow: boolean
  /** Width of the smallest tile divided by the total height, without gaps. */
  readonly least: number
}

const PICTURE: Cut = { slope: ASPECT, offset: 0, of: null, isRow: true, least: ASPECT }
const cuts: Cut[][] = [[], [PICTURE]]

/**
 * Returns the largest area that `count` 16:9 tiles, each at least 150 px wide, can cover in a room; 0 if they do not
 * fit. Searches guillotine cuts of any nesting, not only the rows, columns and stacks that the portal's layout uses.
 */
export function fullestArea(count: number, room: Size): number {
  let fullest = 0
  for (const cut of listCuts(count)) {
    const height = Math.min(room.height, (room.width - cut.offset) / cut.slope)
    const widths = computeWidths(cut, height)
    if (widths.every((width) => width >= NARROWEST))
      fullest = Math.max(
        fullest,
        widths.reduce((sum, width) => sum + (width * width) / ASPECT, 0),
      )
  }
  return fullest
}

function listCuts(count: number): Cut[] {
  const cached = cuts[count]
  if (cached) return cached
  const found = new Map<string, Cut>()
  for (let part = 1; part <= count / 2; part++)
    for (const a of listCuts(part))
      for (const b of listCuts(count - part))
        for (const cut of [besides(a, b), above(a, b)]) {
          const like = `${cut.slope.toFixed(3)} ${Math.round(cut.offset / 4)}`
          if (cut.least > (found.get(like)?.least ?? 0)) found.set(like, cut)
        }
  const all = [...found.values()].sort((a, b) => a.slope - b.slope)
  const step = Math.max(1, all.length / KEPT)
  return (cuts[count] = Array.from({ length: Math.floor(all.length / step) }, (_, at) => all[Math.floor(at * step)]!))
}

const besides = (a: Cut, b: Cut): Cut => ({
  slope: a.slope + b.slope,
  offset: a.offset + b.offset + GAP,
  of: [a, b],
  isRow: true,
  least: Math.min(a.least, b.least),
})

function above(a: Cut, b: Cut): Cut {
  const slope = 1 / (1 / a.slope + 1 / b.slope)
  return {
    slope,
    offset: slope * (a.offset / a.slope + b.offset / b.slope - GAP),
    of: [a, b],
    isRow: false,
    least: slope * Math.min(a.least / a.slope, b.least / b.slope),
  }
}

function computeWidths({ slope, offset, of, isRow }: Cut, height: number): number[] {
  if (!of) return [height * ASPECT]
  const width = slope * height + offset
  return of.flatMap((part) => computeWidths(part, isRow ? height : (width - part.offset) / part.slope))
}

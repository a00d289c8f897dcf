import { ASPECT, GAP, totalArea, arrange, type LayoutMode, type TileRect, type Size } from './tile-layout.ts'

/** Position of the Today panel: beside the tiles, below them, below the second of two tiles, or hidden. */
export type TodayPlace = 'beside' | 'below' | 'under' | 'none'
export interface StagePlaces {
  readonly places: readonly TileRect[]
  readonly today: TodayPlace
  readonly todayBox: TileRect
}

/**
 * Minimum width of the page body at which the Today panel is always shown, in its full width. A window of 1440 px has
 * this width.
 */
const WIDE = 1340
const BESIDE = { wide: 296, narrow: 220 }
const BESIDE_GAP = 20
const BELOW = 132
/** Minimum height below the tiles at which a narrower window shows the Today panel. */
const LEFT = 120
const NOWHERE: TileRect = { x: 0, y: 0, width: 0, height: 0 }

/**
 * Returns the positions of the tiles and the Today panel in the body of /live. The positions depend only on the number
 * of cameras, the size and the layout mode, never on camera states.
 */
export function stagePlaces(count: number, { width, height }: Size, mode: LayoutMode): StagePlaces {
  const isWide = width >= WIDE
  const beside = isWide ? BESIDE.wide : BESIDE.narrow
  const part = { width: width - beside - BESIDE_GAP, height }
  const rooms = isWide ? [part, { width, height: height - BELOW - GAP }] : [{ width, height }]
  const { room, places } = arrange(count, rooms, mode)
  if (count === 2 && mode !== 'grid') {
    const pair = twoAndToday(part, beside)
    if (totalArea(pair) > totalArea(places) || (mode === 'focus' && width > height))
      return withToday(pair, 'under', width, height)
  }
  const foot = Math.max(...places.map((place) => place.y + place.height)) - Math.min(...places.map(({ y }) => y))
  if (isWide && room === 0) return withToday(atTop(places), 'beside', width, height)
  const today = isWide || height - foot - GAP >= LEFT ? 'below' : 'none'
  return withToday(atTop(places), today, width, height)
}

const atTop = (places: readonly TileRect[]) => {
  const top = Math.min(...places.map(({ y }) => y))
  return places.map((place) => ({ ...place, y: place.y - top }))
}

/**
 * Returns a large tile and a second tile as wide as the Today panel. The panel takes the rest of the second tile's
 * column.
 */
function twoAndToday(part: Size, beside: number): TileRect[] {
  const width = Math.min(part.width, part.height * ASPECT)
  const second = { x: part.width + BESIDE_GAP, y: 0, width: beside, height: beside / ASPECT }
  return [{ x: (part.width - width) / 2, y: 0, width, height: width / ASPECT }, second]
}

function withToday(places: readonly TileRect[], today: TodayPlace, width: number, height: number): StagePlaces {
  const foot = Math.max(...places.map((place) => place.y + place.height)) + GAP
  const beside = width >= WIDE ? BESIDE.wide : BESIDE.narrow
  const top = today === 'under' ? places[1]!.height + GAP : 0
  const todayBox = {
    beside: { x: width - beside, y: 0, width: beside, height },
    under: { x: width - beside, y: top, width: beside, height: height - top },
    below: { x: 0, y: foot, width, height: height - foot },
    none: NOWHERE,
  }[today]
  return { places, today, todayBox }
}

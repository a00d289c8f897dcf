import { ASPECT, GAP, totalArea, arrange, type LayoutMode, type Place, type Size } from './tile-layout.ts'

/** Today beside the pictures, below them, below the second of two pictures, or nowhere. */
export type TodayPlace = 'beside' | 'below' | 'under' | 'none'
export interface StagePlaces {
  readonly places: readonly Place[]
  readonly today: TodayPlace
  readonly todayBox: Place
}

/** From this width on, which a window of 1440 gives, Today always has a place, and is as wide as this. */
const WIDE = 1340
const BESIDE = { wide: 296, narrow: 220 }
const BESIDE_GAP = 20
const BELOW = 132
/** Elsewhere it lies below where this much is left. */
const LEFT = 120
const NOWHERE: Place = { x: 0, y: 0, width: 0, height: 0 }

/**
 * Where the pictures and Today stand in the body of /live. It depends on the number of cameras, the size and the choice
 * alone: never on what the cameras do.
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

const atTop = (places: readonly Place[]) => {
  const top = Math.min(...places.map(({ y }) => y))
  return places.map((place) => ({ ...place, y: place.y - top }))
}

/** The large picture, and the second one as wide as Today, which it leaves the rest of its column. */
function twoAndToday(part: Size, beside: number): Place[] {
  const width = Math.min(part.width, part.height * ASPECT)
  const second = { x: part.width + BESIDE_GAP, y: 0, width: beside, height: beside / ASPECT }
  return [{ x: (part.width - width) / 2, y: 0, width, height: width / ASPECT }, second]
}

function withToday(places: readonly Place[], today: TodayPlace, width: number, height: number): StagePlaces {
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

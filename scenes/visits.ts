import type { Light } from './manifest.ts'

/** Interval in ms of the time grid on which all segments start. */
export const GRID = 20_000

/** Part of a visit at one camera: an action that starts `after` grid steps after the start of the visit. */
export interface Part {
  readonly action: string
  readonly after: number
}

/** One visit: the part of each scene that records it, by scene name. */
type Visit = Readonly<Record<string, Part>>

const DELIVERY: Visit = {
  Street: { action: 'delivery', after: 0 },
  Driveway: { action: 'courier', after: 0 },
  'Front door': { action: 'courier', after: 1 },
}
const HOME_BY_CAR: Visit = { Driveway: { action: 'car', after: 0 }, 'Front door': { action: 'maya', after: 1 } }

/**
 * Visits by time of day: actions that several cameras record at the same time, because the visitor passes all of them.
 */
const VISITS: Readonly<Record<Light, readonly Visit[]>> = {
  day: [DELIVERY, HOME_BY_CAR],
  dusk: [{ Street: { action: 'cyclist', after: 0 }, Driveway: { action: 'jogger', after: 0 } }],
  night: [
    { ...HOME_BY_CAR, Street: { action: 'cars', after: 0 } },
    { Street: { action: 'walk', after: 0 }, Driveway: { action: 'walk', after: 0 } },
  ],
}

/** Daily time windows in which visits start, in local hours. The lighting (`light`) is the same throughout a window. */
const HOURS: readonly { readonly from: number; readonly to: number; readonly light: Light }[] = [
  { from: 8, to: 12, light: 'day' },
  { from: 13, to: 18, light: 'day' },
  { from: 20, to: 23, light: 'night' },
]

/**
 * Returns the scene's part of the visit that `turn` (any whole number) selects; undefined if the scene has no part in
 * it.
 */
export function findPart(name: string, light: Light, turn: number): Part | undefined {
  const visits = VISITS[light]
  return visits[turn % visits.length]?.[name]
}

/**
 * Returns a scene's parts of the visits on a local day that starts at `midnight` (ms UTC). `random` must yield the same
 * numbers for every camera, because all cameras record the same visits.
 */
export function listVisits(
  name: string,
  midnight: number,
  random: () => number,
): { at: number; action: string; light: Light }[] {
  const HOUR = 3_600_000
  return HOURS.flatMap(({ from, to, light }) => {
    const begin = Math.ceil((midnight + (from + random() * (to - from)) * HOUR) / GRID) * GRID
    const part = findPart(name, light, Math.floor(random() * 1000))
    return part ? [{ at: begin + part.after * GRID, action: part.action, light }] : []
  })
}

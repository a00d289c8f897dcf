import type { Light } from './manifest.ts'

/** All segments start on this grid, ms. */
export const GRID = 20_000

/** What one place shows of a visit: an action, so many steps of the grid after its beginning. */
export interface Part {
  readonly action: string
  readonly after: number
}

/** One visit as the places see it, by their names. */
type Visit = Readonly<Record<string, Part>>

const DELIVERY: Visit = {
  Street: { action: 'delivery', after: 0 },
  Driveway: { action: 'courier', after: 0 },
  'Front door': { action: 'courier', after: 1 },
}
const HOME_BY_CAR: Visit = { Driveway: { action: 'car', after: 0 }, 'Front door': { action: 'maya', after: 1 } }

/** Visits by light: what several cameras record at the same time, because it passes all of them. */
const VISITS: Readonly<Record<Light, readonly Visit[]>> = {
  day: [DELIVERY, HOME_BY_CAR],
  dusk: [{ Street: { action: 'cyclist', after: 0 }, Driveway: { action: 'jogger', after: 0 } }],
  night: [
    { ...HOME_BY_CAR, Street: { action: 'cars', after: 0 } },
    { Street: { action: 'walk', after: 0 }, Driveway: { action: 'walk', after: 0 } },
  ],
}

/** When visits come on every day, local hours: each somewhere in its own, and in one light from end to end. */
const HOURS: readonly { readonly from: number; readonly to: number; readonly light: Light }[] = [
  { from: 8, to: 12, light: 'day' },
  { from: 13, to: 18, light: 'day' },
  { from: 20, to: 23, light: 'night' },
]

/** What the place called `name` shows of the visit that `turn`, any whole number, chooses in this light; undefined: nothing. */
export function findPart(name: string, light: Light, turn: number): Part | undefined {
  const visits = VISITS[light]
  return visits[turn % visits.length]?.[name]
}

/**
 * What the place called `name` shows of the visits of a local day that begins at `midnight`, ms UTC. `random` must give the
 * same numbers to every camera: they see the same visits.
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

import type { TimeOfDay } from './manifest.ts'

/** Interval in ms of the time grid on which all segments start. */
export const GRID_STEP_MS = 20_000

/** Action of one scene during a visit. It starts `after` grid steps after the start of the visit. */
export interface VisitPart {
  readonly action: string
  readonly after: number
}

/** Visit that several cameras record: one action per scene, by scene name. */
type Visit = Readonly<Record<string, VisitPart>>

const DELIVERY: Visit = {
  Street: { action: 'delivery', after: 0 },
  Driveway: { action: 'courier', after: 0 },
  'Front door': { action: 'courier', after: 1 },
}
const HOME_BY_CAR: Visit = { Driveway: { action: 'car', after: 0 }, 'Front door': { action: 'maya', after: 1 } }

const VISITS: Readonly<Record<TimeOfDay, readonly Visit[]>> = {
  day: [DELIVERY, HOME_BY_CAR],
  dusk: [{ Street: { action: 'cyclist', after: 0 }, Driveway: { action: 'jogger', after: 0 } }],
  night: [
    { ...HOME_BY_CAR, Street: { action: 'cars', after: 0 } },
    { Street: { action: 'walk', after: 0 }, Driveway: { action: 'walk', after: 0 } },
  ],
}

/** Daily time windows in local hours. One visit starts in each window. The lighting does not change within a window. */
const VISIT_WINDOWS: readonly { readonly from: number; readonly to: number; readonly light: TimeOfDay }[] = [
  { from: 8, to: 12, light: 'day' },
  { from: 13, to: 18, light: 'day' },
  { from: 20, to: 23, light: 'night' },
]

/**
 * Returns a scene's action in the visit that `index` (a whole number of 0 or more) selects; undefined if the scene does
 * not record that visit.
 */
export function findVisitPart(name: string, timeOfDay: TimeOfDay, index: number): VisitPart | undefined {
  const visits = VISITS[timeOfDay]
  return visits[index % visits.length]?.[name]
}

/**
 * Returns a scene's actions in the visits of the local day that starts at `midnight` (ms UTC). `random` must yield the
 * same numbers for every camera, because all cameras record the same visits.
 */
export function listVisits(
  name: string,
  midnight: number,
  random: () => number,
): { at: number; action: string; light: TimeOfDay }[] {
  const HOUR = 3_600_000
  return VISIT_WINDOWS.flatMap(({ from, to, light }) => {
    const begin = Math.ceil((midnight + (from + random() * (to - from)) * HOUR) / GRID_STEP_MS) * GRID_STEP_MS
    const part = findVisitPart(name, light, Math.floor(random() * 1000))
    return part ? [{ at: begin + part.after * GRID_STEP_MS, action: part.action, light }] : []
  })
}

import type { CameraSettings } from '../../../contract/cameras/camera-settings.ts'

/** Motion zones: polygons of [x, y] as fractions of the picture from its top left. */
export type Zones = CameraSettings['zones']
export type Zone = Zones[number]
export type Point = Zone[number]

export const ZONES_MAX = 8
export const POINTS = { min: 3, max: 16 } as const

const inside = (value: number) => Math.min(1, Math.max(0, Math.round(value * 1000) / 1000))

/** A further zone in the middle of the picture; the same list when there is no room for one more. */
export function addZone(zones: Zones): Zones {
  if (zones.length >= ZONES_MAX) return zones
  const added: Zone = [
    [0.3, 0.3],
    [0.7, 0.3],
    [0.7, 0.7],
    [0.3, 0.7],
  ]
  return [...zones, added]
}

export const dropZone = (zones: Zones, index: number): Zones => zones.filter((_, at) => at !== index)

/** Puts a corner elsewhere, within the picture. */
export function movePoint(zones: Zones, zone: number, point: number, [x, y]: Point): Zones {
  return change(zones, zone, (corners) => corners.with(point, [inside(x), inside(y)]))
}

/** A new corner half-way to the next one; the same list when the zone has as many as it may. */
export function splitEdge(zones: Zones, zone: number, point: number): Zones {
  const corners = zones[zone] ?? []
  const [from, to] = [corners[point], corners[(point + 1) % corners.length]]
  if (!from || !to || corners.length >= POINTS.max) return zones
  const middle: Point = [inside((from[0] + to[0]) / 2), inside((from[1] + to[1]) / 2)]
  return change(zones, zone, () => corners.toSpliced(point + 1, 0, middle))
}

/** Takes a corner away; three always stay. */
export function dropPoint(zones: Zones, zone: number, point: number): Zones {
  if ((zones[zone] ?? []).length <= POINTS.min) return zones
  return change(zones, zone, (corners) => corners.toSpliced(point, 1))
}

function change(zones: Zones, zone: number, edit: (corners: Zone) => Zone): Zones {
  return zones.map((corners, at) => (at === zone ? edit(corners) : corners))
}

import type { CameraSettings } from '../../../contract/cameras/camera-settings.ts'

/** Motion zones: polygons of [x, y] in fractions of the frame from its upper left corner. */
export type Zones = CameraSettings['zones']
export type Zone = Zones[number]
export type ZonePoint = Zone[number]

export const ZONES_MAX = 8
export const POINTS = { min: 3, max: 16 } as const

const inside = (value: number) => Math.min(1, Math.max(0, Math.round(value * 1000) / 1000))

/** Adds a zone in the center of the frame; returns the same list if the maximum is reached. */
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

export function movePoint(zones: Zones, zone: number, point: number, [x, y]: ZonePoint): Zones {
  return change(zones, zone, (corners) => corners.with(point, [inside(x), inside(y)]))
}

/** Inserts a corner halfway to the next one; returns the same list if the zone has the maximum number. */
export function splitEdge(zones: Zones, zone: number, point: number): Zones {
  const corners = zones[zone] ?? []
  const [from, to] = [corners[point], corners[(point + 1) % corners.length]]
  if (!from || !to || corners.length >= POINTS.max) return zones
  const middle: ZonePoint = [inside((from[0] + to[0]) / 2), inside((from[1] + to[1]) / 2)]
  return change(zones, zone, () => corners.toSpliced(point + 1, 0, middle))
}

/** Removes a corner; three always stay. */
export function dropPoint(zones: Zones, zone: number, point: number): Zones {
  if ((zones[zone] ?? []).length <= POINTS.min) return zones
  return change(zones, zone, (corners) => corners.toSpliced(point, 1))
}

function change(zones: Zones, zone: number, edit: (corners: Zone) => Zone): Zones {
  return zones.map((corners, at) => (at === zone ? edit(corners) : corners))
}

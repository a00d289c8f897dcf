import type { CameraSettings } from '../../../contract/cameras/camera-settings.ts'

/** Motion zones: polygons of [x, y] in fractions of the frame from its upper left corner. */
export type Zones = CameraSettings['zones']
export type Zone = Zones[number]
export type ZonePoint = Zone[number]

export const ZONES_MAX = 8
export const POINT_COUNT = { min: 3, max: 16 } as const

const clampToFrame = (value: number) => Math.min(1, Math.max(0, Math.round(value * 1000) / 1000))

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

export const removeZone = (zones: Zones, index: number): Zones => zones.filter((_, at) => at !== index)

export function movePoint(zones: Zones, zone: number, point: number, [x, y]: ZonePoint): Zones {
  return updateZone(zones, zone, (corners) => corners.with(point, [clampToFrame(x), clampToFrame(y)]))
}

/** Inserts a corner halfway to the next corner; returns the same list if the zone has the maximum number of corners. */
export function splitEdge(zones: Zones, zone: number, point: number): Zones {
  const corners = zones[zone] ?? []
  const [from, to] = [corners[point], corners[(point + 1) % corners.length]]
  if (!from || !to || corners.length >= POINT_COUNT.max) return zones
  const middle: ZonePoint = [clampToFrame((from[0] + to[0]) / 2), clampToFrame((from[1] + to[1]) / 2)]
  return updateZone(zones, zone, () => corners.toSpliced(point + 1, 0, middle))
}

/** Removes a corner; returns the same list if the zone has only the minimum of three corners. */
export function removePoint(zones: Zones, zone: number, point: number): Zones {
  if ((zones[zone] ?? []).length <= POINT_COUNT.min) return zones
  return updateZone(zones, zone, (corners) => corners.toSpliced(point, 1))
}

function updateZone(zones: Zones, zone: number, edit: (corners: Zone) => Zone): Zones {
  return zones.map((corners, at) => (at === zone ? edit(corners) : corners))
}

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

export function movePoint(zones: Zones, zoneIndex: number, pointIndex: number, [x, y]: ZonePoint): Zones {
  return updateZone(zones, zoneIndex, (corners) => corners.with(pointIndex, [clampToFrame(x), clampToFrame(y)]))
}

/** Inserts a corner halfway to the next corner; returns the same list if the zone has the maximum number of corners. */
export function splitEdge(zones: Zones, zoneIndex: number, pointIndex: number): Zones {
  const corners = zones[zoneIndex] ?? []
  const [from, to] = [corners[pointIndex], corners[(pointIndex + 1) % corners.length]]
  if (!from || !to || corners.length >= POINT_COUNT.max) return zones
  const middle: ZonePoint = [clampToFrame((from[0] + to[0]) / 2), clampToFrame((from[1] + to[1]) / 2)]
  return updateZone(zones, zoneIndex, () => corners.toSpliced(pointIndex + 1, 0, middle))
}

/** Removes a corner; returns the same list if the zone has only the minimum of three corners. */
export function removePoint(zones: Zones, zoneIndex: number, pointIndex: number): Zones {
  if ((zones[zoneIndex] ?? []).length <= POINT_COUNT.min) return zones
  return updateZone(zones, zoneIndex, (corners) => corners.toSpliced(pointIndex, 1))
}

function updateZone(zones: Zones, zoneIndex: number, edit: (corners: Zone) => Zone): Zones {
  return zones.map((corners, at) => (at === zoneIndex ? edit(corners) : corners))
}

import type { CameraSettings } from '../../contract/cameras/camera-settings.ts'

export const GRAY_WIDTH = 160
export const GRAY_HEIGHT = 90

/** Number of rows excluded at the top, and also at the bottom, because cameras overlay their clock and name there. */
const OVERLAY_ROWS = 6

type Point = readonly [number, number]

/** Returns true if a point lies inside a polygon (even-odd rule). All coordinates are fractions of the frame. */
export function isInsidePolygon(x: number, y: number, polygon: readonly Point[]): boolean {
  let isInside = false
  polygon.forEach(([x1, y1], i) => {
    const [x2, y2] = polygon.at(i - 1) ?? [x1, y1]
    if (y1 > y !== y2 > y && x < ((x2 - x1) * (y - y1)) / (y2 - y1) + x1) isInside = !isInside
  })
  return isInside
}

export function isInZones(x: number, y: number, zones: CameraSettings['zones']): boolean {
  return zones.length === 0 || zones.some((zone) => isInsidePolygon(x, y, zone))
}

export function createZoneMask(zones: CameraSettings['zones']): Uint8Array {
  const mask = new Uint8Array(GRAY_WIDTH * GRAY_HEIGHT)
  for (let row = OVERLAY_ROWS; row < GRAY_HEIGHT - OVERLAY_ROWS; row++) {
    for (let column = 0; column < GRAY_WIDTH; column++) {
      if (isInZones((column + 0.5) / GRAY_WIDTH, (row + 0.5) / GRAY_HEIGHT, zones)) mask[row * GRAY_WIDTH + column] = 1
    }
  }
  return mask
}

/** Mask without zones: 1 for each pixel outside the overlay rows. */
export const MASK_WITHOUT_ZONES = createZoneMask([])

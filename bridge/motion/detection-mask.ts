import type { CameraSettings } from '../../contract/cameras/camera-settings.ts'

/** Size of the gray frame used for motion detection. */
export const WIDTH = 160
export const HEIGHT = 90

/** Excluded rows at the top and the bottom: cameras overlay their clock and name there. */
const CLOCK_LINES = 6

type Point = readonly [number, number]

/** Returns true if a point lies in a polygon, both as fractions of the frame (even-odd rule). */
export function inside(x: number, y: number, polygon: readonly Point[]): boolean {
  let is = false
  polygon.forEach(([x1, y1], i) => {
    const [x2, y2] = polygon.at(i - 1) ?? [x1, y1]
    if (y1 > y !== y2 > y && x < ((x2 - x1) * (y - y1)) / (y2 - y1) + x1) is = !is
  })
  return is
}

export function inZones(x: number, y: number, zones: CameraSettings['zones']): boolean {
  return zones.length === 0 || zones.some((zone) => inside(x, y, zone))
}

export function createZoneMask(zones: CameraSettings['zones']): Uint8Array {
  const mask = new Uint8Array(WIDTH * HEIGHT)
  for (let row = CLOCK_LINES; row < HEIGHT - CLOCK_LINES; row++) {
    for (let column = 0; column < WIDTH; column++) {
      if (inZones((column + 0.5) / WIDTH, (row + 0.5) / HEIGHT, zones)) mask[row * WIDTH + column] = 1
    }
  }
  return mask
}

/** Mask without zones: 1 for each pixel outside the clock rows. */
export const CLOCK_FREE = createZoneMask([])

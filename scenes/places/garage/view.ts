import { aimCamera, type Camera } from '../../kit/camera.ts'
import type { LightSetup } from '../../kit/light.ts'
import type { Vec3 } from '../../kit/math.ts'

/** View from high in the back corner toward the garage door. */
export const camera: Camera = aimCamera([2.8, 6.15, 2.42], [-0.75, 1.1, 0.62], 78, -0.008)
export const center: Vec3 = [0, 2.4, 1.3]
export const radius = 5.2
/** Door opening in meters. `half`: half of the width. `top`: height. */
export const DOOR_SIZE = { half: 2.4, top: 2.2 }

const WINDOW_PORTAL = { o: [-3.1, 2.3, 1.25] as Vec3, u: [0, 1.5, 0] as Vec3, v: [0, 0, 0.8] as Vec3, power: 1.5 }
const DOOR_PORTAL = {
  o: [DOOR_SIZE.half, 0, 0] as Vec3,
  u: [-2 * DOOR_SIZE.half, 0, 0] as Vec3,
  v: [0, 0, DOOR_SIZE.top] as Vec3,
  power: 1.5,
}
const isOutside = (_x: number, y: number): boolean => y < -0.25

/** Day: an overcast day in September, and a fluorescent lamp on the ceiling. */
export const day: LightSetup = {
  night: false,
  sky: { zenith: [0.75, 0.82, 0.92], horizon: [0.92, 0.95, 0.98], ground: [0.3, 0.3, 0.3], clouds: 0.9, seed: 5 },
  ambient: [0.06, 0.06, 0.062],
  portals: [WINDOW_PORTAL],
  outside: isOutside,
  lamps: [{ at: [-0.4, 3.2, 2.55], power: 0.17, reach: 2.6 }],
  exposure: 0.9,
  haze: { color: [0.8, 0.84, 0.88], far: 170 },
}
export const openDay: LightSetup = { ...day, portals: [WINDOW_PORTAL, DOOR_PORTAL] }

export const night: LightSetup = {
  night: true,
  sky: { zenith: [0.016, 0.016, 0.016], horizon: [0.024, 0.024, 0.024], ground: [0.006, 0.006, 0.006], clouds: 0 },
  ambient: [0.018, 0.018, 0.018],
  ir: { power: 1.1, reach: 4.4, spread: 3 },
  lamps: [{ at: [-6, -17, 5], power: 0.5, reach: 3 }],
  exposure: 1.1,
}

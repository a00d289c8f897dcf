import { aimCamera, type Camera } from '../../kit/camera.ts'
import type { LightSetup } from '../../kit/light.ts'
import { normalize, type Vec3 } from '../../kit/math.ts'

/** View from the top of a bookcase in the corner. */
export const camera: Camera = aimCamera([2.62, 0.28, 2.02], [-0.62, 3.5, 0.66], 73)
export const center: Vec3 = [0, 2.5, 1.2]
export const radius = 4.8
/** Heights of window sill and sofa seat in meters; the cat jumps onto both. */
export const SILL_HEIGHT = 0.86,
  SEAT_HEIGHT = 0.46

const WINDOW_PORTAL = { o: [-3, 1.5, 0.85] as Vec3, u: [0, 2.2, 0] as Vec3, v: [0, 0, 1.35] as Vec3, power: 1.5 }

/** Day: late morning light through a wide window. */
export const day: LightSetup = {
  night: false,
  sun: { dir: normalize([-0.74, 0.24, 0.6]), color: [4.6, 3.9, 2.9], soft: 0.02 },
  sky: { zenith: [0.85, 0.95, 1.15], horizon: [1, 1.02, 1.05], ground: [0.5, 0.48, 0.4], clouds: 0 },
  ambient: [0.21, 0.195, 0.17],
  portals: [WINDOW_PORTAL],
  exposure: 1,
}

const LAMP_LIGHT: Vec3 = [1, 0.6, 0.27]

/** Night: the floor lamp beside the sofa, its light on the ceiling, and faint moonlight at the window. */
export const night: LightSetup = {
  night: true,
  inColor: true,
  sky: { zenith: [0.03, 0.027, 0.06], horizon: [0.04, 0.034, 0.07], ground: [0.012, 0.01, 0.016], clouds: 0 },
  ambient: [0.066, 0.052, 0.048],
  keyLamp: { at: [-1.98, 4.2, 1.6], power: 1.3, reach: 1.5, color: LAMP_LIGHT },
  lamps: [{ at: [-1.9, 4, 2.35], power: 0.32, reach: 2.2, color: LAMP_LIGHT, isOffAtDusk: true }],
  grain: 0.01,
  exposure: 1.1,
}

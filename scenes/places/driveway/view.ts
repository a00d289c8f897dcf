import { aimCamera, type Camera } from '../../kit/camera.ts'
import type { LightSetup } from '../../kit/light.ts'
import { normalize, type Vec3 } from '../../kit/math.ts'

/** View from under the eaves beside the garage, down the driveway to the street. */
export const camera: Camera = aimCamera([1.7, 0, 2.85], [-0.5, 12, 0.75], 70)
export const center: Vec3 = [0, 17, 0]
export const radius = 32

/** Day: a clear morning in early summer. */
export const day: LightSetup = {
  night: false,
  sun: { dir: normalize([0.62, -0.38, 0.62]), color: [2.35, 2.1, 1.75], soft: 0.035 },
  sky: { zenith: [0.36, 0.55, 0.92], horizon: [0.78, 0.88, 1], ground: [0.2, 0.2, 0.15], clouds: 0.55, seed: 3 },
  ambient: [0.03, 0.03, 0.035],
  exposure: 0.6,
  haze: { color: [0.66, 0.78, 0.95], far: 260 },
}

/** Night: a weak warm lamp above the garage door, a street lamp far left, and a lamp across the street. */
export const night: LightSetup = {
  night: true,
  inColor: true,
  sky: { zenith: [0.018, 0.015, 0.042], horizon: [0.034, 0.028, 0.062], ground: [0.008, 0.007, 0.014], clouds: 0 },
  ambient: [0.028, 0.024, 0.062],
  keyLamp: { at: [-0.6, 0.5, 2.6], power: 1.7, reach: 3.1, color: [1, 0.58, 0.25] },
  lamps: [
    { at: [-9, 14.6, 5.2], power: 0.55, reach: 4 },
    { at: [15.4, 29.6, 2.4], power: 0.5, reach: 1.4 },
  ],
  haze: { color: [0.03, 0.025, 0.056], far: 60 },
  grain: 0.011,
  exposure: 1.1,
}

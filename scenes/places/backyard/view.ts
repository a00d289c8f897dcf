import { aimCamera, type Camera } from '../../kit/camera.ts'
import type { LightSetup } from '../../kit/light.ts'
import { normalize, type Vec3 } from '../../kit/math.ts'

/** View from the upper floor at the back of the house, across the lawn. */
export const camera: Camera = aimCamera([-4.6, -0.8, 3.5], [0.1, 8.4, 0.5], 66, -0.01)
export const center: Vec3 = [0, 9, 0]
export const radius = 24

/** Day: noon in April. */
export const day: LightSetup = {
  night: false,
  sun: { dir: normalize([-0.48, 0.28, 0.83]), color: [2.5, 2.3, 1.95], soft: 0.04 },
  sky: { zenith: [0.3, 0.52, 0.95], horizon: [0.8, 0.9, 1], ground: [0.19, 0.21, 0.13], clouds: 0.75, seed: 21 },
  ambient: [0.03, 0.03, 0.035],
  exposure: 0.6,
  haze: { color: [0.72, 0.84, 0.98], far: 200 },
}

/** Night: an infrared lamp on the wall, and lanterns by the patio. */
export const night: LightSetup = {
  night: true,
  sky: { zenith: [0.02, 0.02, 0.02], horizon: [0.03, 0.03, 0.03], ground: [0.008, 0.008, 0.008], clouds: 0 },
  ambient: [0.01, 0.01, 0.01],
  ir: { power: 1.9, reach: 6, spread: 2.2 },
  lamps: [{ at: [6.1, 4.1, 0.6], power: 0.7, reach: 0.8 }],
  exposure: 1.15,
}

/** Height of the fence in meters. */
export const FENCE_HEIGHT = 1.82

import { aimCamera, type Camera } from '../../kit/camera.ts'
import type { LightSetup } from '../../kit/light.ts'
import { normalize, type Vec3 } from '../../kit/math.ts'

/** View from an upper window along a snowy street. */
export const camera: Camera = aimCamera([-9.5, -7.5, 5.4], [2.6, 6.4, 0.7], 58, 0.006)
export const center: Vec3 = [4, 8, 0]
export const radius = 34

/** Day: a cold, clear afternoon in January. */
export const day: LightSetup = {
  night: false,
  sun: { dir: normalize([-0.75, -0.3, 0.37]), color: [2.1, 1.62, 1.12], soft: 0.03 },
  sky: { zenith: [0.32, 0.47, 0.78], horizon: [0.86, 0.84, 0.86], ground: [0.36, 0.38, 0.44], clouds: 0.3, seed: 33 },
  ambient: [0.03, 0.035, 0.045],
  exposure: 0.5,
  haze: { color: [0.86, 0.84, 0.9], far: 120 },
}

/** Night: street lamps. The camera's infrared lamp hardly reaches the road. */
export const night: LightSetup = {
  night: true,
  sky: { zenith: [0.018, 0.018, 0.018], horizon: [0.03, 0.03, 0.03], ground: [0.014, 0.014, 0.014], clouds: 0 },
  ambient: [0.012, 0.012, 0.012],
  ir: { power: 0.6, reach: 11, spread: 2 },
  lamps: [
    { at: [-3, 6.8, 4.6], power: 0.8, reach: 3.6 },
    { at: [11, 6.8, 4.6], power: 0.8, reach: 3.6 },
    { at: [25, 6.8, 4.6], power: 0.8, reach: 3.6 },
  ],
  exposure: 1.1,
}

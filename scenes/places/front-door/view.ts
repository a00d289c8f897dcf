import { aimCamera, type Camera } from '../../kit/camera.ts'
import type { LightSetup } from '../../kit/light.ts'
import { smoothstep, normalize, type Vec3 } from '../../kit/math.ts'

/** View over the porch from beside the door, 1.72 m above the porch floor. */
export const camera: Camera = aimCamera([-0.2, 0, 1.72], [0.12, 4, 0.72], 92, 0.012)
/** View of the second lens: from under the porch roof down at the doorstep, where parcels lie. */
export const inset: Camera = aimCamera([0.62, 0.5, 2.3], [0.12, 1.95, 0], 76)
export const center: Vec3 = [0, 12, 0]
export const radius = 26
/** Height of the ground in meters; the porch floor is 0. */
export const GROUND_LEVEL = -0.54

/** Returns the height in meters of the porch floor, the steps or the path at `y`. */
export const getFloorHeight = (_x: number, y: number): number =>
  y < 2.5
    ? 0.005
    : GROUND_LEVEL +
      0.012 -
      (GROUND_LEVEL + 0.012) *
        (1 - (smoothstep(2.45, 2.6, y) + smoothstep(2.75, 2.9, y) + smoothstep(3.05, 3.2, y)) / 3)

/** Day: an afternoon in October with golden light. */
export const day: LightSetup = {
  night: false,
  sun: { dir: normalize([-0.66, -0.36, 0.46]), color: [2.7, 2.05, 1.3], soft: 0.04 },
  sky: { zenith: [0.36, 0.5, 0.78], horizon: [0.95, 0.86, 0.72], ground: [0.24, 0.19, 0.13], clouds: 0.35, seed: 11 },
  ambient: [0.05, 0.045, 0.04],
  exposure: 0.66,
  haze: { color: [0.95, 0.82, 0.62], far: 170 },
}

/** Color of the porch light, about 2700 K. */
export const PORCH_LIGHT: Vec3 = [1, 0.57, 0.23]
/** Color of the street lamps. */
const STREET_LIGHT: Vec3 = [1, 0.72, 0.42]
/** Lantern that hangs from the porch roof. */
export const LANTERN_POSITION: Vec3 = [0.1, 2.2, 2.36]

/**
 * Night: the porch light (the wall lamp beside the door and the hanging lantern), two lanterns at the gate, and two
 * street lamps behind the trees.
 */
export const night: LightSetup = {
  night: true,
  inColor: true,
  sky: { zenith: [0.018, 0.015, 0.042], horizon: [0.034, 0.028, 0.062], ground: [0.008, 0.007, 0.014], clouds: 0 },
  ambient: [0.02, 0.017, 0.052],
  keyLamp: { at: [1.25, 0.1, 2.1], power: 0.9, reach: 2.2, color: PORCH_LIGHT },
  lamps: [
    { at: [-1.35, 9.3, 0.95], power: 0.9, reach: 1.3 },
    { at: [1.75, 9.3, 0.95], power: 0.9, reach: 1.3 },
    { at: LANTERN_POSITION, power: 1.2, reach: 1.65, color: PORCH_LIGHT, isOffAtDusk: true },
    { at: [-8.5, 17.6, 4.2], power: 0.2, reach: 3.4, color: STREET_LIGHT, isOffAtDusk: true },
    { at: [8.8, 17.6, 4.2], power: 0.2, reach: 3.4, color: STREET_LIGHT, isOffAtDusk: true },
  ],
  haze: { color: [0.03, 0.025, 0.056], far: 34 },
  grain: 0.011,
  exposure: 1.15,
}

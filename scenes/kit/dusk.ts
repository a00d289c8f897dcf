import type { Lamp, LightSetup } from './light.ts'
import { normalize, type Vec3 } from './math.ts'

const multiply = (a: Vec3, b: Vec3): Vec3 => [a[0] * b[0], a[1] * b[1], a[2] * b[2]]

/**
 * Derives the lighting at dusk from day and night: low red sun and dim sky, with `extraLamps` and the lamps of day and
 * night on. Indoors, halves the colors of sun and sky, because the camera exposes for the room.
 */
export function createDuskLight(day: LightSetup, night: LightSetup, extraLamps: readonly Lamp[] = []): LightSetup {
  const { sun, sky, portals, haze } = day,
    outsideFactor = portals ? 0.5 : 1
  return {
    ...day,
    dusk: true,
    ...(sun && {
      sun: {
        dir: normalize([sun.dir[0], sun.dir[1], sun.dir[2] * 0.42]),
        color: multiply(sun.color, [0.5 * outsideFactor, 0.25 * outsideFactor, 0.1 * outsideFactor]),
        soft: sun.soft * 2,
      },
    }),
    sky: {
      ...sky,
      zenith: multiply(sky.zenith, [0.34 * outsideFactor, 0.32 * outsideFactor, 0.42 * outsideFactor]),
      horizon: multiply(sky.horizon, [0.66 * outsideFactor, 0.4 * outsideFactor, 0.32 * outsideFactor]),
      ground: multiply(sky.ground, [0.3, 0.26, 0.26]),
    },
    ambient: multiply(day.ambient, [0.5, 0.42, 0.42]),
    lamps: [
      ...extraLamps,
      ...(day.lamps ?? []),
      ...(night.lamps ?? [])
        .filter(({ isOffAtDusk }) => !isOffAtDusk)
        .map((lamp) => ({ ...lamp, power: lamp.power * 0.55 })),
    ],
    ...(portals && { portals: portals.map((window) => ({ ...window, power: window.power * 1.7 })) }),
    ...(haze && { haze: { ...haze, color: multiply(haze.color, [0.6, 0.4, 0.36]) } }),
  }
}

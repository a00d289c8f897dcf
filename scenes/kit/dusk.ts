import type { Lamp, LightSetup } from './light.ts'
import { unit, type V3 } from './math.ts'

const times = (a: V3, b: V3): V3 => [a[0] * b[0], a[1] * b[1], a[2] * b[2]]

/**
 * Derives the lighting at dusk from day and night: the sun is low and red, the sky is dim, and the lamps of `lit`, day
 * and night are on. Indoors the exposure suits the room, so light from outside is halved.
 */
export function dusk(day: LightSetup, night: LightSetup, lit: readonly Lamp[] = []): LightSetup {
  const { sun, sky, portals, haze } = day,
    far = portals ? 0.5 : 1
  return {
    ...day,
    dusk: true,
    ...(sun && {
      sun: {
        dir: unit([sun.dir[0], sun.dir[1], sun.dir[2] * 0.42]),
        color: times(sun.color, [0.5 * far, 0.25 * far, 0.1 * far]),
        soft: sun.soft * 2,
      },
    }),
    sky: {
      ...sky,
      zenith: times(sky.zenith, [0.34 * far, 0.32 * far, 0.42 * far]),
      horizon: times(sky.horizon, [0.66 * far, 0.4 * far, 0.32 * far]),
      ground: times(sky.ground, [0.3, 0.26, 0.26]),
    },
    ambient: times(day.ambient, [0.5, 0.42, 0.42]),
    lamps: [
      ...lit,
      ...(day.lamps ?? []),
      ...(night.lamps ?? []).map((lamp) => ({ ...lamp, power: lamp.power * 0.55 })),
    ],
    ...(portals && { portals: portals.map((window) => ({ ...window, power: window.power * 1.7 })) }),
    ...(haze && { haze: { ...haze, color: times(haze.color, [0.6, 0.4, 0.36]) } }),
  }
}

import { normalize } from '../../kit/math.ts'
import type { Scene } from '../../kit/place.ts'
import { addBird } from '../../kit/props.ts'
import type { Shot } from '../../kit/shot.ts'
import { dayActions } from './day.ts'
import { moments } from './moments.ts'
import { nightActions } from './night.ts'
import { build } from './set.ts'
import { sound } from './sound.ts'
import { camera, center, day, night, radius } from './view.ts'

/**
 * Draws birds outside the window by day and at dusk. At night, draws the headlight of a passing car, which sweeps over
 * the wall.
 */
function drawQuietScene(s: Shot, t: number): void {
  if (s.isNight) {
    const u = (t - 24) / 6
    if (u > 0 && u < 1)
      s.addHeadlight([-6, -4 + u * 9, 1.2], normalize([0.8, 0.45 - u * 0.9, 0]), 1.3 * Math.sin(Math.PI * u), 0)
    return
  }
  for (const k of [0, 1]) {
    const u = (t - 5 - k * 19 - k) / 4
    if (u > 0 && u < 1)
      s.addActor('', (m) =>
        addBird(m, [-8, -1 + u * 10, 1.9 + 0.4 * Math.sin(u * 8 + k)], Math.PI / 2, Math.sin(t * 16) * 0.8, 1.3),
      )
  }
}

export const scene: Scene = {
  id: 'living-room',
  name: 'Living room',
  renditions: ['360'],
  outdoor: false,
  camera,
  center,
  radius,
  build,
  day,
  night,
  nightQpOffset: 2,
  wind: 0.5,
  skyShare: 0.05,
  quiet: drawQuietScene,
  dayActions,
  nightActions,
  moments,
  sound,
  duskActions: ['nap'],
  duskLamps: [{ at: [-2.3, 4.4, 1.5], power: 0.75, reach: 1.1 }],
}

import { unit } from '../../kit/math.ts'
import type { Place } from '../../kit/place.ts'
import { bird } from '../../kit/props.ts'
import type { Shot } from '../../kit/shot.ts'
import { dayActions } from './day.ts'
import { moments } from './moments.ts'
import { nightActions } from './night.ts'
import { build } from './set.ts'
import { sound } from './sound.ts'
import { camera, center, day, night, radius } from './view.ts'

/** Draws movement at the window: birds by day; at night a car's light moves over the wall. */
function quiet(s: Shot, t: number): void {
  if (s.night) {
    const u = (t - 24) / 6
    if (u > 0 && u < 1)
      s.headlight([-6, -4 + u * 9, 1.2], unit([0.8, 0.45 - u * 0.9, 0]), 1.3 * Math.sin(Math.PI * u), 0)
    return
  }
  for (const k of [0, 1]) {
    const u = (t - 5 - k * 19 - k) / 4
    if (u > 0 && u < 1)
      s.actor('', (m) =>
        bird(m, [-8, -1 + u * 10, 1.9 + 0.4 * Math.sin(u * 8 + k)], Math.PI / 2, Math.sin(t * 16) * 0.8, 1.3),
      )
  }
}

export const place: Place = {
  id: 'living-room',
  name: 'Living room',
  renditions: ['360'],
  outdoor: false,
  camera,
  centre: center,
  radius,
  build,
  day,
  night,
  wind: 0.5,
  skyShare: 0.05,
  quiet,
  dayActions,
  nightActions,
  moments,
  sound,
  duskActions: ['nap'],
  duskLamps: [{ at: [-2.3, 4.4, 1.5], power: 0.75, reach: 1.1 }],
}

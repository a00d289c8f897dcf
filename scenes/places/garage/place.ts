import { createMaterial } from '../../kit/mesh.ts'
import type { Scene } from '../../kit/place.ts'
import { addBall, addTube } from '../../kit/shapes.ts'
import type { Shot } from '../../kit/shot.ts'
import { dayActions } from './day.ts'
import { drawGarageDoor } from './door.ts'
import { moments } from './moments.ts'
import { nightActions } from './night.ts'
import { build } from './set.ts'
import { camera, center, day, night, openDay, radius } from './view.ts'

/** Draws the closed garage door, a moth near the lamp, and a mouse that runs along the wall. */
function drawQuietScene(s: Shot, t: number): void {
  drawGarageDoor(s, t, 90, 99)
  const d = (t > 22 ? t - 22 : -1) * 0.9
  if (d > 0 && d < 5.2 && (t * 0.9) % 2.4 > 0)
    s.addActor('', (m) => {
      addBall(
        m,
        createMaterial(0.16, 0.13, 0.11, { ir: 0.4 }),
        [-2.3 + 0.08 * Math.sin(d * 4), 0.5 + d, 0.028],
        [0.022, 0.045, 0.024],
        8,
      )
      addTube(
        m,
        createMaterial(0.3, 0.2, 0.18),
        [
          [-2.3 + 0.08 * Math.sin(d * 4), 0.45 + d, 0.02],
          [-2.3 + 0.08 * Math.sin(d * 4 - 0.6), 0.35 + d, 0.015],
        ],
        [0.004, 0.003],
        4,
      )
    })
  const u = t > 4 && t < 17 ? t - 4 : -1
  if (u > 0)
    s.addActor('', (m) => {
      const x = -1.6 + 0.4 * Math.sin(u * 2.1) - Math.max(0, 1 - u) * 2 - Math.max(0, u - 12) * 3,
        z = 2.35 + 0.16 * Math.sin(u * 3.3)
      for (const k of [-1, 1])
        addBall(
          m,
          createMaterial(0.5, 0.45, 0.36),
          [x + k * 0.016, 3.2 + 0.3 * Math.cos(u * 2.7), z + 0.012 * Math.sin(u * 40)],
          [0.022, 0.012, 0.006],
          6,
        )
    })
}

export const scene: Scene = {
  id: 'garage',
  name: 'Garage',
  renditions: ['360'],
  outdoor: false,
  camera,
  center,
  radius,
  build,
  day,
  night,
  openDay,
  wind: 0,
  skyShare: (p) => (p[1] < -0.3 ? 1 : 0.08),
  quiet: drawQuietScene,
  dayActions,
  nightActions,
  moments,
  duskActions: ['bench'],
  duskLamps: [{ at: [-0.4, 3.2, 2.5], power: 0.22, reach: 2.6 }],
}

import { smoothstep } from '../../kit/math.ts'
import type { Scene } from '../../kit/place.ts'
import { addBird } from '../../kit/props.ts'
import type { Shot } from '../../kit/shot.ts'
import { dayActions } from './day.ts'
import { moments } from './moments.ts'
import { nightActions } from './night.ts'
import { build } from './set.ts'
import { sound } from './sound.ts'
import { camera, center, day, night, radius } from './view.ts'

function drawQuietScene(s: Shot, t: number): void {
  if (s.isNight) return
  for (let k = 0; k < 3; k++) {
    const u = (t - 3 - k * 0.4) / 8
    if (u > 0 && u < 1)
      s.addActor('', (m) =>
        addBird(
          m,
          [-20 + u * 42, 17 + k * 1.2, 6.2 + k * 0.5 + Math.sin(u * 9 + k) * 0.5],
          0,
          Math.sin(t * 16 + k) * 0.8,
          1.7,
        ),
      )
  }
  const b = t > 22 && t < 38 ? t - 22 : -1
  if (b < 0) return
  const land = smoothstep(0, 2.4, b),
    go = smoothstep(12.6, 15.4, b),
    z = 0.08 + (1 - land) * 3 + go * 3.4,
    hop = land > 0.99 && go < 0.01 ? Math.max(0, Math.sin(b * 3.1)) ** 6 : 0
  s.addActor('', (m) =>
    addBird(
      m,
      [6 - (1 - land) * 6 - go * 9 - b * 0.12, 4.4 + (1 - land) * 5 + go * 4, z + hop * 0.12],
      go > 0 ? 2.6 : -0.7 + 0.6 * Math.sin(b * 0.8),
      land < 0.99 || go > 0.01 ? Math.sin(t * 20) * 0.9 : -0.5,
      1,
    ),
  )
}

export const scene: Scene = {
  id: 'backyard',
  name: 'Backyard',
  renditions: ['360'],
  outdoor: true,
  camera,
  center,
  radius,
  build,
  day,
  night,
  wind: 0.9,
  skyShare: 1,
  quiet: drawQuietScene,
  dayActions,
  nightActions,
  moments,
  sound,
  duskActions: ['bark'],
}

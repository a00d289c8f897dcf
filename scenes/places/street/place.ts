import { redHatch, yellowSedan } from '../../kit/car-styles.ts'
import type { Scene } from '../../kit/place.ts'
import { addBird } from '../../kit/props.ts'
import type { Shot } from '../../kit/shot.ts'
import { dayActions } from './day.ts'
import { moments } from './moments.ts'
import { nightActions } from './night.ts'
import { build } from './set.ts'
import { drawPassingCar } from './traffic.ts'
import { camera, center, day, night, radius } from './view.ts'

function drawQuietScene(s: Shot, t: number): void {
  if (s.isNight) {
    drawPassingCar(s, t, 23, redHatch, false, 9, '')
    return
  }
  drawPassingCar(s, t, 2, yellowSedan, true, 9, '')
  for (let k = 0; k < 4; k++) {
    const u = (t - 24 - k * 0.5) / 9
    if (u > 0 && u < 1)
      s.addActor('', (m) =>
        addBird(
          m,
          [-14 + u * 50, 20 + k * 2, 8 + Math.sin(u * 7 + k) * 0.8 + k * 0.4],
          0,
          Math.sin(t * 13 + k) * 0.8,
          2.2,
        ),
      )
  }
}

export const scene: Scene = {
  id: 'street',
  name: 'Street',
  renditions: ['360'],
  outdoor: true,
  camera,
  center,
  radius,
  build,
  day,
  night,
  wind: 0,
  skyShare: 1,
  quiet: drawQuietScene,
  dayActions,
  nightActions,
  moments,
  duskActions: ['cyclist'],
}

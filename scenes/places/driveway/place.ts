import { greenHatch, whiteVan } from '../../kit/car-styles.ts'
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
  drawPassingCar(s, t, 9, greenHatch, false, '')
  if (!s.isNight) {
    drawPassingCar(s, t, 27, whiteVan, true, '')
    for (const k of [0, 1])
      if (t > 10.5 && t < 18.5)
        s.addActor('', (m) =>
          addBird(
            m,
            [-20 + (t - 10.5) * 5 - k * 1.6, 26 + k, 8.4 + k * 0.7 + Math.sin(t * 1.4 + k) * 0.3],
            0.1,
            Math.sin(t * 15 + k * 2) * 0.8,
            2,
          ),
        )
  }
}

export const scene: Scene = {
  id: 'driveway',
  name: 'Driveway',
  renditions: ['360', '720'],
  outdoor: true,
  camera,
  center,
  radius,
  build,
  day,
  night,
  wind: 0.8,
  skyShare: 1,
  quiet: drawQuietScene,
  dayActions,
  nightActions,
  moments,
  duskActions: ['jogger'],
}

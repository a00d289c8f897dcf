import { blueSedan, greenHatch, silverSuv, type CarStyle } from '../../kit/car-styles.ts'
import { drawCar } from '../../kit/car.ts'
import { passerbyLook } from '../../kit/looks.ts'
import { clamp } from '../../kit/math.ts'
import { createMaterial } from '../../kit/mesh.ts'
import { drawPerson } from '../../kit/moves.ts'
import type { Scene } from '../../kit/place.ts'
import type { Shot } from '../../kit/shot.ts'
import { dayActions } from './day.ts'
import { moments } from './moments.ts'
import { nightActions } from './night.ts'
import { build } from './set.ts'
import { sound } from './sound.ts'
import { GROUND_LEVEL, camera, center, day, inset, night, radius } from './view.ts'

function drawPassingCar(s: Shot, t: number, t0: number, style: CarStyle, isNearLane: boolean): void {
  const d = (t - t0) * 9
  if (d > 0 && d < 90)
    drawCar(
      s,
      style,
      {
        at: [isNearLane ? -45 + d : 45 - d, isNearLane ? 13.4 : 16.6, GROUND_LEVEL - 0.12],
        heading: isNearLane ? 0 : Math.PI,
        rolled: d,
        lights: true,
      },
      '',
    )
}

function drawQuietScene(s: Shot, t: number): void {
  drawPassingCar(s, t, 3, greenHatch, true)
  drawPassingCar(s, t, 26, s.isNight ? blueSedan : silverSuv, false)
  const d = (t - 22) * 1.35
  if (d > 0 && d < 23)
    drawPerson(
      s,
      passerbyLook,
      { at: [11 - d, 19.3, GROUND_LEVEL + 0.01], heading: Math.PI, walked: d, stride: 1, t },
      '',
    )
}

function drawBackground(s: Shot, t: number): void {
  if (s.isNight) {
    for (const x of [-1.35, 1.75]) s.addLightGlow([x, 9.25, 0.9], 0.55, 110)
    s.addLightGlow([0.1, 2.1, 2.36], 0.22, 60)
    return
  }
  for (let i = 0; i < 7; i++) {
    const u = clamp((((t + i * 2.77) % 20) - 0.3) / 5.5)
    if (u <= 0 || u >= 1 || t < 0.3) continue
    const z = 2.9 - u * 3.3,
      x = -5 + i * 1.7 + Math.sin(u * 9 + i) * 0.35,
      a = u * 11 + i,
      c = Math.cos(a) * 0.07,
      e = Math.sin(a) * 0.06,
      y = 4.6 + (i % 3) * 1.1
    if (z < GROUND_LEVEL) continue
    s.addActor('', (m) => {
      const id = m.getMaterialId(createMaterial(0.6, 0.24, 0.03)),
        v = m.addVertex(x - c, y, z - e, 0, -0.5, 0.8, id)
      m.addVertex(x, y + e, z - c * 0.6, 0, -0.5, 0.8, id)
      m.addVertex(x + c, y, z + e, 0, -0.5, 0.8, id)
      m.addVertex(x, y - e, z + c * 0.6, 0, -0.5, 0.8, id)
      m.addTriangle(v, v + 1, v + 2)
      m.addTriangle(v, v + 2, v + 3)
    })
  }
}

export const scene: Scene = {
  id: 'front-door',
  name: 'Front door',
  renditions: ['360', '720'],
  outdoor: true,
  camera,
  inset,
  center,
  radius,
  build,
  day,
  night,
  wind: 0.35,
  skyShare: 0.8,
  always: drawBackground,
  quiet: drawQuietScene,
  dayActions,
  nightActions,
  moments,
  sound,
  duskActions: ['maya'],
}

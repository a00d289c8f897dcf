import { blueSedan, greenHatch, silverSuv, type CarStyle } from '../../kit/car-styles.ts'
import { drawCar } from '../../kit/car.ts'
import { passerbyLook } from '../../kit/looks.ts'
import { clamp, type Vec3 } from '../../kit/math.ts'
import { createMaterial } from '../../kit/mesh.ts'
import { drawPerson } from '../../kit/moves.ts'
import type { Scene } from '../../kit/place.ts'
import type { Shot } from '../../kit/shot.ts'
import { dayActions } from './day.ts'
import { moments } from './moments.ts'
import { drawMoth } from './moth.ts'
import { nightActions } from './night.ts'
import { build } from './set.ts'
import { sound } from './sound.ts'
import { GROUND_LEVEL, LANTERN_POSITION, camera, center, day, inset, night, radius } from './view.ts'

/** Color of the bloom of lamps at night. */
const GLOW_COLOR: Vec3 = [1, 0.75, 0.42]

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

/** Draws leaf `i` (0 to 6), which falls once in 20 s. */
function drawFallingLeaf(s: Shot, t: number, i: number): void {
  const u = clamp((((t + i * 2.77) % 20) - 0.3) / 5.5)
  if (u <= 0 || u >= 1 || t < 0.3) return
  const z = 2.9 - u * 3.3,
    x = -5 + i * 1.7 + Math.sin(u * 9 + i) * 0.35,
    a = u * 11 + i,
    c = Math.cos(a) * 0.07,
    e = Math.sin(a) * 0.06,
    y = 4.6 + (i % 3) * 1.1
  if (z < GROUND_LEVEL) return
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

/** Leaf that falls at night into the light, between the flights of the moth. */
const NIGHT_LEAF = 4

function drawBackground(s: Shot, t: number): void {
  if (s.isNight) {
    for (const x of [-1.35, 1.75]) s.addLightGlow([x, 9.25, 0.9], 0.55, 110, GLOW_COLOR)
    s.addLightGlow(LANTERN_POSITION, 0.4, 130, GLOW_COLOR)
    drawMoth(s, t)
    drawFallingLeaf(s, t, NIGHT_LEAF)
    return
  }
  for (let i = 0; i < 7; i++) drawFallingLeaf(s, t, i)
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
  nightQpOffset: 2,
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

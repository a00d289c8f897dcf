import { addFox } from '../../kit/animals.ts'
import { blueSedan, redHatch, yellowSedan } from '../../kit/car-styles.ts'
import { passerbyLook } from '../../kit/looks.ts'
import { drawPerson } from '../../kit/moves.ts'
import { getStride, getTravelDistance, createPath } from '../../kit/path.ts'
import type { Action } from '../../kit/place.ts'
import type { Shot } from '../../kit/shot.ts'
import { drawPassingCar } from './traffic.ts'

function drawFox(s: Shot, t: number): void {
  const w = createPath([30, 3], [16, 2.8], [7, 3.4], [3, 2.4], [-2, 1], [-5, -2], [-9, -4.5], [-13, -9]),
    k = 25.5,
    first = t < 10.4,
    d = first ? getTravelDistance(t, 1, 8.4, k, 0.3, 0.8) : k + getTravelDistance(t, 11.4, 18, w.length - k, 0.8, 0.2),
    p = w.at(d),
    rest = getStride(t, 8.2, 11.8, 0.5)
  if (t < 1 || t > 17.9) return
  const z = p.p[1] > -0.1 ? -0.11 : 0.02
  s.addContactShadow([p.p[0], p.p[1], z], 0.42, 0.16, p.heading, 0.5)
  s.addActor('pet', (m) =>
    addFox(m, {
      at: [p.p[0], p.p[1], z],
      heading: p.heading,
      walked: d,
      gait: (1 - rest) * 1.3,
      look: rest * 0.8 * Math.sin((t - 8) * 1.8),
      nod: 0.2 * rest - 0.15,
      t,
    }),
  )
}

function drawNightWalk(s: Shot, t: number): void {
  const d = getTravelDistance(t, 0.6, 19.2, 26, 0.2)
  if (t > 0.6 && t < 19.1)
    drawPerson(s, passerbyLook, {
      at: [15 - d, 9.3, 0.02],
      heading: Math.PI,
      walked: d,
      stride: 1,
      look: t > 8 && t < 10 ? 0.6 : 0,
      t,
    })
  drawPassingCar(s, t, 5, redHatch, true)
}

function drawTwoCars(s: Shot, t: number): void {
  drawPassingCar(s, t, 1, yellowSedan, false)
  drawPassingCar(s, t, 6, blueSedan, true, 7.5)
}
export const nightActions: Action[] = [
  {
    id: 'cars',
    label: 'Cars',
    summary: 'Two cars meet, their headlights sweep over the snow.',
    seconds: 20,
    best: 9,
    tags: ['motion', 'vehicle'],
    draw: drawTwoCars,
  },
  {
    id: 'walk',
    label: 'Person',
    summary: 'Somebody walks home under the lamps while a car goes by.',
    seconds: 20,
    best: 9.4,
    tags: ['motion', 'person', 'vehicle'],
    draw: drawNightWalk,
  },
  {
    id: 'fox',
    label: 'Animal',
    summary: 'A fox trots down the middle of the road and stops to look round.',
    seconds: 20,
    best: 13.6,
    tags: ['motion', 'pet'],
    draw: drawFox,
  },
]

import { addBicycle } from '../../kit/bicycle.ts'
import { redHatch, silverSuv } from '../../kit/car-styles.ts'
import { childLook, joggerLook } from '../../kit/looks.ts'
import { transformPoint, placeFigure, type Vec3 } from '../../kit/math.ts'
import { createMaterial } from '../../kit/mesh.ts'
import { drawPerson } from '../../kit/moves.ts'
import { getTravelDistance, createPath } from '../../kit/path.ts'
import { addPerson } from '../../kit/person.ts'
import type { Action } from '../../kit/place.ts'
import type { Shot } from '../../kit/shot.ts'
import { createCarAction } from './car.ts'
import { drawDelivery } from './courier.ts'
import { drawPassingCar } from './traffic.ts'

function drawJogger(s: Shot, t: number): void {
  const d = (t - 2) * 2.9
  if (t > 2 && t < 17)
    drawPerson(s, joggerLook, {
      at: [24 - d, 15.9, 0.015],
      heading: Math.PI,
      walked: d * 0.62,
      stride: 1.25,
      lean: 0.1,
      t,
      hands: [
        [-0.22, 0.22 + 0.16 * Math.sin(d * 3.2), 1.1],
        [0.22, 0.22 - 0.16 * Math.sin(d * 3.2), 1.1],
      ],
      look: t > 7 && t < 11 ? 0.5 : 0,
    })
  drawPassingCar(s, t, 7.5, silverSuv, false)
}

const bikePath = createPath(
  [-26, 15.9],
  [-8, 15.9],
  [-3, 15],
  [-0.6, 12.2],
  [0.3, 9],
  [1.7, 8],
  [2.1, 9.8],
  [1.4, 13],
  [3.5, 15.5],
  [8, 15.95],
  [30, 15.9],
)
function drawBikeRide(s: Shot, t: number): void {
  if (t < 1.2 || t > 18.6) return
  const d = getTravelDistance(t, 1.2, 18.6, bikePath.length, 0.2),
    w = bikePath.at(d),
    size = 0.68,
    a = d * 2.6,
    at = placeFigure([w.p[0], w.p[1], 0.012], w.heading),
    k = 1.22 / 1.76
  const foot = (b: number, x: number): Vec3 => [
    x,
    (-0.05 * size + 0.13 * size * Math.cos(b)) / k + 0.12,
    (0.29 * size + 0.13 * size * Math.sin(b)) / k - 0.03,
  ]
  s.addContactShadow([w.p[0], w.p[1], 0.012], 0.7, 0.2, w.heading, 0.5)
  s.addActor('person', (m) => {
    addBicycle(m, at, size, d, createMaterial(0.05, 0.3, 0.62, { gloss: 0.2 }))
    addPerson(m, childLook, {
      at: transformPoint(at, [0, -0.12, 0]),
      heading: w.heading,
      seat: (0.9 * size) / k + 0.05,
      lean: 0.3,
      look: 0.3 * Math.sin(t * 1.1),
      feet: [foot(a, -0.1), foot(a + Math.PI, 0.1)],
      hands: [
        [-0.24, 0.53, 0.97],
        [0.24, 0.53, 0.97],
      ],
    })
  })
}

export const dayActions: Action[] = [
  {
    id: 'courier',
    label: 'Person with a box',
    summary: 'A courier in blue leaves a parcel on the drive; a neighbour in red takes it in.',
    seconds: 40,
    best: 10.6,
    tags: ['motion', 'person', 'package'],
    people: ['face:courier'],
    draw: drawDelivery,
  },
  {
    id: 'car',
    label: 'Car on the drive',
    summary: 'A red car turns in and parks; the driver calls at the house and drives off.',
    seconds: 40,
    best: 12,
    tags: ['motion', 'vehicle', 'person'],
    draw: createCarAction(redHatch),
  },
  {
    id: 'bike',
    label: 'Child on a bike',
    summary: 'A child rides a loop on the drive and goes on.',
    seconds: 20,
    best: 9,
    tags: ['motion', 'person'],
    people: ['face:child'],
    draw: drawBikeRide,
  },
  {
    id: 'jogger',
    label: 'Person passes by',
    summary: 'A jogger in orange runs past while a car goes by.',
    seconds: 20,
    best: 9.6,
    tags: ['motion', 'person', 'vehicle'],
    draw: drawJogger,
  },
]

import { addBicycle } from '../../kit/bicycle.ts'
import { greenHatch } from '../../kit/car-styles.ts'
import { childLook, samLook } from '../../kit/looks.ts'
import { transformPoint, smoothstep, placeFigure, type Vec3 } from '../../kit/math.ts'
import { addBox, createMaterial } from '../../kit/mesh.ts'
import { moveHand, drawPerson, getWalkPose } from '../../kit/moves.ts'
import { getTravelDistance, blendHeading, createPath } from '../../kit/path.ts'
import { addPerson } from '../../kit/person.ts'
import type { Action } from '../../kit/place.ts'
import { addTube } from '../../kit/shapes.ts'
import type { Shot } from '../../kit/shot.ts'
import { createArrivalAction } from './arrive.ts'
import { drawCat } from './cat.ts'
import { drawGarageDoor } from './door.ts'
import { pathFromBench, pathToBench } from './ways.ts'

const bikePath = createPath(
  [2.3, 5.2],
  [1.4, 4.4],
  [0.3, 2.6],
  [0, 0.4],
  [0, -5],
  [0.4, -10],
  [3, -13.4],
  [9, -13.9],
  [26, -13.9],
)
function drawBikeRide(s: Shot, t: number): void {
  drawGarageDoor(s, t, 0.8, 14)
  const d = getTravelDistance(t, 3.6, 15.5, bikePath.length, 2.2, 0.2)
  if (t < 3.5 || t > 15.4) return
  const w = bikePath.at(d),
    size = 0.7,
    at = placeFigure([w.p[0], w.p[1], 0.005], w.heading),
    a = d * 2.5,
    k = 1.22 / 1.76
  const foot = (b: number, x: number): Vec3 => [
    x,
    (-0.05 * size + 0.13 * size * Math.cos(b)) / k + 0.12,
    (0.29 * size + 0.13 * size * Math.sin(b)) / k - 0.03,
  ]
  s.addContactShadow([w.p[0], w.p[1], 0.005], 0.7, 0.2, w.heading, 0.55)
  s.addActor('person', (m) => {
    addBicycle(m, at, size, d, createMaterial(0.6, 0.08, 0.3, { gloss: 0.2 }))
    addPerson(
      m,
      { ...childLook, top: createMaterial(0.1, 0.35, 0.6), sleeve: createMaterial(0.1, 0.35, 0.6) },
      {
        at: transformPoint(at, [0, -0.12, 0]),
        heading: w.heading,
        seat: (0.9 * size) / k + 0.05,
        lean: 0.3,
        feet: [foot(a, -0.1), foot(a + Math.PI, 0.1)],
        hands: [
          [-0.24, 0.53, 0.97],
          [0.24, 0.53, 0.97],
        ],
        look: 0.3 * Math.sin(t),
      },
    )
  })
}
function drawHammering(s: Shot, t: number): void {
  drawGarageDoor(s, t, 90, 99)
  if (t < 0.6 || t > 19) return
  const p = getWalkPose(
      [
        { way: pathToBench, from: 0.7, to: 5 },
        { way: pathFromBench, from: 14.6, to: 18.9, easeOut: 0.2 },
      ],
      t,
    ),
    work = smoothstep(5.4, 6.2, t) * (1 - smoothstep(13, 13.6, t))
  if (t > 4.8 && t < 13.6) p.heading = blendHeading(pathToBench.at(99).heading, Math.PI, smoothstep(4.8, 5.6, t))
  const blow = Math.max(0, Math.sin((t - 6) * 5.2)),
    hand = moveHand(work, [0.26, 0.05, 0.88], [0.16, 0.46, 1.14 + 0.3 * blow])
  p.hands = [moveHand(work, [-0.26, 0.05, 0.88], [-0.14, 0.52, 1.06]), hand]
  p.nod = -0.35 * work
  p.lean = 0.16 * work
  drawPerson(s, { ...samLook, top: createMaterial(0.32, 0.33, 0.36), sleeve: createMaterial(0.32, 0.33, 0.36) }, p)
  s.addActor('', (m) => {
    m.transform = placeFigure(p.at, p.heading)
    const k = samLook.height / 1.76,
      h: Vec3 = [hand[0] * k, hand[1] * k + 0.08, hand[2] * k]
    addTube(m, createMaterial(0.45, 0.28, 0.12), [h, [h[0], h[1] + 0.2, h[2] + 0.12 * blow]], [0.015, 0.013], 6)
    addBox(
      m,
      createMaterial(0.2, 0.2, 0.22, { gloss: 0.3 }),
      [h[0] - 0.025, h[1] + 0.19, h[2] + 0.12 * blow - 0.06],
      [h[0] + 0.025, h[1] + 0.24, h[2] + 0.12 * blow + 0.06],
    )
  })
}

export const dayActions: Action[] = [
  {
    id: 'arrive',
    label: 'Car comes home',
    summary: 'The door goes up, a green car drives in, the driver puts something on the bench and drives off.',
    seconds: 40,
    best: 11.4,
    tags: ['motion', 'vehicle', 'person'],
    draw: createArrivalAction(greenHatch),
  },
  {
    id: 'bike',
    label: 'Child on a bike',
    summary: 'The door goes up and a child rides out.',
    seconds: 20,
    best: 6.8,
    tags: ['motion', 'person'],
    people: ['face:child'],
    draw: drawBikeRide,
  },
  {
    id: 'bench',
    label: 'Person',
    summary: 'Somebody hammers at the workbench.',
    seconds: 20,
    best: 9,
    tags: ['motion', 'person'],
    draw: drawHammering,
  },
  {
    id: 'cat',
    label: 'Pet',
    summary: 'A cat with white socks inspects the workbench.',
    seconds: 20,
    best: 10,
    tags: ['motion', 'pet'],
    draw: drawCat,
  },
]

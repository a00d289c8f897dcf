import { addDog } from '../../kit/animals.ts'
import { addBicycle } from '../../kit/bicycle.ts'
import { silverSuv } from '../../kit/car-styles.ts'
import { cyclistLook, passerbyLook } from '../../kit/looks.ts'
import { transformPoint, placeFigure, type Vec3 } from '../../kit/math.ts'
import { createMaterial } from '../../kit/mesh.ts'
import { drawPerson } from '../../kit/moves.ts'
import { getTravelDistance } from '../../kit/path.ts'
import { addPerson } from '../../kit/person.ts'
import type { Action } from '../../kit/place.ts'
import { addTube } from '../../kit/shapes.ts'
import type { Shot } from '../../kit/shot.ts'
import { drawDelivery } from './delivery.ts'
import { drawSledge } from './sledge.ts'
import { drawPassingCar } from './traffic.ts'

function drawCyclist(s: Shot, t: number): void {
  const d = getTravelDistance(t, 1, 19, 74, 0.2),
    at0: Vec3 = [36 - d, 4.1 + 0.12 * Math.sin(t * 0.9), -0.11]
  if (t > 1 && t < 18.9) {
    const at = placeFigure(at0, Math.PI),
      a = d * 1.9,
      foot = (b: number, x: number): Vec3 => [x, -0.05 + 0.15 * Math.cos(b) + 0.14, 0.29 + 0.15 * Math.sin(b) - 0.02]
    s.addContactShadow(at0, 0.95, 0.25, Math.PI, 0.5)
    s.addActor('person', (m) => {
      addBicycle(m, at, 1, d, createMaterial(0.6, 0.62, 0.1, { gloss: 0.2 }))
      addPerson(m, cyclistLook, {
        at: transformPoint(at, [0, -0.14, 0]),
        heading: Math.PI,
        seat: 0.93,
        lean: 0.55,
        look: t > 9 && t < 10.5 ? 0.5 : 0,
        feet: [foot(a, -0.1), foot(a + Math.PI, 0.1)],
        hands: [
          [-0.25, 0.47, 1.02],
          [0.25, 0.47, 1.02],
        ],
      })
    })
  }
  drawPassingCar(s, t, 6.5, silverSuv, true)
}

function drawDogWalk(s: Shot, t: number): void {
  const d = getTravelDistance(t, 0.8, 19, 27, 0.2)
  if (t < 0.8 || t > 18.9) return
  drawPerson(
    s,
    {
      ...passerbyLook,
      top: createMaterial(0.5, 0.05, 0.09, { ir: 0.5 }),
      sleeve: createMaterial(0.5, 0.05, 0.09, { ir: 0.5 }),
    },
    {
      at: [16.5 - d, -2.3, 0.02],
      heading: Math.PI,
      walked: d,
      stride: 1,
      t,
      hands: [[-0.28, 0.32, 0.95], null],
      look: 0.25 * Math.sin(t),
    },
  )
  const at: Vec3 = [15.3 - d + 0.25 * Math.sin(t * 0.8), -1.75, 0.02]
  s.addContactShadow(at, 0.46, 0.2, Math.PI, 0.5)
  s.addActor('pet', (m) =>
    addDog(m, { at, heading: Math.PI, walked: d, gait: 1, wag: 0.6, mouth: 0.5, look: 0.5 * Math.sin(t * 0.7), t }),
  )
  s.addActor('', (m) =>
    addTube(
      m,
      createMaterial(0.3, 0.05, 0.05),
      [
        [at[0] - 0.35, at[1], 0.74],
        [at[0] + 0.4, at[1] - 0.18, 0.62],
        [16.15 - d, -2.02, 0.95],
      ],
      [0.008, 0.008, 0.008],
      5,
    ),
  )
}

export const dayActions: Action[] = [
  {
    id: 'delivery',
    label: 'Van and a person',
    summary: 'A white van stops; the courier carries a box to the house opposite and drives on.',
    seconds: 40,
    best: 17.6,
    tags: ['motion', 'vehicle', 'person', 'package'],
    people: ['face:courier'],
    draw: drawDelivery,
  },
  {
    id: 'cyclist',
    label: 'Cyclist',
    summary: 'A cyclist in lime rides by and meets a silver car.',
    seconds: 20,
    best: 10.6,
    tags: ['motion', 'person', 'vehicle'],
    draw: drawCyclist,
  },
  {
    id: 'dog-walk',
    label: 'Person and a dog',
    summary: 'Somebody in red walks a golden dog along the near pavement.',
    seconds: 20,
    best: 11.6,
    tags: ['motion', 'person', 'pet'],
    draw: drawDogWalk,
  },
  {
    id: 'sledge',
    label: 'Two people',
    summary: 'A man pulls a child on a sledge; the child waves.',
    seconds: 20,
    best: 8,
    tags: ['motion', 'person'],
    draw: drawSledge,
  },
]

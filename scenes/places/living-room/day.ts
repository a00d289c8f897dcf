import { addCat } from '../../kit/animals.ts'
import { placeFigure, type Vec3 } from '../../kit/math.ts'
import { createMaterial } from '../../kit/mesh.ts'
import { getTravelDistance, createPath } from '../../kit/path.ts'
import type { Action } from '../../kit/place.ts'
import { addDisc, addLoft } from '../../kit/shapes.ts'
import type { Shot } from '../../kit/shot.ts'
import { NAP_KEYFRAMES, SILL_KEYFRAMES, drawGingerCat } from './cat.ts'
import { drawPersonWithCat } from './company.ts'

function drawRobotVacuum(s: Shot, t: number): void {
  const path = createPath(
      [3.2, 2.2],
      [1.9, 2.9],
      [0.9, 1.6],
      [-1.3, 1.3],
      [-2.1, 2.4],
      [-1.4, 3.6],
      [0.3, 3.62],
      [1.4, 3.3],
      [1.7, 2.2],
      [3.3, 1.5],
    ),
    d = getTravelDistance(t, 0.8, 19, path.length, 0.3, 0.2)
  if (t < 0.8 || t > 18.9) return
  const w = path.at(d),
    at: Vec3 = [w.p[0], w.p[1], 0.016],
    wobble = 0.2 * Math.sin(t * 0.9)
  s.addContactShadow(at, 0.26, 0.26, w.heading, 0.65)
  s.addActor('pet', (m) => {
    m.transform = placeFigure(at, w.heading)
    const shell = createMaterial(0.05, 0.05, 0.055, { gloss: 0.25 })
    addLoft(
      m,
      shell,
      [
        { c: [0, 0, 0.015], x: [0.18, 0, 0], y: [0, 0.18, 0] },
        { c: [0, 0, 0.075], x: [0.18, 0, 0], y: [0, 0.18, 0] },
        { c: [0, 0, 0.09], x: [0.165, 0, 0], y: [0, 0.165, 0] },
      ],
      28,
    )
    addDisc(m, createMaterial(0.4, 0.42, 0.44, { gloss: 0.3 }), [0, 0, 0.0915], [0, 0, 1], 0.07, 18)
    addCat(m, {
      at: [at[0], at[1], 0.105],
      heading: w.heading + wobble,
      sit: 1,
      look: 0.8 * Math.sin(t * 0.7),
      nod: 0.3,
      t,
    })
  })
}

export const dayActions: Action[] = [
  {
    id: 'sill',
    label: 'Pet',
    summary: 'The cat jumps on the window sill and meows at the garden.',
    seconds: 20,
    best: 10.4,
    tags: ['motion', 'pet', 'sound'],
    sounds: ['Meowing'],
    draw: (s, t) => drawGingerCat(s, SILL_KEYFRAMES, t),
  },
  {
    id: 'robot',
    label: 'Pet',
    summary: 'The cat rides round the room on the robot hoover.',
    seconds: 20,
    best: 8.2,
    tags: ['motion', 'pet'],
    draw: drawRobotVacuum,
  },
  {
    id: 'company',
    label: 'Person and a cat',
    summary: 'Somebody sits down with a mug and talks to the cat, which comes to be stroked.',
    seconds: 40,
    best: 20.4,
    tags: ['motion', 'person', 'pet', 'sound'],
    sounds: ['Talking', 'Meowing'],
    draw: drawPersonWithCat,
  },
  {
    id: 'nap',
    label: 'Cat on the sofa',
    summary: 'The cat turns round on the sofa, naps, meows and leaves.',
    seconds: 20,
    best: 11,
    tags: ['motion', 'pet', 'sound'],
    sounds: ['Meowing'],
    draw: (s, t) => drawGingerCat(s, NAP_KEYFRAMES, t),
  },
]

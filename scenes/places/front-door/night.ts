import { addDog } from '../../kit/animals.ts'
import { childLook, kidLook, samLook, strangerLook } from '../../kit/looks.ts'
import { composeAll, translation, smoothstep, type Vec3 } from '../../kit/math.ts'
import { createMaterial } from '../../kit/mesh.ts'
import { drawPerson, getWalkPose, type WalkLeg } from '../../kit/moves.ts'
import { getStride, getTravelDistance, blendHeading, createPath } from '../../kit/path.ts'
import type { PersonPose } from '../../kit/person-types.ts'
import { addPerson } from '../../kit/person.ts'
import type { Action } from '../../kit/place.ts'
import { addBall } from '../../kit/shapes.ts'
import type { Shot } from '../../kit/shot.ts'
import {
  HEADING_TO_DOOR,
  approachPath,
  leaveLeftPath,
  leaveRightPath,
  exitPath,
  getRingingHands,
  getWavingHands,
} from './calling.ts'
import { drawMayaComingHome } from './maya.ts'
import { getFloorHeight } from './view.ts'

function drawVisitor(s: Shot, t: number): void {
  if (t < 0.4 || t > 19.3) return
  const p = getWalkPose(
    [
      { way: approachPath, from: 0.5, to: 8.2 },
      { way: leaveRightPath, from: 12.6, to: 19.2, easeOut: 0.2 },
    ],
    t,
    getFloorHeight,
  )
  p.hands = getRingingHands(t, 9.3)
  p.look = t > 9.8 && t < 12 ? Math.sin((t - 9.8) * 2.85) * 0.85 : 0
  drawPerson(s, strangerLook, p)
}

/** Cloth of the children's costumes. */
const WHITE_CLOTH = createMaterial(0.74, 0.72, 0.68)

function drawChildren(s: Shot, t: number): void {
  const white = { top: WHITE_CLOTH, sleeve: WHITE_CLOTH },
    looks = [
      { ...childLook, ...white, style: 'long' as const, hair: createMaterial(0.3, 0.16, 0.05) },
      { ...kidLook, ...white },
    ]
  looks.forEach((look, i) => {
    const x = i ? 0.36 : -0.3,
      approach: WalkLeg = {
        way: createPath(
          [-12 - i, 10.4],
          [-3, 10.4],
          [-0.4 + x * 0.6, 10],
          [0.1 + x, 8.6],
          [0.1 + x, 4],
          [0.1 + x, 2.4],
          [0.1 + x, 1.85],
        ),
        from: 0.4 + i * 0.5,
        to: 8 + i * 0.4,
      }
    const departure: WalkLeg = {
      way: createPath(
        [0.1 + x, 1.85],
        [0.1 + x, 2.6],
        [0.1 + x, 4.2],
        [0.1 + x, 8.6],
        [0.8 + x, 10],
        [3, 10.4],
        [12.5, 10.4],
      ),
      from: 12.6 + i * 0.3,
      to: 19.3,
      easeOut: 0.2,
    }
    if (t < 0.4 || t > 19.2) return
    const p: PersonPose = getWalkPose([approach, departure], t, getFloorHeight),
      hop = t > 9.6 && t < 11.8 ? Math.abs(Math.sin((t - 9.6) * 4.3 + i)) * 0.09 : 0
    s.addContactShadow(p.at, 0.28, 0.25, p.heading, 0.5)
    p.at = [p.at[0], p.at[1], p.at[2] + hop]
    p.hands = [[-0.3, 0.3, 1.0], i ? null : getWavingHands(t, 9, 11.6)[1]]
    s.addActor('person', (m) => {
      const root = addPerson(m, look, p)
      m.transform = composeAll(root, translation([-0.3, 0.34, 0.78]))
      addBall(m, createMaterial(0.7, 0.26, 0.03, { ir: 0.6, nightGlow: 0.8 }), [0, 0, 0], [0.13, 0.13, 0.12], 14)
      m.transform = null
    })
  })
}

function drawDogWalk(s: Shot, t: number): void {
  if (t < 0.4 || t > 19) return
  const p = getWalkPose(
    [
      { way: exitPath, from: 0.5, to: 2.8, easeIn: 0.1 },
      { way: leaveLeftPath, from: 8, to: 18.6, easeOut: 0.2 },
    ],
    t,
    getFloorHeight,
  )
  if (t > 2.6 && t < 8)
    p.heading =
      t < 7
        ? blendHeading(exitPath.at(9).heading, HEADING_TO_DOOR, smoothstep(2.6, 3.6, t))
        : blendHeading(HEADING_TO_DOOR, -HEADING_TO_DOOR, smoothstep(7, 8, t))
  p.hands = [[-0.3, 0.3, 0.95], getWavingHands(t, 4, 6.4)[1]]
  drawPerson(s, samLook, p)
  const lead = createPath(
      [1.9, 0.2],
      [0.9, 1.5],
      [-0.4, 1.95],
      [-0.35, 2.7],
      [-0.3, 4.4],
      [-0.3, 8.6],
      [-0.9, 10],
      [-3.4, 10.4],
      [-12.6, 10.4],
    ),
    d =
      t < 6
        ? getTravelDistance(t, 0.9, 3, 2.6, 0.1, 0.5)
        : 2.6 + getTravelDistance(t, 7.7, 18.3, lead.length - 2.6, 0.6, 0.2),
    w = lead.at(d),
    at: Vec3 = [w.p[0], w.p[1], getFloorHeight(0, w.p[1])],
    g = Math.max(getStride(t, 0.6, 3), getStride(t, 7.6, 40))
  s.addContactShadow(at, 0.45, 0.2, w.heading, 0.5)
  s.addActor('pet', (m) =>
    addDog(m, {
      at,
      heading: w.heading,
      walked: d,
      gait: g,
      wag: 1 - g * 0.6,
      nod: 0.4 * (1 - g),
      mouth: 0.6,
      look: (1 - g) * -0.7,
      t,
    }),
  )
}
export const nightActions: Action[] = [
  {
    id: 'maya',
    label: 'Maya',
    summary: 'Maya comes home with the shopping and waves.',
    seconds: 20,
    best: 10.6,
    tags: ['motion', 'person', 'face'],
    people: ['Maya'],
    draw: drawMayaComingHome,
  },
  {
    id: 'children',
    label: 'Two people',
    summary: 'Two children with pumpkin lanterns call and hop about.',
    seconds: 20,
    best: 10.4,
    tags: ['motion', 'person', 'sound'],
    sounds: ['Talking'],
    draw: drawChildren,
  },
  {
    id: 'visitor',
    label: 'Person',
    summary: 'Somebody rings, looks around and leaves.',
    seconds: 20,
    best: 9.4,
    tags: ['motion', 'person'],
    draw: drawVisitor,
  },
  {
    id: 'dog-walk',
    label: 'Sam and a dog',
    summary: 'Sam takes the dog out for the evening walk.',
    seconds: 20,
    best: 5,
    tags: ['motion', 'person', 'pet', 'face'],
    people: ['Sam'],
    draw: drawDogWalk,
  },
]

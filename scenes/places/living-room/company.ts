import { samLook } from '../../kit/looks.ts'
import { composeAll, translation, smoothstep, rotationX, type Vec3 } from '../../kit/math.ts'
import { createMaterial } from '../../kit/mesh.ts'
import { moveHand, getWalkPose } from '../../kit/moves.ts'
import { blendHeading, createPath } from '../../kit/path.ts'
import type { PersonPose } from '../../kit/person-types.ts'
import { addPerson } from '../../kit/person.ts'
import type { AnimalKeyframe } from '../../kit/prowl.ts'
import { addLoft } from '../../kit/shapes.ts'
import type { Shot } from '../../kit/shot.ts'
import { HEADING_TO_CAMERA, drawGingerCat } from './cat.ts'
import { SEAT_HEIGHT } from './view.ts'

const pathToSofa = createPath([3.15, 1.9], [2.3, 3], [1.2, 3.45], [0.1, 3.62]),
  pathFromSofa = createPath([0.1, 3.62], [1.2, 3.4], [2.4, 2.7], [3.2, 1.7])
const CAT_KEYFRAMES: AnimalKeyframe[] = [
  { t: 9, at: [3.1, 2.2, 0] },
  { t: 12.6, at: [0.4, 2.3, 0] },
  { t: 14.4, at: [-0.95, 3.5, 0] },
  { t: 15.2, at: [-0.95, 3.55, 0], face: Math.PI / 2 },
  { t: 15.9, at: [-0.85, 4.25, SEAT_HEIGHT], face: -0.5 },
  { t: 17.4, at: [-0.8, 4.26, SEAT_HEIGHT], face: -0.4, lie: 1, sit: 0.3 },
  { t: 24, at: [-0.8, 4.26, SEAT_HEIGHT], face: -0.4, lie: 1, sit: 0.3, nod: 0.6, look: -0.4 },
  { t: 30.5, at: [-0.8, 4.26, SEAT_HEIGHT], face: -0.4, lie: 1, sit: 0.3 },
  { t: 32, at: [-0.8, 4.26, SEAT_HEIGHT], face: HEADING_TO_CAMERA },
  { t: 33, at: [-0.8, 4.24, SEAT_HEIGHT], face: HEADING_TO_CAMERA },
  { t: 33.7, at: [-0.7, 3.4, 0] },
  { t: 38.6, at: [3.1, 1.8, 0] },
]
export function drawPersonWithCat(s: Shot, t: number): void {
  drawGingerCat(s, CAT_KEYFRAMES, t)
  if (t < 0.8 || t > 37.4) return
  const p = getWalkPose(
      [
        { way: pathToSofa, from: 0.9, to: 5.6 },
        { way: pathFromSofa, from: 32.4, to: 37.2, easeOut: 0.2 },
      ],
      t,
    ),
    sit = smoothstep(6.4, 7.8, t) * (1 - smoothstep(29.6, 31, t)),
    k = samLook.height / 1.76
  if (t > 5.4 && t < 31.4)
    p.heading = blendHeading(pathToSofa.at(99).heading, HEADING_TO_CAMERA, smoothstep(5.4, 6.4, t))
  if (t > 31 && t < 32.4)
    p.heading = blendHeading(HEADING_TO_CAMERA, pathFromSofa.at(0).heading, smoothstep(31, 32.3, t))
  const sip = Math.max(0, Math.sin((t - 8) * 0.62)) ** 5 * smoothstep(8, 9, t) * (1 - smoothstep(28, 29, t)),
    stroke = smoothstep(18, 18.8, t) * (1 - smoothstep(23.6, 24.4, t)),
    backShift = 0.62 * sit
  const mug: Vec3 = moveHand(sip, [-0.2, 0.36, sit > 0 ? 1.08 - sit * 0.36 : 1.08], [-0.07, 0.2, 1.52 - 0.4 * sit])
  const pose: PersonPose = {
    ...p,
    at: [p.at[0], p.at[1] + backShift, 0],
    hands: [
      mug,
      stroke > 0 || sit > 0.9
        ? moveHand(stroke, [0.24, 0.3, 0.6], [0.66 + 0.06 * Math.sin(t * 3), 0.1 + 0.08 * Math.sin(t * 3), 0.66])
        : null,
    ],
    look: stroke * -0.8,
    nod: sip * 0.2 - stroke * 0.25,
    lean: -0.12 * sit + Math.sin(Math.PI * sit) * 0.35,
  }
  if (sit > 0) {
    pose.seat = 0.945 - sit * 0.385
    pose.feet = [
      [-0.13, backShift / k - 0.02, 0],
      [0.13, backShift / k, 0],
    ]
  }
  s.addContactShadow(p.at, 0.34, 0.3, p.heading, 0.45)
  s.addActor('person', (m) => {
    const root = addPerson(m, samLook, pose)
    m.transform = composeAll(root, translation([mug[0] + 0.03, mug[1] + 0.06, mug[2] - 0.03]), rotationX(-sip * -0.5))
    addLoft(
      m,
      createMaterial(0.75, 0.73, 0.7),
      [
        { c: [0, 0, 0], x: [0.038, 0, 0], y: [0, 0.038, 0] },
        { c: [0, 0, 0.09], x: [0.042, 0, 0], y: [0, 0.042, 0] },
      ],
      14,
    )
  })
}

import { GRAY_CAT } from '../../kit/animals.ts'
import { addAnimal } from '../../kit/beast.ts'
import { samLook } from '../../kit/looks.ts'
import { smoothstep } from '../../kit/math.ts'
import { drawPerson, getWalkPose } from '../../kit/moves.ts'
import { getStride, getTravelDistance, blendHeading, createPath } from '../../kit/path.ts'
import type { Action } from '../../kit/place.ts'
import type { Shot } from '../../kit/shot.ts'
import { HEADING_TO_DOOR, leaveLeftPath, exitPath, getWavingHands } from './calling.ts'
import { drawDelivery } from './courier.ts'
import { drawMayaComingHome } from './maya.ts'
import { getFloorHeight } from './view.ts'

function drawSamLeaving(s: Shot, t: number): void {
  if (t < 0.6 || t > 18.6) return
  const p = getWalkPose(
    [
      { way: exitPath, from: 0.7, to: 3, easeIn: 0.1 },
      { way: leaveLeftPath, from: 8.2, to: 18.4, easeOut: 0.2 },
    ],
    t,
    getFloorHeight,
  )
  if (t > 2.8 && t < 8.2)
    p.heading =
      t < 7.2
        ? blendHeading(exitPath.at(9).heading, HEADING_TO_DOOR - 0.1, smoothstep(2.8, 3.8, t))
        : blendHeading(HEADING_TO_DOOR - 0.1, -HEADING_TO_DOOR, smoothstep(7.2, 8.2, t))
  p.hands = getWavingHands(t, 4.4, 6.8)
  p.nod = t > 3.6 && t < 4.6 ? 0.12 * Math.sin((t - 3.6) * 6) : 0
  drawPerson(s, samLook, p)
}

const catApproachPath = createPath([-1.9, 10.2], [-0.6, 9.6], [-0.15, 7], [0.2, 4.4], [0.1, 2.6], [0.16, 2.05]),
  catLeavePath = createPath([0.16, 2.05], [0.5, 2.2], [0.5, 3.4], [0.6, 6], [0.4, 9.2], [2.5, 10.2], [9, 10.3])
function drawCat(s: Shot, t: number): void {
  if (t < 0.6 || t > 19) return
  const isFirstPart = t < 11.6,
    d = isFirstPart
      ? getTravelDistance(t, 0.7, 8, catApproachPath.length, 0.1, 0.8)
      : getTravelDistance(t, 12.6, 18.9, catLeavePath.length, 0.8, 0.1),
    w = (isFirstPart ? catApproachPath : catLeavePath).at(d),
    sit = smoothstep(8, 8.9, t) * (1 - smoothstep(11.4, 12.3, t))
  const heading =
    t > 11.4 && t < 13
      ? blendHeading(catApproachPath.at(99).heading, catLeavePath.at(0.3).heading, smoothstep(11.5, 12.8, t))
      : w.heading
  s.addContactShadow([w.p[0], w.p[1], getFloorHeight(0, w.p[1])], 0.28, 0.14, heading, 0.55)
  s.addActor('pet', (m) =>
    addAnimal(
      m,
      { ...GRAY_CAT, size: 0.38 },
      {
        at: [w.p[0], w.p[1], getFloorHeight(0, w.p[1])],
        heading,
        walked: d,
        gait: Math.max(getStride(t, 0.5, 8), getStride(t, 12.4, 40)),
        sit,
        nod: 0.2 + sit * 0.5,
        look: sit * 0.5 * Math.sin(t * 1.6),
        t,
      },
    ),
  )
}

export const dayActions: Action[] = [
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
    id: 'courier',
    label: 'Person with a box',
    summary: 'A courier leaves a parcel on the mat and rings; Sam takes it in.',
    seconds: 40,
    best: 9.4,
    tags: ['motion', 'person', 'package', 'face'],
    people: ['Sam', 'face:courier'],
    draw: drawDelivery,
  },
  {
    id: 'sam',
    label: 'Sam',
    summary: 'Sam comes out, waves and walks off to the left.',
    seconds: 20,
    best: 5.2,
    tags: ['motion', 'person', 'face'],
    people: ['Sam'],
    draw: drawSamLeaving,
  },
  {
    id: 'cat',
    label: 'Pet',
    summary: 'A grey cat climbs the steps, sits on the mat and looks up.',
    seconds: 20,
    best: 10.2,
    tags: ['motion', 'pet', 'sound'],
    sounds: ['Meowing'],
    draw: drawCat,
  },
]

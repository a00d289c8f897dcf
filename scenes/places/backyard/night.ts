import { addFox } from '../../kit/animals.ts'
import { addAnimal } from '../../kit/beast.ts'
import { smoothstep } from '../../kit/math.ts'
import { getStride, getTravelDistance, blendHeading, createPath } from '../../kit/path.ts'
import type { Action } from '../../kit/place.ts'
import type { Shot } from '../../kit/shot.ts'
import { WHITE_CAT, getPathPose, drawDogRex } from './pets.ts'
import { FENCE_HEIGHT } from './view.ts'

const foxPath = createPath(
  [-8.4, 7.4],
  [-5, 6.6],
  [-2.6, 6.2],
  [-1.4, 9.2],
  [0.8, 7.6],
  [3.6, 5.6],
  [6.4, 3.6],
  [9.2, 2.6],
)
function drawFox(s: Shot, t: number): void {
  if (t < 0.6 || t > 18.8) return
  const k = 8.9,
    first = t < 10.8,
    d = first
      ? getTravelDistance(t, 0.7, 7.4, k, 0.3, 0.9)
      : k + getTravelDistance(t, 11, 18.7, foxPath.length - k, 0.8, 0.2),
    rest = smoothstep(7.2, 8, t) * (1 - smoothstep(10.4, 11.2, t)),
    up = t > 9.4 ? smoothstep(9.4, 9.8, t) : 0,
    w = getPathPose(foxPath, d)
  s.addContactShadow(w.at, 0.42, 0.16, w.heading, 0.5)
  s.addActor('pet', (m) =>
    addFox(m, {
      ...w,
      walked: d,
      gait: Math.max(getStride(t, 0.5, 7.4), getStride(t, 10.9, 40)),
      nod: rest * (-1.3 + up * 1.9) - 0.15,
      look: rest * up * 0.9,
      t,
    }),
  )
}

function drawFenceCat(s: Shot, t: number): void {
  if (t < 0.5 || t > 18.6) return
  const stop = smoothstep(8, 8.6, t) * (1 - smoothstep(11.6, 12.4, t)),
    d = t < 10 ? getTravelDistance(t, 0.6, 8.4, 9.4, 0.2, 0.7) : 9.4 + getTravelDistance(t, 12, 18.5, 9.6, 0.7, 0.2)
  s.addActor('pet', (m) =>
    addAnimal(m, WHITE_CAT, {
      at: [4.2 - d * 0.5, 12.6, FENCE_HEIGHT],
      heading: Math.PI,
      walked: d * 0.5,
      gait: Math.max(getStride(t, 0.4, 8.2), getStride(t, 12.2, 40)),
      sit: stop,
      look: stop * (1.1 + 0.3 * Math.sin(t * 2)),
      nod: 0.15,
      t,
    }),
  )
}

const pathToBowl = createPath([-4.4, -1], [-2.2, 2.2], [-0.2, 4.6], [1.2, 7.4], [-0.4, 9], [-1.25, 9.3]),
  pathFromBowl = createPath([-1.25, 9.3], [-0.2, 7.4], [-0.8, 4.6], [-2.6, 2], [-5, -1.2])
function drawDog(s: Shot, t: number): void {
  if (t < 0.6 || t > 19) return
  const isOutbound = t < 12.6,
    d = isOutbound
      ? getTravelDistance(t, 0.7, 8.2, pathToBowl.length, 0.3, 0.9)
      : getTravelDistance(t, 13, 18.9, pathFromBowl.length, 0.8, 0.1),
    w = getPathPose(isOutbound ? pathToBowl : pathFromBowl, d),
    drink = smoothstep(8.2, 9, t) * (1 - smoothstep(11, 11.8, t))
  if (t > 12 && t < 14)
    w.heading = blendHeading(pathToBowl.at(99).heading, pathFromBowl.at(0.4).heading, smoothstep(12, 13.2, t))
  drawDogRex(s, {
    ...w,
    walked: d,
    gait: Math.max(getStride(t, 0.5, 8.2), getStride(t, 12.8, 40)),
    nod: -drink * (1.7 + 0.08 * Math.sin(t * 14)) - 0.1,
    wag: 0.5,
    mouth: drink * 0.2,
    t,
  })
}
export const nightActions: Action[] = [
  {
    id: 'fox',
    label: 'Animal',
    summary: 'A fox noses about by the kennel and looks up.',
    seconds: 20,
    best: 10,
    tags: ['motion', 'pet'],
    draw: drawFox,
  },
  {
    id: 'fence-cat',
    label: 'Pet',
    summary: 'A cat walks along the top of the fence and sits down to look around.',
    seconds: 20,
    best: 10,
    tags: ['motion', 'pet', 'sound'],
    sounds: ['Meowing'],
    draw: drawFenceCat,
  },
  {
    id: 'dog',
    label: 'Dog',
    summary: 'The dog comes out for a last drink of water.',
    seconds: 20,
    best: 9.6,
    tags: ['motion', 'pet'],
    draw: drawDog,
  },
]

import { addAnimal } from '../../kit/beast.ts'
import { kidLook } from '../../kit/looks.ts'
import { smoothstep, type Vec3 } from '../../kit/math.ts'
import { drawPerson } from '../../kit/moves.ts'
import { getStride, getTravelDistance, blendHeading, createPath } from '../../kit/path.ts'
import type { Action } from '../../kit/place.ts'
import { addToyBall } from '../../kit/props.ts'
import type { Shot } from '../../kit/shot.ts'
import { WHITE_CAT, getPathPose, drawDogRex } from './pets.ts'
import { FENCE_HEIGHT } from './view.ts'
import { drawWatering } from './watering.ts'

const chasePath = createPath([-4.2, -0.6], [-2.2, 2.6], [0.6, 5.4], [3.4, 7], [4.6, 7.6]),
  fetchPath = createPath(
    [4.6, 7.6],
    [4.9, 8.6],
    [3.6, 8.9],
    [1.5, 6.6],
    [-0.6, 4.2],
    [-2.8, 2.4],
    [-4.8, -0.4],
    [-5.2, -1.4],
  )
function drawBallGame(s: Shot, t: number): void {
  if (t < 0.5 || t > 18.5) return
  const fly = smoothstep(0.6, 4.4, t) * 0.4 + Math.min(1, Math.max(0, (t - 0.6) / 3.8)) * 0.6,
    isCaught = t > 5.4
  const run =
      t < 5.6
        ? getTravelDistance(t, 1.4, 5.4, chasePath.length, 0.5, 0.9)
        : getTravelDistance(t, 7.6, 14.6, fetchPath.length, 0.8, 0.2),
    g = getPathPose(t < 5.6 ? chasePath : fetchPath, run)
  const gallop = t < 5.6 ? 1.9 * getStride(t, 1.2, 5.4) : getStride(t, 7.4, 30),
    dip = smoothstep(4.9, 5.4, t) * (1 - smoothstep(5.5, 6.2, t)),
    shake = t > 6.1 && t < 7.4 ? Math.sin(t * 22) * 0.5 : 0
  let mouth: Vec3 = [0, 0, -9]
  if (t > 1.2 && t < 15)
    mouth = drawDogRex(s, {
      ...g,
      walked: run * (t < 5.6 ? 0.8 : 1),
      gait: gallop,
      nod: -dip * 1.6,
      look: shake,
      wag: t > 5.4 ? 1 : 0.2,
      mouth: isCaught ? 0.35 : 0.6,
      pitch: -dip * 0.12,
      t,
    })
  const bounce = Math.abs(Math.cos(fly * 12)) * (1 - fly) ** 1.6 * 2.2,
    b: Vec3 = isCaught ? mouth : [-4.6 + fly * 9.7, -0.6 + fly * 8.5, 0.09 + bounce]
  if (t > 14.9) return
  if (!isCaught) s.addContactShadow([b[0], b[1], 0.01], 0.16, 0.16, 0, 0.5 - bounce * 0.15)
  s.addActor('', (m) => addToyBall(m, b, 0.085))
}

const pathToFence = createPath([-4.4, -0.8], [-2, 2.4], [1.4, 5.6], [1.2, 8.6], [0.1, 11.1]),
  pathFromFence = createPath([0.1, 11.1], [0.6, 8.4], [1.8, 5.4], [-1.8, 2.2], [-4.9, -1.2])
function drawBarking(s: Shot, t: number): void {
  const k = Math.min(4.4, Math.max(0, (t - 0.8) * 0.8)),
    jump = smoothstep(12.4, 13.3, t)
  if (t > 0.8 && t < 13.5) {
    const sit = smoothstep(6.3, 7.2, t) * (1 - smoothstep(11.4, 12.2, t))
    s.addActor('pet', (m) =>
      addAnimal(m, WHITE_CAT, {
        at: [3.6 - k, 12.6 + jump * 0.9, FENCE_HEIGHT + Math.sin(jump * 2.6) * 0.35 - jump * jump * 1.6],
        heading: jump > 0.02 ? Math.PI * 0.62 : Math.PI - sit * -0.9,
        walked: k,
        gait: getStride(t, 0.6, 6.3),
        sit,
        nod: 0.1 - 0.3 * sit,
        wag: sit * 0.4,
        t,
      }),
    )
  }
  if (t < 2.6 || t > 19) return
  const isOutbound = t < 14.6,
    d = isOutbound
      ? getTravelDistance(t, 2.7, 6.8, pathToFence.length, 0.4, 0.8)
      : getTravelDistance(t, 14.8, 19, pathFromFence.length, 0.8, 0.1),
    w = getPathPose(isOutbound ? pathToFence : pathFromFence, d)
  const barkOpenness = t > 7 && t < 12.9 ? Math.max(0, Math.sin((t - 7) * 7.4)) : 0,
    turn = smoothstep(13.6, 14.8, t)
  w.heading =
    t > 13.5 && t < 15.3 ? blendHeading(pathToFence.at(99).heading, pathFromFence.at(0.4).heading, turn) : w.heading
  drawDogRex(s, {
    ...w,
    walked: d * 0.85,
    gait: isOutbound ? 1.8 * getStride(t, 2.5, 6.8) : 1.2 * getStride(t, 14.7, 30),
    nod: barkOpenness ? 0.7 + barkOpenness * 0.25 : t > 6.5 && t < 13.5 ? 0.65 : 0,
    mouth: barkOpenness * 1.2,
    pitch: barkOpenness * 0.1,
    wag: 0.7,
    t,
  })
}

const tagPath = createPath(
  [-4.2, -0.9],
  [-2.2, 2.2],
  [0.6, 4.6],
  [3.6, 6],
  [4.6, 8],
  [3.4, 10.9],
  [1.2, 11.2],
  [-0.6, 8.8],
  [0.4, 5.6],
  [-1.4, 3.2],
  [-4.8, -1.2],
)
function drawTagGame(s: Shot, t: number): void {
  const d = getTravelDistance(t, 0.6, 17.6, tagPath.length + 1, 0.6, 0.2),
    w = getPathPose(tagPath, d),
    dd = getTravelDistance(t, 1.6, 18.8, tagPath.length + 1, 0.6, 0.2)
  if (t > 0.6 && t < 17.8)
    drawPerson(s, kidLook, {
      ...w,
      walked: d * 0.6,
      stride: 1.15,
      lean: 0.14,
      t,
      hands: [
        [-0.4, 0.1, 1.15 + 0.1 * Math.sin(t * 6)],
        [0.4, 0.1, 1.15 - 0.1 * Math.sin(t * 6)],
      ],
      look: 0.5 * Math.sin(t * 1.3),
    })
  if (t > 1.6 && t < 18.9)
    drawDogRex(s, { ...getPathPose(tagPath, dd), walked: dd * 0.8, gait: 1.5, mouth: 0.7, wag: 0.6, t })
}

export const dayActions: Action[] = [
  {
    id: 'ball',
    label: 'Dog playing',
    summary: 'The dog races after a red ball, shakes it and brings it back.',
    seconds: 20,
    best: 3,
    tags: ['motion', 'pet'],
    draw: drawBallGame,
  },
  {
    id: 'bark',
    label: 'Dog barking',
    summary: 'The dog barks at a white cat on the fence until it jumps down.',
    seconds: 20,
    best: 9.2,
    tags: ['motion', 'pet', 'sound'],
    sounds: ['Barking'],
    draw: drawBarking,
  },
  {
    id: 'tag',
    label: 'Person and a dog',
    summary: 'A child and the dog chase each other round the blossom tree.',
    seconds: 20,
    best: 12.4,
    tags: ['motion', 'person', 'pet'],
    draw: drawTagGame,
  },
  {
    id: 'watering',
    label: 'Person',
    summary: 'Somebody waters the vegetable beds.',
    seconds: 20,
    best: 9.6,
    tags: ['motion', 'person'],
    draw: drawWatering,
  },
]

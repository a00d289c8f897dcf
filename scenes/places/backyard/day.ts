import { beast } from '../../kit/beast.ts'
import { kid } from '../../kit/looks.ts'
import { smooth, type V3 } from '../../kit/math.ts'
import { someone } from '../../kit/moves.ts'
import { stepping, travel, turnTo, way } from '../../kit/path.ts'
import type { Action } from '../../kit/place.ts'
import { toyBall } from '../../kit/props.ts'
import type { Shot } from '../../kit/shot.ts'
import { WHITECAT, at2, rex } from './pets.ts'
import { FENCE } from './view.ts'
import { watering } from './watering.ts'

const chase = way([-4.2, -0.6], [-2.2, 2.6], [0.6, 5.4], [3.4, 7], [4.6, 7.6]),
  fetchBack = way([4.6, 7.6], [4.9, 8.6], [3.6, 8.9], [1.5, 6.6], [-0.6, 4.2], [-2.8, 2.4], [-4.8, -0.4], [-5.2, -1.4])
function playBall(s: Shot, t: number): void {
  if (t < 0.5 || t > 18.5) return
  const fly = smooth(0.6, 4.4, t) * 0.4 + Math.min(1, Math.max(0, (t - 0.6) / 3.8)) * 0.6,
    caught = t > 5.4
  const run = t < 5.6 ? travel(t, 1.4, 5.4, chase.length, 0.5, 0.9) : travel(t, 7.6, 14.6, fetchBack.length, 0.8, 0.2),
    g = at2(t < 5.6 ? chase : fetchBack, run)
  const gallop = t < 5.6 ? 1.9 * stepping(t, 1.2, 5.4) : stepping(t, 7.4, 30),
    dip = smooth(4.9, 5.4, t) * (1 - smooth(5.5, 6.2, t)),
    shake = t > 6.1 && t < 7.4 ? Math.sin(t * 22) * 0.5 : 0
  let mouth: V3 = [0, 0, -9]
  if (t > 1.2 && t < 15)
    mouth = rex(s, {
      ...g,
      walked: run * (t < 5.6 ? 0.8 : 1),
      gait: gallop,
      nod: -dip * 1.6,
      look: shake,
      wag: t > 5.4 ? 1 : 0.2,
      mouth: caught ? 0.35 : 0.6,
      pitch: -dip * 0.12,
      t,
    })
  const bounce = Math.abs(Math.cos(fly * 12)) * (1 - fly) ** 1.6 * 2.2,
    b: V3 = caught ? mouth : [-4.6 + fly * 9.7, -0.6 + fly * 8.5, 0.09 + bounce]
  if (t > 14.9) return
  if (!caught) s.contact([b[0], b[1], 0.01], 0.16, 0.16, 0, 0.5 - bounce * 0.15)
  s.actor('', (m) => toyBall(m, b, 0.085))
}

const toFence = way([-4.4, -0.8], [-2, 2.4], [1.4, 5.6], [1.2, 8.6], [0.1, 11.1]),
  fromFence = way([0.1, 11.1], [0.6, 8.4], [1.8, 5.4], [-1.8, 2.2], [-4.9, -1.2])
function bark(s: Shot, t: number): void {
  const k = Math.min(4.4, Math.max(0, (t - 0.8) * 0.8)),
    jump = smooth(12.4, 13.3, t)
  if (t > 0.8 && t < 13.5) {
    const sit = smooth(6.3, 7.2, t) * (1 - smooth(11.4, 12.2, t))
    s.actor('pet', (m) =>
      beast(m, WHITECAT, {
        at: [3.6 - k, 12.6 + jump * 0.9, FENCE + Math.sin(jump * 2.6) * 0.35 - jump * jump * 1.6],
        heading: jump > 0.02 ? Math.PI * 0.62 : Math.PI - sit * -0.9,
        walked: k,
        gait: stepping(t, 0.6, 6.3),
        sit,
        nod: 0.1 - 0.3 * sit,
        wag: sit * 0.4,
        t,
      }),
    )
  }
  if (t < 2.6 || t > 19) return
  const out = t < 14.6,
    d = out ? travel(t, 2.7, 6.8, toFence.length, 0.4, 0.8) : travel(t, 14.8, 19, fromFence.length, 0.8, 0.1),
    w = at2(out ? toFence : fromFence, d)
  const on = t > 7 && t < 12.9 ? Math.max(0, Math.sin((t - 7) * 7.4)) : 0,
    turn = smooth(13.6, 14.8, t)
  w.heading = t > 13.5 && t < 15.3 ? turnTo(toFence.at(99).heading, fromFence.at(0.4).heading, turn) : w.heading
  rex(s, {
    ...w,
    walked: d * 0.85,
    gait: out ? 1.8 * stepping(t, 2.5, 6.8) : 1.2 * stepping(t, 14.7, 30),
    nod: on ? 0.7 + on * 0.25 : t > 6.5 && t < 13.5 ? 0.65 : 0,
    mouth: on * 1.2,
    pitch: on * 0.1,
    wag: 0.7,
    t,
  })
}

const loop = way(
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
function tag(s: Shot, t: number): void {
  const d = travel(t, 0.6, 17.6, loop.length + 1, 0.6, 0.2),
    w = at2(loop, d),
    dd = travel(t, 1.6, 18.8, loop.length + 1, 0.6, 0.2)
  if (t > 0.6 && t < 17.8)
    someone(s, kid, {
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
  if (t > 1.6 && t < 18.9) rex(s, { ...at2(loop, dd), walked: dd * 0.8, gait: 1.5, mouth: 0.7, wag: 0.6, t })
}

export const dayActions: Action[] = [
  {
    id: 'ball',
    label: 'Dog playing',
    summary: 'The dog races after a red ball, shakes it and brings it back.',
    seconds: 20,
    best: 3,
    tags: ['motion', 'pet'],
    draw: playBall,
  },
  {
    id: 'bark',
    label: 'Dog barking',
    summary: 'The dog barks at a white cat on the fence until it jumps down.',
    seconds: 20,
    best: 9.2,
    tags: ['motion', 'pet', 'sound'],
    sounds: ['Barking'],
    draw: bark,
  },
  {
    id: 'tag',
    label: 'Person and a dog',
    summary: 'A child and the dog chase each other round the blossom tree.',
    seconds: 20,
    best: 12.4,
    tags: ['motion', 'person', 'pet'],
    draw: tag,
  },
  {
    id: 'watering',
    label: 'Person',
    summary: 'Somebody waters the vegetable beds.',
    seconds: 20,
    best: 9.6,
    tags: ['motion', 'person'],
    draw: watering,
  },
]

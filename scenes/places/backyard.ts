import { GREYCAT, beast, dog, fox, type Gait } from '../kit/animals.ts'
import { kid, maya } from '../kit/looks.ts'
import { apply, chain, moved, smooth, stand, type V3 } from '../kit/math.ts'
import { paint } from '../kit/mesh.ts'
import { someone, walkLegs } from '../kit/moves.ts'
import { stepping, travel, turnTo, way, type Way } from '../kit/path.ts'
import { person } from '../kit/person.ts'
import type { Action, Place } from '../kit/place.ts'
import { bird, toyBall } from '../kit/props.ts'
import { ball, loft, tube } from '../kit/shapes.ts'
import type { Shot } from '../kit/shot.ts'
import { FENCE, build, camera, centre, day, night, radius } from './backyard-set.ts'

const PALE = paint(0.7, 0.66, 0.6, { ir: 0.8 })
const WHITECAT = {
  ...GREYCAT,
  coat: PALE,
  face: PALE,
  socks: PALE,
  size: 0.46,
  leg: 0.26,
  thick: 0.13,
  tail: { ...GREYCAT.tail, tip: PALE },
}

/** The dog with its shadow; returns the place of its mouth. */
function rex(s: Shot, g: Gait): V3 {
  s.contact(g.at, 0.5, 0.24, g.heading, 0.5)
  s.actor('pet', (m) => dog(m, g))
  return apply(stand(g.at, g.heading), [0, 0.76, 0.66])
}

const at2 = (w: Way, d: number, z = 0.01): { at: V3; heading: number } => {
  const q = w.at(d)
  return { at: [q.p[0], q.p[1], z], heading: q.heading }
}

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

const toBed = way([-4.4, -0.8], [-1.6, 2.6], [1.4, 5], [4, 6.2], [5.05, 6.3]),
  fromBed = way([5.05, 6.3], [4, 5.6], [1.4, 4.4], [-1.8, 2.2], [-4.9, -1])
function watering(s: Shot, t: number): void {
  if (t < 0.6 || t > 19.2) return
  const p = walkLegs(
      [
        { way: toBed, from: 0.7, to: 7.4 },
        { way: fromBed, from: 13, to: 19.1, easeOut: 0.2 },
      ],
      t,
    ),
    pour = smooth(7.6, 8.4, t) * (1 - smooth(11.3, 12, t))
  if (t > 7 && t < 12) p.heading = turnTo(toBed.at(99).heading, 0.25 * Math.sin((t - 7) * 1.1), smooth(7, 7.8, t))
  p.hands = [null, [0.24 - pour * 0.1, 0.12 + pour * 0.34, 0.8 + pour * 0.22]]
  p.lean = pour * 0.22
  p.nod = -pour * 0.3
  s.contact(p.at, 0.34, 0.3, p.heading, 0.5)
  let spout: V3 = [0, 0, 0]
  s.actor('person', (m) => {
    const root = person(m, { ...maya, top: paint(0.25, 0.4, 0.6), sleeve: paint(0.25, 0.4, 0.6) }, p),
      tin = paint(0.12, 0.3, 0.2, { gloss: 0.25 })
    m.at = chain(
      root,
      moved([0.24 - pour * 0.1, 0.16 + pour * 0.36, 0.5 + pour * 0.28]),
      new Float64Array([
        1,
        0,
        0,
        0,
        0,
        Math.cos(pour * 0.6),
        Math.sin(pour * 0.6),
        0,
        0,
        -Math.sin(pour * 0.6),
        Math.cos(pour * 0.6),
        0,
      ]),
    )
    spout = apply(m.at, [0, 0.38, 0.27])
    loft(
      m,
      tin,
      [
        { c: [0, 0, 0], x: [0.11, 0, 0], y: [0, 0.11, 0] },
        { c: [0, 0, 0.22], x: [0.1, 0, 0], y: [0, 0.1, 0] },
      ],
      16,
    )
    tube(
      m,
      tin,
      [
        [0, 0.1, 0.05],
        [0, 0.36, 0.26],
      ],
      [0.022, 0.018],
      7,
    )
    tube(
      m,
      tin,
      [
        [0, -0.08, 0.18],
        [0, -0.04, 0.32],
        [0, 0.07, 0.24],
      ],
      [0.012, 0.012, 0.012],
      6,
    )
  })
  if (pour > 0.5)
    s.actor('', (m) => {
      for (let i = 0; i < 26; i++) {
        const u = (t * 2.3 + i * 0.37) % 1,
          a = i * 2.4,
          c = Math.cos(p.heading),
          e = Math.sin(p.heading),
          k = u * 0.34
        ball(
          m,
          paint(0.6, 0.7, 0.8, { gloss: 0.4 }),
          [
            spout[0] + c * k + Math.cos(a) * 0.05 * u,
            spout[1] + e * k + Math.sin(a) * 0.05 * u,
            spout[2] - u * u * 0.5,
          ],
          [0.008, 0.008, 0.02],
          5,
        )
      }
    })
}

const foxWay = way([-8.4, 7.4], [-5, 6.6], [-2.6, 6.2], [-1.4, 9.2], [0.8, 7.6], [3.6, 5.6], [6.4, 3.6], [9.2, 2.6])
function foxNight(s: Shot, t: number): void {
  if (t < 0.6 || t > 18.8) return
  const k = 8.9,
    first = t < 10.8,
    d = first ? travel(t, 0.7, 7.4, k, 0.3, 0.9) : k + travel(t, 11, 18.7, foxWay.length - k, 0.8, 0.2),
    rest = smooth(7.2, 8, t) * (1 - smooth(10.4, 11.2, t)),
    up = t > 9.4 ? smooth(9.4, 9.8, t) : 0,
    w = at2(foxWay, d)
  s.contact(w.at, 0.42, 0.16, w.heading, 0.5)
  s.actor('pet', (m) =>
    fox(m, {
      ...w,
      walked: d,
      gait: Math.max(stepping(t, 0.5, 7.4), stepping(t, 10.9, 40)),
      nod: rest * (-1.3 + up * 1.9) - 0.15,
      look: rest * up * 0.9,
      t,
    }),
  )
}

function fenceCat(s: Shot, t: number): void {
  if (t < 0.5 || t > 18.6) return
  const stop = smooth(8, 8.6, t) * (1 - smooth(11.6, 12.4, t)),
    d = t < 10 ? travel(t, 0.6, 8.4, 9.4, 0.2, 0.7) : 9.4 + travel(t, 12, 18.5, 9.6, 0.7, 0.2)
  s.actor('pet', (m) =>
    beast(m, WHITECAT, {
      at: [4.2 - d * 0.5, 12.6, FENCE],
      heading: Math.PI,
      walked: d * 0.5,
      gait: Math.max(stepping(t, 0.4, 8.2), stepping(t, 12.2, 40)),
      sit: stop,
      look: stop * (1.1 + 0.3 * Math.sin(t * 2)),
      nod: 0.15,
      t,
    }),
  )
}

const nosing = way([-4.4, -1], [-2.2, 2.2], [-0.2, 4.6], [1.2, 7.4], [-0.4, 9], [-1.25, 9.3]),
  toBedWay = way([-1.25, 9.3], [-0.2, 7.4], [-0.8, 4.6], [-2.6, 2], [-5, -1.2])
function dogNight(s: Shot, t: number): void {
  if (t < 0.6 || t > 19) return
  const out = t < 12.6,
    d = out ? travel(t, 0.7, 8.2, nosing.length, 0.3, 0.9) : travel(t, 13, 18.9, toBedWay.length, 0.8, 0.1),
    w = at2(out ? nosing : toBedWay, d),
    drink = smooth(8.2, 9, t) * (1 - smooth(11, 11.8, t))
  if (t > 12 && t < 14) w.heading = turnTo(nosing.at(99).heading, toBedWay.at(0.4).heading, smooth(12, 13.2, t))
  rex(s, {
    ...w,
    walked: d,
    gait: Math.max(stepping(t, 0.5, 8.2), stepping(t, 12.8, 40)),
    nod: -drink * (1.7 + 0.08 * Math.sin(t * 14)) - 0.1,
    wag: 0.5,
    mouth: drink * 0.2,
    t,
  })
}

function quiet(s: Shot, t: number): void {
  if (s.night) return
  for (let k = 0; k < 3; k++) {
    const u = (t - 3 - k * 0.4) / 8
    if (u > 0 && u < 1)
      s.actor('', (m) =>
        bird(
          m,
          [-20 + u * 42, 17 + k * 1.2, 6.2 + k * 0.5 + Math.sin(u * 9 + k) * 0.5],
          0,
          Math.sin(t * 16 + k) * 0.8,
          1.7,
        ),
      )
  }
  const b = t > 22 && t < 38 ? t - 22 : -1
  if (b < 0) return
  const land = smooth(0, 2.4, b),
    go = smooth(12.6, 15.4, b),
    z = 0.08 + (1 - land) * 3 + go * 3.4,
    hop = land > 0.99 && go < 0.01 ? Math.max(0, Math.sin(b * 3.1)) ** 6 : 0
  s.actor('', (m) =>
    bird(
      m,
      [6 - (1 - land) * 6 - go * 9 - b * 0.12, 4.4 + (1 - land) * 5 + go * 4, z + hop * 0.12],
      go > 0 ? 2.6 : -0.7 + 0.6 * Math.sin(b * 0.8),
      land < 0.99 || go > 0.01 ? Math.sin(t * 20) * 0.9 : -0.5,
      1,
    ),
  )
}

const dayActions: Action[] = [
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
const nightActions: Action[] = [
  {
    id: 'fox',
    label: 'Animal',
    summary: 'A fox noses about by the kennel and looks up.',
    seconds: 20,
    best: 10,
    tags: ['motion', 'pet'],
    draw: foxNight,
  },
  {
    id: 'fence-cat',
    label: 'Pet',
    summary: 'A cat walks along the top of the fence and sits down to look around.',
    seconds: 20,
    best: 10,
    tags: ['motion', 'pet', 'sound'],
    sounds: ['Meowing'],
    draw: fenceCat,
  },
  {
    id: 'dog',
    label: 'Dog',
    summary: 'The dog comes out for a last drink of water.',
    seconds: 20,
    best: 9.6,
    tags: ['motion', 'pet'],
    draw: dogNight,
  },
]

export const place: Place = {
  id: 'backyard',
  name: 'Backyard',
  renditions: ['360'],
  outdoor: true,
  camera,
  centre,
  radius,
  build,
  day,
  night,
  wind: 0.9,
  skyShare: 1,
  quiet,
  dayActions,
  nightActions,
}

import { cat, type Gait } from '../kit/animals.ts'
import { maya, sam } from '../kit/looks.ts'
import { chain, moved, smooth, stand, turnX, unit, type V3 } from '../kit/math.ts'
import { paint } from '../kit/mesh.ts'
import { reach, someone, walkLegs } from '../kit/moves.ts'
import { travel, turnTo, way } from '../kit/path.ts'
import { person, type Pose } from '../kit/person.ts'
import type { Action, Place } from '../kit/place.ts'
import { prowl, type Key } from '../kit/prowl.ts'
import { bird } from '../kit/props.ts'
import { ball, disc, loft } from '../kit/shapes.ts'
import type { Shot } from '../kit/shot.ts'
import { SEAT, SILL, build, camera, centre, day, night, radius } from './living-room-set.ts'

const DOWN = -Math.PI / 2

/** The ginger cat on its outing. */
function ginger(s: Shot, keys: Key[], t: number, more: Partial<Gait> = {}): void {
  const g = prowl(keys, t)
  if (!g) return
  s.contact(g.at, 0.27, 0.13, g.heading, 0.5)
  s.actor('pet', (m) => cat(m, { ...g, wag: 0.15 * (g.sit ?? 0), ...more }))
}

const SILL_TOUR: Key[] = [
  { t: 0.8, at: [3.1, 2.3, 0] },
  { t: 3.6, at: [0.6, 1.7, 0] },
  { t: 6, at: [-1.7, 2.35, 0] },
  { t: 6.9, at: [-1.9, 2.4, 0], face: Math.PI },
  { t: 7.6, at: [-1.9, 2.4, 0], face: Math.PI },
  { t: 8.3, at: [-2.83, 2.45, SILL], face: Math.PI * 0.75 },
  { t: 9.2, at: [-2.83, 2.46, SILL], face: Math.PI * 0.8, sit: 1 },
  { t: 11, at: [-2.83, 2.46, SILL], face: Math.PI * 0.8, sit: 1, look: -0.5, nod: 0.4 },
  { t: 12.6, at: [-2.83, 2.46, SILL], face: Math.PI * 0.8, sit: 1, look: -1.1 },
  { t: 14, at: [-2.83, 2.46, SILL], face: 0.1 },
  { t: 14.8, at: [-2.83, 2.46, SILL], face: -0.1 },
  { t: 15.5, at: [-1.7, 2.3, 0] },
  { t: 19, at: [3.1, 1.9, 0] },
]

/** Robot hoover with a passenger. */
function robot(s: Shot, t: number): void {
  const lane = way(
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
    d = travel(t, 0.8, 19, lane.length, 0.3, 0.2)
  if (t < 0.8 || t > 18.9) return
  const w = lane.at(d),
    at: V3 = [w.p[0], w.p[1], 0.016],
    wobble = 0.2 * Math.sin(t * 0.9)
  s.contact(at, 0.26, 0.26, w.heading, 0.65)
  s.actor('pet', (m) => {
    m.at = stand(at, w.heading)
    const shell = paint(0.05, 0.05, 0.055, { gloss: 0.25 })
    loft(
      m,
      shell,
      [
        { c: [0, 0, 0.015], x: [0.18, 0, 0], y: [0, 0.18, 0] },
        { c: [0, 0, 0.075], x: [0.18, 0, 0], y: [0, 0.18, 0] },
        { c: [0, 0, 0.09], x: [0.165, 0, 0], y: [0, 0.165, 0] },
      ],
      28,
    )
    disc(m, paint(0.4, 0.42, 0.44, { gloss: 0.3 }), [0, 0, 0.0915], [0, 0, 1], 0.07, 18)
    cat(m, {
      at: [at[0], at[1], 0.105],
      heading: w.heading + wobble,
      sit: 1,
      look: 0.8 * Math.sin(t * 0.7),
      nod: 0.3,
      t,
    })
  })
}

const comeIn = way([3.15, 1.9], [2.3, 3], [1.2, 3.45], [0.1, 3.62]),
  goOut = way([0.1, 3.62], [1.2, 3.4], [2.4, 2.7], [3.2, 1.7])
const FRIEND: Key[] = [
  { t: 9, at: [3.1, 2.2, 0] },
  { t: 12.6, at: [0.4, 2.3, 0] },
  { t: 14.4, at: [-0.95, 3.5, 0] },
  { t: 15.2, at: [-0.95, 3.55, 0], face: Math.PI / 2 },
  { t: 15.9, at: [-0.85, 4.25, SEAT], face: -0.5 },
  { t: 17.4, at: [-0.8, 4.26, SEAT], face: -0.4, lie: 1, sit: 0.3 },
  { t: 24, at: [-0.8, 4.26, SEAT], face: -0.4, lie: 1, sit: 0.3, nod: 0.6, look: -0.4 },
  { t: 30.5, at: [-0.8, 4.26, SEAT], face: -0.4, lie: 1, sit: 0.3 },
  { t: 32, at: [-0.8, 4.26, SEAT], face: DOWN },
  { t: 33, at: [-0.8, 4.24, SEAT], face: DOWN },
  { t: 33.7, at: [-0.7, 3.4, 0] },
  { t: 38.6, at: [3.1, 1.8, 0] },
]
/** Somebody sits down with a mug; the cat comes for company. */
function company(s: Shot, t: number): void {
  ginger(s, FRIEND, t)
  if (t < 0.8 || t > 37.4) return
  const p = walkLegs(
      [
        { way: comeIn, from: 0.9, to: 5.6 },
        { way: goOut, from: 32.4, to: 37.2, easeOut: 0.2 },
      ],
      t,
    ),
    sit = smooth(6.4, 7.8, t) * (1 - smooth(29.6, 31, t)),
    k = sam.height / 1.76
  if (t > 5.4 && t < 31.4) p.heading = turnTo(comeIn.at(99).heading, DOWN, smooth(5.4, 6.4, t))
  if (t > 31 && t < 32.4) p.heading = turnTo(DOWN, goOut.at(0).heading, smooth(31, 32.3, t))
  const sip = Math.max(0, Math.sin((t - 8) * 0.62)) ** 5 * smooth(8, 9, t) * (1 - smooth(28, 29, t)),
    stroke = smooth(18, 18.8, t) * (1 - smooth(23.6, 24.4, t)),
    back = 0.62 * sit
  const mug: V3 = reach(sip, [-0.2, 0.36, sit > 0 ? 1.08 - sit * 0.36 : 1.08], [-0.07, 0.2, 1.52 - 0.4 * sit])
  const pose: Pose = {
    ...p,
    at: [p.at[0], p.at[1] + back, 0],
    hands: [
      mug,
      stroke > 0 || sit > 0.9
        ? reach(stroke, [0.24, 0.3, 0.6], [0.66 + 0.06 * Math.sin(t * 3), 0.1 + 0.08 * Math.sin(t * 3), 0.66])
        : null,
    ],
    look: stroke * -0.8,
    nod: sip * 0.2 - stroke * 0.25,
    lean: -0.12 * sit + Math.sin(Math.PI * sit) * 0.35,
  }
  if (sit > 0) {
    pose.seat = 0.945 - sit * 0.385
    pose.feet = [
      [-0.13, back / k - 0.02, 0],
      [0.13, back / k, 0],
    ]
  }
  s.contact(p.at, 0.34, 0.3, p.heading, 0.45)
  s.actor('person', (m) => {
    const root = person(m, sam, pose)
    m.at = chain(root, moved([mug[0] + 0.03, mug[1] + 0.06, mug[2] - 0.03]), turnX(-sip * -0.5))
    loft(
      m,
      paint(0.75, 0.73, 0.7),
      [
        { c: [0, 0, 0], x: [0.038, 0, 0], y: [0, 0.038, 0] },
        { c: [0, 0, 0.09], x: [0.042, 0, 0], y: [0, 0.042, 0] },
      ],
      14,
    )
  })
}

const NAP: Key[] = [
  { t: 0.8, at: [3.1, 2.1, 0] },
  { t: 3.6, at: [1, 3.2, 0] },
  { t: 4.8, at: [0.15, 3.5, 0] },
  { t: 5.6, at: [0.15, 3.5, 0], face: Math.PI / 2 },
  { t: 6.3, at: [0.1, 4.25, SEAT], face: 2.6 },
  { t: 7.6, at: [0, 4.26, SEAT], face: 3.6 },
  { t: 9, at: [0.02, 4.26, SEAT], face: 4.6, lie: 1, sit: 0.3 },
  { t: 11, at: [0.02, 4.26, SEAT], face: 4.7, lie: 1, sit: 0.3, look: 0.7, nod: 0.5 },
  { t: 13.2, at: [0.02, 4.26, SEAT], face: 4.7, lie: 1, sit: 0.3, nod: -0.5 },
  { t: 14.6, at: [0.02, 4.26, SEAT], face: DOWN },
  { t: 15.3, at: [0.05, 4.24, SEAT], face: DOWN },
  { t: 16, at: [0.3, 3.3, 0] },
  { t: 19, at: [3.1, 2, 0] },
]
const DASH: Key[] = [
  { t: 1, at: [3.1, 2, 0], run: 1.8 },
  { t: 2.6, at: [-1.9, 1.4, 0], run: 1.8 },
  { t: 3.4, at: [-2, 3.1, 0], run: 1.6 },
  { t: 3.9, at: [-1.25, 4.2, SEAT], run: 1.5 },
  { t: 4.6, at: [0.2, 4.25, SEAT], run: 1.5 },
  { t: 5.2, at: [0.9, 3.3, 0], run: 1.6 },
  { t: 5.8, at: [0.6, 2.3, 0], run: 1.5 },
  { t: 6.4, at: [-0.4, 2.92, 0.415] },
  { t: 7.4, at: [-0.4, 2.93, 0.415], face: -0.9, sit: 0.9 },
  { t: 9.2, at: [-0.4, 2.93, 0.415], face: -0.9, sit: 1, look: 0.2, nod: 0.6 },
  { t: 11, at: [-0.4, 2.93, 0.415], face: -0.9, sit: 1, look: -0.9, nod: 0.2 },
  { t: 12, at: [-0.4, 2.93, 0.415], face: -0.6 },
  { t: 12.6, at: [-0.4, 2.93, 0.415], face: -0.6 },
  { t: 13.2, at: [0.6, 2.1, 0], run: 1.8 },
  { t: 14.2, at: [-1.6, 1.4, 0], run: 1.8 },
  { t: 15.2, at: [-1.4, 3.6, 0], run: 1.8 },
  { t: 16.8, at: [1.7, 3.2, 0], run: 1.8 },
  { t: 17.8, at: [3.2, 1.9, 0] },
]

const toShelf = way([3.15, 1.8], [2.4, 2.8], [1.9, 3.4], [1.8, 3.85]),
  fromShelf = way([1.8, 3.85], [2.1, 3.3], [2.6, 2.6], [3.2, 1.7])
/** Somebody fetches a book by torchlight. */
function torch(s: Shot, t: number): void {
  if (t < 1 || t > 18.4) return
  const p = walkLegs(
      [
        { way: toShelf, from: 1.1, to: 6 },
        { way: fromShelf, from: 13, to: 18.3, easeOut: 0.2 },
      ],
      t,
    ),
    grab = smooth(8.6, 9.6, t) * (1 - smooth(10.6, 11.6, t)),
    has = t > 9.8
  const sweep = t > 5.5 && t < 9 ? 0.5 * Math.sin((t - 5.5) * 1.9) : 0,
    a = p.heading + sweep + (t < 5.5 ? 0.35 * Math.sin(t * 1.2) : 0)
  p.hands = [[-0.16, 0.4, 1.15], reach(grab, has ? [0.2, 0.24, 1.1] : [0.25, 0.06, 0.88], [0.18, 0.5, 1.42])]
  p.look = sweep
  const c = Math.cos(p.heading),
    e = Math.sin(p.heading),
    at: V3 = [p.at[0] + c * 0.44 - e * 0.14, p.at[1] + e * 0.44 + c * 0.14, 1.12]
  someone(s, { ...maya, top: paint(0.5, 0.52, 0.6), sleeve: paint(0.5, 0.52, 0.6) }, p)
  s.actor('', (m) => {
    ball(m, paint(0.9, 0.9, 0.85, { nightGlow: 1.2 }), at, [0.03, 0.03, 0.03], 8)
    if (!has) return
    const q = p.hands![1]!
    m.at = chain(stand(p.at, p.heading), moved([q[0] * 0.95, q[1] * 0.97 + 0.06, q[2] * 0.97 - 0.06]))
    loft(
      m,
      paint(0.5, 0.1, 0.07),
      [
        { c: [0, -0.02, 0], x: [0.02, 0, 0], y: [0, 0, 0.12], e: 6 },
        { c: [0, 0.14, 0], x: [0.02, 0, 0], y: [0, 0, 0.12], e: 6 },
      ],
      16,
    )
  })
  s.headlight(at, unit([Math.cos(a), Math.sin(a), -0.18]), 0.7, 0.25)
}

/** Life in the window: birds by day; a car's light wanders over the wall at night. */
function quiet(s: Shot, t: number): void {
  if (s.night) {
    const u = (t - 24) / 6
    if (u > 0 && u < 1)
      s.headlight([-6, -4 + u * 9, 1.2], unit([0.8, 0.45 - u * 0.9, 0]), 1.3 * Math.sin(Math.PI * u), 0)
    return
  }
  for (const k of [0, 1]) {
    const u = (t - 5 - k * 19 - k) / 4
    if (u > 0 && u < 1)
      s.actor('', (m) =>
        bird(m, [-8, -1 + u * 10, 1.9 + 0.4 * Math.sin(u * 8 + k)], Math.PI / 2, Math.sin(t * 16) * 0.8, 1.3),
      )
  }
}

const dayActions: Action[] = [
  {
    id: 'sill',
    label: 'Pet',
    summary: 'The cat jumps on the window sill and watches the garden.',
    seconds: 20,
    best: 10.4,
    tags: ['motion', 'pet'],
    draw: (s, t) => ginger(s, SILL_TOUR, t),
  },
  {
    id: 'robot',
    label: 'Pet',
    summary: 'The cat rides round the room on the robot hoover.',
    seconds: 20,
    best: 8.2,
    tags: ['motion', 'pet'],
    draw: robot,
  },
  {
    id: 'company',
    label: 'Person and a cat',
    summary: 'Somebody sits down with a mug; the cat comes to be stroked.',
    seconds: 40,
    best: 20.4,
    tags: ['motion', 'person', 'pet'],
    draw: company,
  },
  {
    id: 'nap',
    label: 'Cat on the sofa',
    summary: 'The cat turns round on the sofa, naps, meows and leaves.',
    seconds: 20,
    best: 11,
    tags: ['motion', 'pet', 'sound'],
    sounds: ['Meowing'],
    draw: (s, t) => ginger(s, NAP, t),
  },
]
const nightActions: Action[] = [
  {
    id: 'dash',
    label: 'Pet',
    summary: 'The cat races over the sofa and sits on the table.',
    seconds: 20,
    best: 9,
    tags: ['motion', 'pet'],
    draw: (s, t) => ginger(s, DASH, t),
  },
  {
    id: 'torch',
    label: 'Person',
    summary: 'Somebody fetches a book by torchlight.',
    seconds: 20,
    best: 9.2,
    tags: ['motion', 'person'],
    draw: torch,
  },
  {
    id: 'sill',
    label: 'Pet',
    summary: 'The cat sits on the moonlit window sill.',
    seconds: 20,
    best: 10.4,
    tags: ['motion', 'pet', 'sound'],
    sounds: ['Meowing'],
    draw: (s, t) => ginger(s, SILL_TOUR, t),
  },
]

export const place: Place = {
  id: 'living-room',
  name: 'Living room',
  renditions: ['360'],
  outdoor: false,
  camera,
  centre,
  radius,
  build,
  day,
  night,
  wind: 0.5,
  skyShare: 0.05,
  quiet,
  dayActions,
  nightActions,
}

import { GREYCAT, beast, dog } from '../kit/animals.ts'
import { blueSedan, car, greenHatch, silverSuv, type CarStyle } from '../kit/car.ts'
import { child, courier, kid, maya, passer, sam, stranger } from '../kit/looks.ts'
import { chain, clamp, moved, smooth, stand, type V3 } from '../kit/math.ts'
import { paint, box, type Mesh } from '../kit/mesh.ts'
import { carrying, reach, someone, stoop, walkLegs, type Leg } from '../kit/moves.ts'
import { stepping, turnTo, travel, way } from '../kit/path.ts'
import { person, type Pose } from '../kit/person.ts'
import type { Action, Place } from '../kit/place.ts'
import { parcel } from '../kit/props.ts'
import { ball } from '../kit/shapes.ts'
import type { Shot } from '../kit/shot.ts'
import { LOW, build, camera, centre, day, floor, night, radius } from './front-door-set.ts'

const IN = -Math.PI / 2
const come = way([-12, 10.4], [-3, 10.4], [-0.4, 10], [0.1, 8.8], [0.1, 4.2], [0.1, 2.6], [0.12, 1.78]),
  enter = way([0.12, 1.78], [0.8, 1.15], [1.9, 0.25])
const leaveLeft = way([0.12, 1.78], [0.1, 2.8], [0.1, 4.2], [0.1, 8.7], [-0.5, 10], [-3, 10.4], [-12, 10.4]),
  leaveRight = way([0.12, 1.78], [0.1, 2.8], [0.1, 4.2], [0.1, 8.7], [0.7, 10], [3, 10.4], [12, 10.4])
const out = way([1.9, 0.25], [0.9, 1.1], [0.2, 1.75])

const REST: V3 = [0.26, 0.05, 0.88]
/** Hand that goes up and waves between two times. */
function wave(t: number, a: number, b: number): [null, V3 | null] {
  const k = smooth(a, a + 0.5, t) * (1 - smooth(b - 0.5, b, t))
  return [null, k > 0 ? reach(k, REST, [0.36 + 0.07 * Math.sin((t - a) * 9), 0.26, 1.55]) : null]
}
/** Hand that presses the bell around a time. */
function ring(t: number, at: number): [null, V3 | null] {
  const k = smooth(at - 0.7, at, t) * (1 - smooth(at + 0.5, at + 1.1, t))
  return [null, k > 0 ? reach(k, REST, [0.22, 0.55, 1.36]) : null]
}

function paperBag(m: Mesh, root: ReturnType<typeof stand>): void {
  m.at = chain(root, moved([-0.12, 0.24, 1.0]))
  box(m, paint(0.48, 0.33, 0.19), [-0.14, -0.09, 0], [0.14, 0.09, 0.36], 0.1)
  for (let i = 0; i < 5; i++)
    ball(m, paint(0.1, 0.32, 0.06), [-0.08 + i * 0.04, 0.02 * (i % 2), 0.37], [0.04, 0.04, 0.08], 7)
  m.at = null
}

function mayaHome(s: Shot, t: number): void {
  if (t < 0.5 || t > 16) return
  const p = walkLegs(
      [
        { way: come, from: 0.6, to: 9 },
        { way: enter, from: 13.2, to: 15.6, easeOut: 0.1 },
      ],
      t,
      floor,
    ),
    w = wave(t, 9.6, 12)
  p.hands = [[-0.08, 0.36, 1.05], w[1]]
  p.look = t > 9 && t < 12.4 ? -0.12 * Math.sin(t) : 0
  s.contact(p.at, 0.34, 0.3, p.heading, 0.5)
  s.actor('person', (m) => paperBag(m, person(m, maya, p)))
}

function samLeaves(s: Shot, t: number): void {
  if (t < 0.6 || t > 18.6) return
  const p = walkLegs(
    [
      { way: out, from: 0.7, to: 3, easeIn: 0.1 },
      { way: leaveLeft, from: 8.2, to: 18.4, easeOut: 0.2 },
    ],
    t,
    floor,
  )
  if (t > 2.8 && t < 8.2)
    p.heading =
      t < 7.2 ? turnTo(out.at(9).heading, IN - 0.1, smooth(2.8, 3.8, t)) : turnTo(IN - 0.1, -IN, smooth(7.2, 8.2, t))
  p.hands = wave(t, 4.4, 6.8)
  p.nod = t > 3.6 && t < 4.6 ? 0.12 * Math.sin((t - 3.6) * 6) : 0
  someone(s, sam, p)
}

const DROP: V3 = [0.05, 1.88, 0.027]
const bring = way([-12, 10.4], [-3, 10.4], [-0.4, 10], [0.1, 8.8], [0.1, 4.2], [0.06, 3], [0.05, 2.36]),
  goRight = way([0.05, 2.36], [0.08, 3], [0.1, 4.2], [0.1, 8.7], [0.7, 10], [3, 10.4], [12, 10.4])
const fetch = way([1.9, 0.25], [1.25, 1.2], [0.95, 1.75], [0.53, 1.88]),
  takeIn = way([0.53, 1.88], [1.1, 1.35], [2, 0.25])
function courierCalls(s: Shot, t: number): void {
  const down = stoop(t, 10.4),
    c = carrying(down)
  if (t > 0.5 && t < 21) {
    const p = walkLegs(
        [
          { way: bring, from: 0.6, to: 9 },
          { way: goRight, from: 13.6, to: 20.8, easeOut: 0.2 },
        ],
        t,
        floor,
      ),
      has = t < 10.5
    p.crouch = down
    p.hands = has
      ? c.hands
      : down > 0.02
        ? [
            [-0.2, 0.4, 1.08 - down * 0.82],
            [0.2, 0.4, 1.08 - down * 0.82],
          ]
        : ring(t, 12.4)
    someone(s, courier, p, 'person', has ? c.held : undefined)
  }
  if (t >= 10.5 && t < 28.6) parcel(s, DROP, IN)
  if (t > 23.5) samTakes(s, t)
}

function samTakes(s: Shot, t: number): void {
  if (t > 36) return
  const p = walkLegs(
      [
        { way: fetch, from: 23.7, to: 26.8, easeIn: 0.1 },
        { way: takeIn, from: 33, to: 35.6, easeOut: 0.1 },
      ],
      t,
      floor,
    ),
    down = stoop(t, 28.5),
    c = carrying(down),
    has = t > 28.6
  if (t > 29.5 && t < 33)
    p.heading =
      t < 32
        ? turnTo(fetch.at(99).heading, IN - 0.2, smooth(29.6, 30.6, t))
        : turnTo(IN - 0.2, takeIn.at(0).heading, smooth(32, 33, t))
  p.crouch = down
  p.nod = t > 30.6 && t < 31.8 ? -0.35 * Math.sin(((t - 30.6) / 1.2) * Math.PI) : 0
  p.hands = has
    ? c.hands
    : down > 0.02
      ? [
          [-0.2, 0.4, 1.08 - down * 0.82],
          [0.2, 0.4, 1.08 - down * 0.82],
        ]
      : undefined
  someone(s, sam, p, 'person', has ? c.held : undefined)
}

const prowl = way([-1.9, 10.2], [-0.6, 9.6], [-0.15, 7], [0.2, 4.4], [0.1, 2.6], [0.16, 2.05]),
  slink = way([0.16, 2.05], [0.5, 2.2], [0.5, 3.4], [0.6, 6], [0.4, 9.2], [2.5, 10.2], [9, 10.3])
function catCalls(s: Shot, t: number): void {
  if (t < 0.6 || t > 19) return
  const first = t < 11.6,
    d = first ? travel(t, 0.7, 8, prowl.length, 0.1, 0.8) : travel(t, 12.6, 18.9, slink.length, 0.8, 0.1),
    w = (first ? prowl : slink).at(d),
    sit = smooth(8, 8.9, t) * (1 - smooth(11.4, 12.3, t))
  const heading =
    t > 11.4 && t < 13 ? turnTo(prowl.at(99).heading, slink.at(0.3).heading, smooth(11.5, 12.8, t)) : w.heading
  s.contact([w.p[0], w.p[1], floor(0, w.p[1])], 0.28, 0.14, heading, 0.55)
  s.actor('pet', (m) =>
    beast(
      m,
      { ...GREYCAT, size: 0.38 },
      {
        at: [w.p[0], w.p[1], floor(0, w.p[1])],
        heading,
        walked: d,
        gait: Math.max(stepping(t, 0.5, 8), stepping(t, 12.4, 40)),
        sit,
        nod: 0.2 + sit * 0.5,
        look: sit * 0.5 * Math.sin(t * 1.6),
        t,
      },
    ),
  )
}

function visitor(s: Shot, t: number): void {
  if (t < 0.4 || t > 19.3) return
  const p = walkLegs(
    [
      { way: come, from: 0.5, to: 8.2 },
      { way: leaveRight, from: 12.6, to: 19.2, easeOut: 0.2 },
    ],
    t,
    floor,
  )
  p.hands = ring(t, 9.3)
  p.look = t > 9.8 && t < 12 ? Math.sin((t - 9.8) * 2.85) * 0.85 : 0
  someone(s, stranger, p)
}

function children(s: Shot, t: number): void {
  const looks = [{ ...child, style: 'long' as const, hair: paint(0.3, 0.16, 0.05) }, kid]
  looks.forEach((look, i) => {
    const x = i ? 0.36 : -0.3,
      to: Leg = {
        way: way(
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
    const back: Leg = {
      way: way([0.1 + x, 1.85], [0.1 + x, 2.6], [0.1 + x, 4.2], [0.1 + x, 8.6], [0.8 + x, 10], [3, 10.4], [12.5, 10.4]),
      from: 12.6 + i * 0.3,
      to: 19.3,
      easeOut: 0.2,
    }
    if (t < 0.4 || t > 19.2) return
    const p: Pose = walkLegs([to, back], t, floor),
      hop = t > 9.6 && t < 11.8 ? Math.abs(Math.sin((t - 9.6) * 4.3 + i)) * 0.09 : 0
    s.contact(p.at, 0.28, 0.25, p.heading, 0.5)
    p.at = [p.at[0], p.at[1], p.at[2] + hop]
    p.hands = [[-0.3, 0.3, 1.0], i ? null : wave(t, 9, 11.6)[1]]
    s.actor('person', (m) => {
      const root = person(m, look, p)
      m.at = chain(root, moved([-0.3, 0.34, 0.78]))
      ball(m, paint(0.7, 0.26, 0.03, { ir: 0.6, nightGlow: 0.8 }), [0, 0, 0], [0.13, 0.13, 0.12], 14)
      m.at = null
    })
  })
}

function dogWalk(s: Shot, t: number): void {
  if (t < 0.4 || t > 19) return
  const p = walkLegs(
    [
      { way: out, from: 0.5, to: 2.8, easeIn: 0.1 },
      { way: leaveLeft, from: 8, to: 18.6, easeOut: 0.2 },
    ],
    t,
    floor,
  )
  if (t > 2.6 && t < 8)
    p.heading = t < 7 ? turnTo(out.at(9).heading, IN, smooth(2.6, 3.6, t)) : turnTo(IN, -IN, smooth(7, 8, t))
  p.hands = [[-0.3, 0.3, 0.95], wave(t, 4, 6.4)[1]]
  someone(s, sam, p)
  const lead = way(
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
    d = t < 6 ? travel(t, 0.9, 3, 2.6, 0.1, 0.5) : 2.6 + travel(t, 7.7, 18.3, lead.length - 2.6, 0.6, 0.2),
    w = lead.at(d),
    at: V3 = [w.p[0], w.p[1], floor(0, w.p[1])],
    g = Math.max(stepping(t, 0.6, 3), stepping(t, 7.6, 40))
  s.contact(at, 0.45, 0.2, w.heading, 0.5)
  s.actor('pet', (m) =>
    dog(m, {
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

function passing(s: Shot, t: number, t0: number, style: CarStyle, near: boolean): void {
  const d = (t - t0) * 9
  if (d > 0 && d < 90)
    car(
      s,
      style,
      {
        at: [near ? -45 + d : 45 - d, near ? 13.4 : 16.6, LOW - 0.12],
        heading: near ? 0 : Math.PI,
        rolled: d,
        lights: true,
      },
      '',
    )
}

function quiet(s: Shot, t: number): void {
  passing(s, t, 3, greenHatch, true)
  passing(s, t, 26, s.night ? blueSedan : silverSuv, false)
  const d = (t - 22) * 1.35
  if (d > 0 && d < 23)
    someone(s, passer, { at: [11 - d, 19.3, LOW + 0.01], heading: Math.PI, walked: d, stride: 1, t }, '')
}

/** Leaves that come down one by one; the lanterns at night. */
function always(s: Shot, t: number): void {
  if (s.night) {
    for (const x of [-1.35, 1.75]) s.glow([x, 9.25, 0.9], 0.55, 110)
    s.glow([0.1, 2.1, 2.36], 0.22, 60)
    return
  }
  for (let i = 0; i < 7; i++) {
    const u = clamp((((t + i * 2.77) % 20) - 0.3) / 5.5)
    if (u <= 0 || u >= 1 || t < 0.3) continue
    const z = 2.9 - u * 3.3,
      x = -5 + i * 1.7 + Math.sin(u * 9 + i) * 0.35,
      a = u * 11 + i,
      c = Math.cos(a) * 0.07,
      e = Math.sin(a) * 0.06,
      y = 4.6 + (i % 3) * 1.1
    if (z < LOW) continue
    s.actor('', (m) => {
      const id = m.matId(paint(0.6, 0.24, 0.03)),
        v = m.vertex(x - c, y, z - e, 0, -0.5, 0.8, id)
      m.vertex(x, y + e, z - c * 0.6, 0, -0.5, 0.8, id)
      m.vertex(x + c, y, z + e, 0, -0.5, 0.8, id)
      m.vertex(x, y - e, z + c * 0.6, 0, -0.5, 0.8, id)
      m.tri(v, v + 1, v + 2)
      m.tri(v, v + 2, v + 3)
    })
  }
}

const dayActions: Action[] = [
  {
    id: 'maya',
    label: 'Maya',
    summary: 'Maya comes home with the shopping and waves.',
    seconds: 20,
    best: 10.6,
    tags: ['motion', 'person', 'face'],
    people: ['Maya'],
    draw: mayaHome,
  },
  {
    id: 'courier',
    label: 'Person with a box',
    summary: 'A courier leaves a parcel on the mat and rings; Sam takes it in.',
    seconds: 40,
    best: 9.4,
    tags: ['motion', 'person', 'package', 'face'],
    people: ['Sam'],
    draw: courierCalls,
  },
  {
    id: 'sam',
    label: 'Sam',
    summary: 'Sam comes out, waves and walks off to the left.',
    seconds: 20,
    best: 5.2,
    tags: ['motion', 'person', 'face'],
    people: ['Sam'],
    draw: samLeaves,
  },
  {
    id: 'cat',
    label: 'Pet',
    summary: 'A grey cat climbs the steps, sits on the mat and looks up.',
    seconds: 20,
    best: 10.2,
    tags: ['motion', 'pet', 'sound'],
    sounds: ['Meowing'],
    draw: catCalls,
  },
]
const nightActions: Action[] = [
  {
    id: 'maya',
    label: 'Maya',
    summary: 'Maya comes home with the shopping and waves.',
    seconds: 20,
    best: 10.6,
    tags: ['motion', 'person', 'face'],
    people: ['Maya'],
    draw: mayaHome,
  },
  {
    id: 'children',
    label: 'Two people',
    summary: 'Two children with pumpkin lanterns call and hop about.',
    seconds: 20,
    best: 10.4,
    tags: ['motion', 'person', 'sound'],
    sounds: ['Talking'],
    draw: children,
  },
  {
    id: 'visitor',
    label: 'Person',
    summary: 'Somebody in a dark top rings, looks around and leaves.',
    seconds: 20,
    best: 9.4,
    tags: ['motion', 'person'],
    draw: visitor,
  },
  {
    id: 'dog-walk',
    label: 'Sam and a dog',
    summary: 'Sam takes the dog out for the evening walk.',
    seconds: 20,
    best: 5,
    tags: ['motion', 'person', 'pet', 'face'],
    people: ['Sam'],
    draw: dogWalk,
  },
]

export const place: Place = {
  id: 'front-door',
  name: 'Front door',
  renditions: ['360', '720'],
  outdoor: true,
  camera,
  centre,
  radius,
  build,
  day,
  night,
  wind: 0.35,
  skyShare: 0.8,
  always,
  quiet,
  dayActions,
  nightActions,
}

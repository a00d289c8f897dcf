import { GREYCAT, beast } from '../kit/animals.ts'
import { blueSedan, car, greenHatch, type CarStyle } from '../kit/car.ts'
import { child, sam } from '../kit/looks.ts'
import { apply, smooth, stand, unit, type V3 } from '../kit/math.ts'
import { paint, box } from '../kit/mesh.ts'
import { reach, someone, walkLegs } from '../kit/moves.ts'
import { travel, turnTo, way } from '../kit/path.ts'
import { person } from '../kit/person.ts'
import type { Action, Place } from '../kit/place.ts'
import { prowl, type Key } from '../kit/prowl.ts'
import { bicycle } from '../kit/props.ts'
import { ball, tube } from '../kit/shapes.ts'
import type { Shot } from '../kit/shot.ts'
import { bigDoor, build, camera, centre, day, night, openDay, radius } from './garage-set.ts'

/** Door that opens from `a` and shuts from `b` (four seconds each). */
function doorway(s: Shot, t: number, a: number, b: number, far = 1): void {
  const u = far * smooth(a, a + 4, t) * (1 - smooth(b, b + 4, t))
  s.openness = u
  s.actor('', (m) => bigDoor(m, u))
}

const inWay = way([-26, -16.2], [-9, -16.2], [-3.4, -15.4], [-0.4, -12.4], [0.1, -8], [0.15, -2], [0.15, 2.3])
function arrive(style: CarStyle) {
  return (s: Shot, t: number): void => {
    doorway(s, t, 0.8, 34)
    const L = inWay.length,
      d = t < 20 ? travel(t, 2, 12.6, L, 0.2, 5) : L - travel(t, 23.5, 33.6, L, 2.5, 0.2),
      w = inWay.at(d)
    if (t < 2 || t > 33.5) return
    car(s, style, {
      at: [w.p[0], w.p[1], 0.005],
      heading: w.heading,
      rolled: d,
      lights: t < 15 || t > 22.4,
      brake: t > 10 && t < 14,
    })
    if (t > 14.4 && t < 22.8) unload(s, t)
  }
}

const step = way([-0.3, 1.9], [-1.2, 2.1], [-1.75, 2.75]),
  returnWay = way([-1.75, 2.75], [-1.2, 2.1], [-0.3, 1.9])
/** The driver puts a can on the bench. */
function unload(s: Shot, t: number): void {
  const p = walkLegs(
      [
        { way: step, from: 14.4, to: 16.6 },
        { way: returnWay, from: 20.2, to: 22.6 },
      ],
      t,
    ),
    low = 0.95 * (1 - smooth(14.5, 15.6, t) * (1 - smooth(21.5, 22.6, t)))
  if (t > 16.4 && t < 19.2) p.heading = turnTo(step.at(9).heading, Math.PI, smooth(16.4, 17, t))
  const k = smooth(17, 17.8, t) * (1 - smooth(18.6, 19.2, t))
  someone(s, sam, { ...p, crouch: low, hands: [null, k > 0 ? reach(k, [0.26, 0.05, 0.88], [0.15, 0.5, 1.08]) : null] })
}

const ride = way([2.3, 5.2], [1.4, 4.4], [0.3, 2.6], [0, 0.4], [0, -5], [0.4, -10], [3, -13.4], [9, -13.9], [26, -13.9])
function bikeOut(s: Shot, t: number): void {
  doorway(s, t, 0.8, 14)
  const d = travel(t, 3.6, 15.5, ride.length, 2.2, 0.2)
  if (t < 3.5 || t > 15.4) return
  const w = ride.at(d),
    size = 0.7,
    at = stand([w.p[0], w.p[1], 0.005], w.heading),
    a = d * 2.5,
    k = 1.22 / 1.76
  const foot = (b: number, x: number): V3 => [
    x,
    (-0.05 * size + 0.13 * size * Math.cos(b)) / k + 0.12,
    (0.29 * size + 0.13 * size * Math.sin(b)) / k - 0.03,
  ]
  s.contact([w.p[0], w.p[1], 0.005], 0.7, 0.2, w.heading, 0.55)
  s.actor('person', (m) => {
    bicycle(m, at, size, d, paint(0.6, 0.08, 0.3, { gloss: 0.2 }))
    person(
      m,
      { ...child, top: paint(0.1, 0.35, 0.6), sleeve: paint(0.1, 0.35, 0.6) },
      {
        at: apply(at, [0, -0.12, 0]),
        heading: w.heading,
        seat: (0.9 * size) / k + 0.05,
        lean: 0.3,
        feet: [foot(a, -0.1), foot(a + Math.PI, 0.1)],
        hands: [
          [-0.24, 0.53, 0.97],
          [0.24, 0.53, 0.97],
        ],
        look: 0.3 * Math.sin(t),
      },
    )
  })
}

const toBench = way([1.9, 6.5], [0.2, 5], [-1.2, 3.9], [-1.82, 3.3]),
  fromBench = way([-1.82, 3.3], [-1, 4], [0.4, 5.2], [1.9, 6.7])
function hammer(s: Shot, t: number): void {
  doorway(s, t, 90, 99)
  if (t < 0.6 || t > 19) return
  const p = walkLegs(
      [
        { way: toBench, from: 0.7, to: 5 },
        { way: fromBench, from: 14.6, to: 18.9, easeOut: 0.2 },
      ],
      t,
    ),
    work = smooth(5.4, 6.2, t) * (1 - smooth(13, 13.6, t))
  if (t > 4.8 && t < 13.6) p.heading = turnTo(toBench.at(99).heading, Math.PI, smooth(4.8, 5.6, t))
  const blow = Math.max(0, Math.sin((t - 6) * 5.2)),
    hand = reach(work, [0.26, 0.05, 0.88], [0.16, 0.46, 1.14 + 0.3 * blow])
  p.hands = [reach(work, [-0.26, 0.05, 0.88], [-0.14, 0.52, 1.06]), hand]
  p.nod = -0.35 * work
  p.lean = 0.16 * work
  someone(s, { ...sam, top: paint(0.32, 0.33, 0.36), sleeve: paint(0.32, 0.33, 0.36) }, p)
  s.actor('', (m) => {
    m.at = stand(p.at, p.heading)
    const k = sam.height / 1.76,
      h: V3 = [hand[0] * k, hand[1] * k + 0.08, hand[2] * k]
    tube(m, paint(0.45, 0.28, 0.12), [h, [h[0], h[1] + 0.2, h[2] + 0.12 * blow]], [0.015, 0.013], 6)
    box(
      m,
      paint(0.2, 0.2, 0.22, { gloss: 0.3 }),
      [h[0] - 0.025, h[1] + 0.19, h[2] + 0.12 * blow - 0.06],
      [h[0] + 0.025, h[1] + 0.24, h[2] + 0.12 * blow + 0.06],
    )
  })
}

const TOP = 0.935
const MOUSER: Key[] = [
  { t: 0.8, at: [2, 6.6, 0] },
  { t: 3.6, at: [0.2, 4.6, 0] },
  { t: 5.6, at: [-1.6, 3.5, 0] },
  { t: 6.4, at: [-1.75, 3.3, 0], face: Math.PI },
  { t: 7.1, at: [-2.62, 3.05, TOP] },
  { t: 8.6, at: [-2.62, 2.45, TOP], face: -0.3 },
  { t: 9.6, at: [-2.62, 2.44, TOP], face: 0.6, sit: 1 },
  { t: 11.2, at: [-2.62, 2.44, TOP], face: 0.6, sit: 1, look: 0.6, nod: 0.3 },
  { t: 12.6, at: [-2.62, 2.44, TOP], face: 0.6, sit: 1, look: -0.7 },
  { t: 13.6, at: [-2.62, 2.44, TOP], face: -0.1 },
  { t: 14.3, at: [-1.6, 2.3, 0] },
  { t: 16, at: [0.4, 3.6, 0] },
  { t: 18.6, at: [2.1, 6.7, 0] },
]
function mouser(s: Shot, t: number): void {
  doorway(s, t, 90, 99)
  const g = prowl(MOUSER, t)
  if (!g) return
  s.contact(g.at, 0.3, 0.14, g.heading, 0.5)
  s.actor('pet', (m) =>
    beast(
      m,
      {
        ...GREYCAT,
        coat: paint(0.1, 0.095, 0.09, { ir: 0.4 }),
        socks: paint(0.6, 0.58, 0.55),
        size: 0.44,
        leg: 0.25,
        thick: 0.125,
        neck: 0.12,
      },
      g,
    ),
  )
}

function torch(s: Shot, t: number): void {
  doorway(s, t, 90, 99)
  if (t < 0.8 || t > 18.6) return
  const p = walkLegs(
      [
        { way: toBench, from: 0.9, to: 6 },
        { way: fromBench, from: 13, to: 18.5, easeOut: 0.2 },
      ],
      t,
    ),
    a = p.heading + (t > 6 && t < 12 ? 0.9 * Math.sin((t - 6) * 1.05) : 0.25 * Math.sin(t * 1.4))
  if (t > 5.8 && t < 12) p.heading = turnTo(toBench.at(99).heading, -2.4, smooth(5.8, 7, t))
  p.hands = [[-0.16, 0.4, 1.15], null]
  p.look = a - p.heading
  const c = Math.cos(p.heading),
    e = Math.sin(p.heading),
    at: V3 = [p.at[0] + c * 0.46 - e * 0.15, p.at[1] + e * 0.46 + c * 0.15, 1.18]
  someone(s, sam, p)
  s.actor('', (m) => ball(m, paint(0.9, 0.9, 0.85, { nightGlow: 1.2 }), at, [0.035, 0.035, 0.035], 8))
  s.headlight(at, unit([Math.cos(a), Math.sin(a), -0.12]), 0.8, 0.25)
}

/** A moth at the lamp, a mouse along the wall. */
function quiet(s: Shot, t: number): void {
  doorway(s, t, 90, 99)
  const d = (t > 22 ? t - 22 : -1) * 0.9
  if (d > 0 && d < 5.2 && (t * 0.9) % 2.4 > 0)
    s.actor('', (m) => {
      ball(
        m,
        paint(0.16, 0.13, 0.11, { ir: 0.4 }),
        [-2.3 + 0.08 * Math.sin(d * 4), 0.5 + d, 0.028],
        [0.022, 0.045, 0.024],
        8,
      )
      tube(
        m,
        paint(0.3, 0.2, 0.18),
        [
          [-2.3 + 0.08 * Math.sin(d * 4), 0.45 + d, 0.02],
          [-2.3 + 0.08 * Math.sin(d * 4 - 0.6), 0.35 + d, 0.015],
        ],
        [0.004, 0.003],
        4,
      )
    })
  const u = t > 4 && t < 17 ? t - 4 : -1
  if (u > 0)
    s.actor('', (m) => {
      const x = -1.6 + 0.4 * Math.sin(u * 2.1) - Math.max(0, 1 - u) * 2 - Math.max(0, u - 12) * 3,
        z = 2.35 + 0.16 * Math.sin(u * 3.3)
      for (const k of [-1, 1])
        ball(
          m,
          paint(0.5, 0.45, 0.36),
          [x + k * 0.016, 3.2 + 0.3 * Math.cos(u * 2.7), z + 0.012 * Math.sin(u * 40)],
          [0.022, 0.012, 0.006],
          6,
        )
    })
}

const dayActions: Action[] = [
  {
    id: 'arrive',
    label: 'Car comes home',
    summary: 'The door goes up, a green car drives in, the driver puts something on the bench and drives off.',
    seconds: 40,
    best: 11.4,
    tags: ['motion', 'vehicle', 'person'],
    draw: arrive(greenHatch),
  },
  {
    id: 'bike',
    label: 'Child on a bike',
    summary: 'The door goes up and a child rides out.',
    seconds: 20,
    best: 6.8,
    tags: ['motion', 'person'],
    draw: bikeOut,
  },
  {
    id: 'bench',
    label: 'Person',
    summary: 'Somebody hammers at the workbench.',
    seconds: 20,
    best: 9,
    tags: ['motion', 'person'],
    draw: hammer,
  },
  {
    id: 'cat',
    label: 'Pet',
    summary: 'A cat with white socks inspects the workbench.',
    seconds: 20,
    best: 10,
    tags: ['motion', 'pet'],
    draw: mouser,
  },
]
const nightActions: Action[] = [
  {
    id: 'arrive',
    label: 'Car comes home',
    summary: 'The door goes up, headlights fill the garage; the driver unloads and drives off.',
    seconds: 40,
    best: 10.6,
    tags: ['motion', 'vehicle', 'person'],
    draw: arrive(blueSedan),
  },
  {
    id: 'torch',
    label: 'Person',
    summary: 'Somebody looks round with a torch.',
    seconds: 20,
    best: 9,
    tags: ['motion', 'person'],
    draw: torch,
  },
  {
    id: 'cat',
    label: 'Pet',
    summary: 'A cat with white socks hunts along the workbench.',
    seconds: 20,
    best: 10,
    tags: ['motion', 'pet'],
    draw: mouser,
  },
]

export const place: Place = {
  id: 'garage',
  name: 'Garage',
  renditions: ['360'],
  outdoor: false,
  camera,
  centre,
  radius,
  build,
  day,
  night,
  openDay,
  wind: 0,
  skyShare: (p) => (p[1] < -0.3 ? 1 : 0.08),
  quiet,
  dayActions,
  nightActions,
}

import { dog, fox } from '../kit/animals.ts'
import { blueSedan, car, redHatch, silverSuv, whiteVan, yellowSedan, type CarStyle } from '../kit/car.ts'
import { courier, cyclist, kid, passer, stranger } from '../kit/looks.ts'
import { apply, stand, type V3 } from '../kit/math.ts'
import { paint } from '../kit/mesh.ts'
import { carrying, someone, walkLegs } from '../kit/moves.ts'
import { stepping, travel, way } from '../kit/path.ts'
import { person } from '../kit/person.ts'
import type { Action, Place } from '../kit/place.ts'
import { bicycle, bird } from '../kit/props.ts'
import { loft, tube } from '../kit/shapes.ts'
import type { Shot } from '../kit/shot.ts'
import { build, camera, centre, day, night, radius } from './street-set.ts'

/** A car that passes in the near lane (+x) or the far one (-x). */
function passing(s: Shot, t: number, t0: number, style: CarStyle, near: boolean, speed = 8, kind = 'vehicle'): void {
  const d = (t - t0) * speed
  if (d > 0 && d < 110)
    car(
      s,
      style,
      { at: [near ? -30 + d : 70 - d, near ? 1.9 : 3.9, -0.12], heading: near ? 0 : Math.PI, rolled: d, lights: true },
      kind,
    )
}

function ride(s: Shot, t: number): void {
  const d = travel(t, 1, 19, 74, 0.2),
    at0: V3 = [36 - d, 4.1 + 0.12 * Math.sin(t * 0.9), -0.11]
  if (t > 1 && t < 18.9) {
    const at = stand(at0, Math.PI),
      a = d * 1.9,
      foot = (b: number, x: number): V3 => [x, -0.05 + 0.15 * Math.cos(b) + 0.14, 0.29 + 0.15 * Math.sin(b) - 0.02]
    s.contact(at0, 0.95, 0.25, Math.PI, 0.5)
    s.actor('person', (m) => {
      bicycle(m, at, 1, d, paint(0.6, 0.62, 0.1, { gloss: 0.2 }))
      person(m, cyclist, {
        at: apply(at, [0, -0.14, 0]),
        heading: Math.PI,
        seat: 0.93,
        lean: 0.55,
        look: t > 9 && t < 10.5 ? 0.5 : 0,
        feet: [foot(a, -0.1), foot(a + Math.PI, 0.1)],
        hands: [
          [-0.25, 0.47, 1.02],
          [0.25, 0.47, 1.02],
        ],
      })
    })
  }
  passing(s, t, 6.5, silverSuv, true)
}

const park = way([74, 3.9], [20, 3.9], [8, 3.9], [4.6, 4.3], [1.2, 5.5], [-2.4, 5.6]),
  pull = way([-2.4, 5.6], [-5.4, 5.1], [-9, 4], [-14, 3.9], [-46, 3.9])
const drop = way([-2.2, 6.9], [0.4, 9.1], [3.6, 9.5], [4.8, 11], [5.3, 13.8]),
  back = way([5.3, 13.8], [4.8, 11], [3.6, 9.5], [0.4, 9.1], [-2.2, 6.9])
function delivery(s: Shot, t: number): void {
  if (t < 0.8 || t > 39) return
  const a = travel(t, 0.8, 10.4, park.length, 0.2, 4),
    b = travel(t, 31, 38.8, pull.length, 3, 0.2),
    w = t < 20 ? park.at(a) : pull.at(b)
  car(s, whiteVan, {
    at: [w.p[0], w.p[1], -0.12],
    heading: w.heading,
    rolled: a + b,
    lights: true,
    brake: t > 8 && t < 11.4,
    steer: t < 20 ? (a > 62 && a < 68 ? 0.3 : 0) : b < 4 ? -0.25 : 0,
  })
  if (t < 12.4 || t > 29.6) return
  const p = walkLegs(
      [
        { way: drop, from: 12.4, to: 19 },
        { way: back, from: 23, to: 29.4 },
      ],
      t,
    ),
    c = carrying(0)
  someone(s, courier, { ...p, hands: t < 21.5 ? c.hands : undefined }, 'person', t < 21.5 ? c.held : undefined)
}

function dogWalk(s: Shot, t: number): void {
  const d = travel(t, 0.8, 19, 27, 0.2)
  if (t < 0.8 || t > 18.9) return
  someone(
    s,
    { ...passer, top: paint(0.5, 0.05, 0.09, { ir: 0.5 }), sleeve: paint(0.5, 0.05, 0.09, { ir: 0.5 }) },
    {
      at: [16.5 - d, -2.3, 0.02],
      heading: Math.PI,
      walked: d,
      stride: 1,
      t,
      hands: [[-0.28, 0.32, 0.95], null],
      look: 0.25 * Math.sin(t),
    },
  )
  const at: V3 = [15.3 - d + 0.25 * Math.sin(t * 0.8), -1.75, 0.02]
  s.contact(at, 0.46, 0.2, Math.PI, 0.5)
  s.actor('pet', (m) =>
    dog(m, { at, heading: Math.PI, walked: d, gait: 1, wag: 0.6, mouth: 0.5, look: 0.5 * Math.sin(t * 0.7), t }),
  )
  s.actor('', (m) =>
    tube(
      m,
      paint(0.3, 0.05, 0.05),
      [
        [at[0] - 0.35, at[1], 0.74],
        [at[0] + 0.4, at[1] - 0.18, 0.62],
        [16.15 - d, -2.02, 0.95],
      ],
      [0.008, 0.008, 0.008],
      5,
    ),
  )
}

function sledge(s: Shot, t: number): void {
  const w = way([-12, 9.2], [-2, 9.2], [6, 9.25], [16, 9.2], [34, 9.2]),
    d = travel(t, 0.6, 19, w.length - 12, 0.2) + 3,
    p = w.at(d),
    q = w.at(d - 1.7)
  if (t < 0.6 || t > 18.9) return
  someone(s, stranger, {
    at: [p.p[0], p.p[1], 0.02],
    heading: p.heading,
    walked: d,
    stride: 1.05,
    lean: 0.12,
    t,
    hands: [null, [0.22, -0.22, 0.85]],
  })
  s.contact([q.p[0], q.p[1], 0.02], 0.6, 0.3, q.heading, 0.5)
  s.actor('person', (m) => {
    const at = stand([q.p[0], q.p[1], 0.02], q.heading),
      wood = paint(0.45, 0.27, 0.12)
    m.at = at
    for (const x of [-0.2, 0.2])
      tube(
        m,
        wood,
        [
          [x, -0.5, 0.03],
          [x, 0.4, 0.03],
          [x, 0.58, 0.16],
          [x, 0.5, 0.24],
        ],
        [0.02, 0.02, 0.02, 0.018],
        6,
      )
    loft(
      m,
      wood,
      [
        { c: [0, -0.48, 0.2], x: [0.24, 0, 0], y: [0, 0, 0.02], e: 5 },
        { c: [0, 0.48, 0.2], x: [0.24, 0, 0], y: [0, 0, 0.02], e: 5 },
      ],
      16,
    )
    tube(
      m,
      paint(0.5, 0.1, 0.06),
      [
        [0, 0.55, 0.2],
        [0, 1.1, 0.4],
        [0.2, 1.55, 0.8],
      ],
      [0.01, 0.01, 0.01],
      5,
    )
    person(m, kid, {
      at: apply(at, [0, -0.12, 0.1]),
      heading: q.heading,
      seat: 0.3,
      lean: -0.08,
      feet: [
        [-0.14, 0.62, 0.18],
        [0.14, 0.62, 0.18],
      ],
      hands: [
        [-0.3, 0.25, 0.45],
        [0.3, 0.25, 0.5 + 0.35 * Math.max(0, Math.sin(t * 2))],
      ],
      look: 0.7 * Math.sin(t * 0.9),
      t,
    })
  })
}

function foxRun(s: Shot, t: number): void {
  const w = way([30, 3], [16, 2.8], [7, 3.4], [3, 2.4], [-2, 1], [-5, -2], [-9, -4.5], [-13, -9]),
    k = 25.5,
    first = t < 10.4,
    d = first ? travel(t, 1, 8.4, k, 0.3, 0.8) : k + travel(t, 11.4, 18, w.length - k, 0.8, 0.2),
    p = w.at(d),
    rest = stepping(t, 8.2, 11.8, 0.5)
  if (t < 1 || t > 17.9) return
  const z = p.p[1] > -0.1 ? -0.11 : 0.02
  s.contact([p.p[0], p.p[1], z], 0.42, 0.16, p.heading, 0.5)
  s.actor('pet', (m) =>
    fox(m, {
      at: [p.p[0], p.p[1], z],
      heading: p.heading,
      walked: d,
      gait: (1 - rest) * 1.3,
      look: rest * 0.8 * Math.sin((t - 8) * 1.8),
      nod: 0.2 * rest - 0.15,
      t,
    }),
  )
}

function lateWalk(s: Shot, t: number): void {
  const d = travel(t, 0.6, 19.2, 26, 0.2)
  if (t > 0.6 && t < 19.1)
    someone(s, passer, {
      at: [15 - d, 9.3, 0.02],
      heading: Math.PI,
      walked: d,
      stride: 1,
      look: t > 8 && t < 10 ? 0.6 : 0,
      t,
    })
  passing(s, t, 5, redHatch, true)
}

function twoCars(s: Shot, t: number): void {
  passing(s, t, 1, yellowSedan, false)
  passing(s, t, 6, blueSedan, true, 7.5)
}

function quiet(s: Shot, t: number): void {
  if (s.night) {
    passing(s, t, 23, redHatch, false, 9, '')
    return
  }
  passing(s, t, 2, yellowSedan, true, 9, '')
  for (let k = 0; k < 4; k++) {
    const u = (t - 24 - k * 0.5) / 9
    if (u > 0 && u < 1)
      s.actor('', (m) =>
        bird(
          m,
          [-14 + u * 50, 20 + k * 2, 8 + Math.sin(u * 7 + k) * 0.8 + k * 0.4],
          0,
          Math.sin(t * 13 + k) * 0.8,
          2.2,
        ),
      )
  }
}

const dayActions: Action[] = [
  {
    id: 'delivery',
    label: 'Van and a person',
    summary: 'A white van stops; the courier carries a box to the house opposite and drives on.',
    seconds: 40,
    best: 17.6,
    tags: ['motion', 'vehicle', 'person', 'package'],
    draw: delivery,
  },
  {
    id: 'cyclist',
    label: 'Cyclist',
    summary: 'A cyclist in lime rides by and meets a silver car.',
    seconds: 20,
    best: 10.6,
    tags: ['motion', 'person', 'vehicle'],
    draw: ride,
  },
  {
    id: 'dog-walk',
    label: 'Person and a dog',
    summary: 'Somebody in red walks a golden dog along the near pavement.',
    seconds: 20,
    best: 11.6,
    tags: ['motion', 'person', 'pet'],
    draw: dogWalk,
  },
  {
    id: 'sledge',
    label: 'Two people',
    summary: 'A man pulls a child on a sledge; the child waves.',
    seconds: 20,
    best: 8,
    tags: ['motion', 'person'],
    draw: sledge,
  },
]
const nightActions: Action[] = [
  {
    id: 'cars',
    label: 'Cars',
    summary: 'Two cars meet, their headlights sweep over the snow.',
    seconds: 20,
    best: 9,
    tags: ['motion', 'vehicle'],
    draw: twoCars,
  },
  {
    id: 'walk',
    label: 'Person',
    summary: 'Somebody walks home under the lamps while a car goes by.',
    seconds: 20,
    best: 9.4,
    tags: ['motion', 'person', 'vehicle'],
    draw: lateWalk,
  },
  {
    id: 'fox',
    label: 'Animal',
    summary: 'A fox trots down the middle of the road and stops to look round.',
    seconds: 20,
    best: 13.6,
    tags: ['motion', 'pet'],
    draw: foxRun,
  },
]

export const place: Place = {
  id: 'street',
  name: 'Street',
  renditions: ['360'],
  outdoor: true,
  camera,
  centre,
  radius,
  build,
  day,
  night,
  wind: 0,
  skyShare: 1,
  quiet,
  dayActions,
  nightActions,
}

import { blueSedan, car, greenHatch, redHatch, silverSuv, whiteVan } from '../kit/car.ts'
import { apply, smooth, stand, type V3 } from '../kit/math.ts'
import { child, courier, jogger, neighbour, passer, stranger } from '../kit/looks.ts'
import { paint } from '../kit/mesh.ts'
import { someone } from '../kit/moves.ts'
import { stepping, travel, turnTo, way } from '../kit/path.ts'
import { person } from '../kit/person.ts'
import type { Action, Place } from '../kit/place.ts'
import { bicycle, bird, parcel } from '../kit/props.ts'
import type { Shot } from '../kit/shot.ts'
import { fox } from '../kit/animals.ts'
import { build, camera, centre, day, night, radius } from './driveway-set.ts'

/** A car that passes on the street, in the near (+x) or far (-x) lane. */
function passing(s: Shot, t: number, t0: number, style: typeof redHatch, near: boolean, kind = 'vehicle'): void {
  const speed = 8.5,
    d = (t - t0) * speed
  if (d < 0 || d > 100) return
  car(
    s,
    style,
    { at: [near ? -48 + d : 50 - d, near ? 19.2 : 22.8, -0.09], heading: near ? 0 : Math.PI, rolled: d, lights: true },
    kind,
  )
}

const DROP: V3 = [-1.25, 5.6, 0.012]
const bring = way([-30, 15.9], [-5, 15.9], [-2.4, 15.2], [-1.55, 12], [-1.3, 6.25]),
  away = way([-1.3, 6.25], [-1.2, 9], [-0.6, 13], [1.5, 15.6], [6, 15.95], [34, 15.9])
const fetch = way([-0.1, -0.6], [-0.9, 2.5], [-1.2, 4.95]),
  home = way([-1.2, 4.95], [-0.9, 2.6], [-0.2, -0.8])

function courierStory(s: Shot, t: number): void {
  if (t > 1 && t < 23) {
    const down = Math.min(1, Math.max(0, (t - 12.4) / 0.9)) * (1 - Math.min(1, Math.max(0, (t - 13.5) / 0.9))),
      has = t < 13.35
    const w =
      t < 13.9
        ? bring.at(travel(t, 1, 12.2, bring.length - 12, 0.3, 0.9) + 12)
        : away.at(travel(t, 14.6, 24, away.length - 6, 0.8, 0.3))
    const turn = turnTo(-Math.PI / 2, Math.PI / 2, Math.min(1, Math.max(0, (t - 13.8) / 0.9)))
    const heading = t > 12 && t < 14.8 ? turn : w.heading,
      z = 1.08 - down * 0.82
    const step = Math.max(stepping(t, 0, 12.2), stepping(t, 14.4, 40), 0.35 * stepping(t, 13.7, 14.8, 0.3))
    someone(
      s,
      courier,
      {
        at: [w.p[0], w.p[1], 0.01],
        heading,
        walked:
          t < 13.5
            ? travel(t, 1, 12.2, bring.length - 12, 0.3, 0.9)
            : 1 + (t - 13.7) * 0.6 + travel(t, 14.6, 24, away.length - 6, 0.8, 0.3),
        stride: step,
        crouch: down,
        t,
        hands: has
          ? [
              [-0.2, 0.33 + down * 0.12, z],
              [0.2, 0.33 + down * 0.12, z],
            ]
          : down > 0
            ? [
                [-0.2, 0.4, z],
                [0.2, 0.4, z],
              ]
            : undefined,
        look: t > 15 ? 0.2 * Math.sin(t) : 0,
        nod: down * -0.3,
      },
      'person',
      has ? [0, 0.41 + down * 0.22, z - 0.1 - down * 0.16] : undefined,
    )
  }
  if (t >= 13.35 && t < 30.1) parcel(s, DROP, -Math.PI / 2)
  if (t > 24.5 && t < 37) {
    const down = Math.min(1, Math.max(0, (t - 29.2) / 0.9)) * (1 - Math.min(1, Math.max(0, (t - 30.2) / 0.9))),
      has = t >= 30.1,
      z = 1.08 - down * 0.82
    const w =
      t < 31 ? fetch.at(travel(t, 24.8, 29, fetch.length)) : home.at(travel(t, 31.8, 36.6, home.length, 0.8, 0.2))
    const heading =
      t > 28.8 && t < 31.9 ? turnTo(Math.PI / 2, Math.PI * 1.5, Math.min(1, Math.max(0, (t - 31) / 0.9))) : w.heading
    someone(
      s,
      neighbour,
      {
        at: [w.p[0], w.p[1], 0.01],
        heading,
        walked:
          t < 30 ? travel(t, 24.8, 29, fetch.length) : (t - 31) * 0.5 + travel(t, 31.8, 36.6, home.length, 0.8, 0.2),
        stride: Math.max(stepping(t, 24.6, 29), stepping(t, 31.6, 37), 0.3 * stepping(t, 30.9, 32, 0.3)),
        crouch: down,
        t,
        hands: has
          ? [
              [-0.2, 0.35 + down * 0.1, z],
              [0.2, 0.35 + down * 0.1, z],
            ]
          : down > 0
            ? [
                [-0.2, 0.4, z],
                [0.2, 0.4, z],
              ]
            : undefined,
        nod: -down * 0.3,
      },
      'person',
      has ? [0, 0.41 + down * 0.22, z - 0.1 - down * 0.16] : undefined,
    )
  }
}

const turnIn = way([-46, 19.2], [-20, 19.2], [-8, 19.2], [-4.2, 18.8], [-1.5, 17.1], [-0.3, 14.6], [0, 11.5], [0, 7.4]),
  outBack = way([0, 7.4], [0, 11.5], [-0.3, 14.6], [-1.5, 17.1], [-4.2, 18.9], [-8.5, 19.2]),
  off = way([-8.5, 19.2], [-4, 19.2], [10, 19.2], [52, 19.2])

/** Car turns in, waits, backs out and drives off. */
function carStory(style: typeof redHatch) {
  return (s: Shot, t: number): void => {
    const a = travel(t, 0.6, 12.5, turnIn.length, 0.2, 5.5),
      b = travel(t, 25.2, 32, outBack.length, 1.5, 1.2),
      c = travel(t, 32.6, 39, off.length, 3, 0.2)
    if (t < 0.6 || t > 38.9) return
    const h = 0.02,
      on = t < 15.5 || t > 24.8
    const lift = (y: number): number => (y > 17.4 ? -0.09 : Math.min(h, -0.09 + (17.4 - y) * 0.1))
    const w = t < 18 ? turnIn.at(a) : t < 32.3 ? outBack.at(b) : off.at(c),
      heading = t > 18 && t < 32.3 ? w.heading + Math.PI : w.heading
    car(s, style, {
      at: [w.p[0], w.p[1], lift(w.p[1])],
      heading,
      rolled: t < 18 ? a : t < 32.3 ? -b : c,
      steer: t < 12 ? (a > 38 && a < 46 ? -0.4 : 0) : t > 25 && t < 32 && b > 5 ? -0.4 : 0,
      lights: on,
      brake: (t > 10 && t < 14) || (t > 30.6 && t < 32.6),
    })
    if (t > 13.8 && t < 24.4) driver(s, t)
  }
}

const toHouse = way([-0.35, 7.3], [-1.4, 6.9], [-1.8, 5.4], [-1.4, 3], [-0.6, -0.8])
/** The driver climbs out, calls at the house and climbs in again. */
function driver(s: Shot, t: number): void {
  const k =
      t < 19
        ? travel(t, 13.8, 18.4, toHouse.length, 0.4, 0.2)
        : toHouse.length - travel(t, 19.8, 24.4, toHouse.length, 0.2, 0.4),
    w = toHouse.at(k),
    back = t >= 19
  someone(s, passer, {
    at: [w.p[0], w.p[1], 0.01],
    heading: w.heading + (back ? Math.PI : 0),
    walked: k * (back ? -1 : 1),
    stride: stepping(t, 13.8, 40, 0.3) * (1 - stepping(t, 24.1, 60, 0.3)),
    crouch: 0.95 * (1 - smooth(0.35, 1.5, k)),
    t,
  })
}

function joggerStory(s: Shot, t: number): void {
  const d = (t - 2) * 2.9
  if (t > 2 && t < 17)
    someone(s, jogger, {
      at: [24 - d, 15.9, 0.015],
      heading: Math.PI,
      walked: d * 0.62,
      stride: 1.25,
      lean: 0.1,
      t,
      hands: [
        [-0.22, 0.22 + 0.16 * Math.sin(d * 3.2), 1.1],
        [0.22, 0.22 - 0.16 * Math.sin(d * 3.2), 1.1],
      ],
      look: t > 7 && t < 11 ? 0.5 : 0,
    })
  passing(s, t, 7.5, silverSuv, false)
}

const spin = way(
  [-26, 15.9],
  [-8, 15.9],
  [-3, 15],
  [-0.6, 12.2],
  [0.3, 9],
  [1.7, 8],
  [2.1, 9.8],
  [1.4, 13],
  [3.5, 15.5],
  [8, 15.95],
  [30, 15.9],
)
function bikeStory(s: Shot, t: number): void {
  if (t < 1.2 || t > 18.6) return
  const d = travel(t, 1.2, 18.6, spin.length, 0.2),
    w = spin.at(d),
    size = 0.68,
    a = d * 2.6,
    at = stand([w.p[0], w.p[1], 0.012], w.heading),
    k = 1.22 / 1.76
  const foot = (b: number, x: number): V3 => [
    x,
    (-0.05 * size + 0.13 * size * Math.cos(b)) / k + 0.12,
    (0.29 * size + 0.13 * size * Math.sin(b)) / k - 0.03,
  ]
  s.contact([w.p[0], w.p[1], 0.012], 0.7, 0.2, w.heading, 0.5)
  s.actor('person', (m) => {
    bicycle(m, at, size, d, paint(0.05, 0.3, 0.62, { gloss: 0.2 }))
    person(m, child, {
      at: apply(at, [0, -0.12, 0]),
      heading: w.heading,
      seat: (0.9 * size) / k + 0.05,
      lean: 0.3,
      look: 0.3 * Math.sin(t * 1.1),
      feet: [foot(a, -0.1), foot(a + Math.PI, 0.1)],
      hands: [
        [-0.24, 0.53, 0.97],
        [0.24, 0.53, 0.97],
      ],
    })
  })
}

function foxStory(s: Shot, t: number): void {
  const path = way(
    [-13, 9.5],
    [-6, 9.5],
    [-2.5, 7.6],
    [-0.4, 6.4],
    [1.6, 6.8],
    [3.1, 8.6],
    [3.4, 14],
    [9, 16.5],
    [22, 16],
  )
  const stop = 9.6,
    d = t < stop ? travel(t, 1, 8.4, 14.5, 0.2, 0.8) : 14.5 + travel(t, 11.4, 18.6, path.length - 14.5, 0.8, 0.2),
    w = path.at(d)
  if (t < 1 || t > 18.5) return
  const pause = stepping(t, 8.2, 11.6, 0.5)
  s.contact([w.p[0], w.p[1], 0.01], 0.42, 0.16, w.heading, 0.5)
  s.actor('pet', (m) =>
    fox(m, {
      at: [w.p[0], w.p[1], 0.01],
      heading: w.heading,
      walked: d,
      gait: 1 - pause,
      look: pause * -0.9,
      nod: pause * 0.15 - (1 - pause) * 0.2,
      t,
    }),
  )
}

function visitorStory(s: Shot, t: number): void {
  if (t < 1 || t > 19) return
  const come = way([14, 15.9], [2.5, 15.8], [0.6, 14.4], [0, 11], [-0.3, 7]),
    d = t < 10 ? travel(t, 1, 9.2, come.length, 0.2, 0.9) : come.length - travel(t, 12.4, 18.9, come.length, 0.9, 0.2),
    w = come.at(d),
    k = Math.min(1, Math.max(0, (t - 11.5) / 1))
  someone(s, stranger, {
    at: [w.p[0], w.p[1], 0.012],
    heading: t > 9 ? turnTo(w.heading, w.heading + Math.PI, k) : w.heading,
    walked: t < 11 ? d : come.length + (come.length - d) + (t - 11.5) * 0.3,
    stride: Math.max(stepping(t, 0.4, 9.2), stepping(t, 12.2, 30), 0.3 * stepping(t, 11.4, 12.6, 0.3)),
    look: t > 9.3 && t < 11.5 ? 0.9 * Math.sin((t - 9.3) * 2.8) : 0,
    t,
  })
}

function nightWalk(s: Shot, t: number): void {
  const d = (t - 1.5) * 1.5 * 1.35
  if (t > 1.5 && t < 19)
    someone(s, passer, {
      at: [-18 + d, 15.9, 0.015],
      heading: 0,
      walked: d,
      stride: 1,
      look: t > 8 && t < 11 ? -0.6 : 0,
      t,
    })
  passing(s, t, 6, blueSedan, false)
}

function quiet(s: Shot, t: number): void {
  passing(s, t, 9, greenHatch, false, '')
  if (!s.night) {
    passing(s, t, 27, whiteVan, true, '')
    for (const k of [0, 1])
      if (t > 10.5 && t < 18.5)
        s.actor('', (m) =>
          bird(
            m,
            [-20 + (t - 10.5) * 5 - k * 1.6, 26 + k, 8.4 + k * 0.7 + Math.sin(t * 1.4 + k) * 0.3],
            0.1,
            Math.sin(t * 15 + k * 2) * 0.8,
            2,
          ),
        )
  }
}

const dayActions: Action[] = [
  {
    id: 'courier',
    label: 'Person with a box',
    summary: 'A courier in blue leaves a parcel on the drive; a neighbour in red takes it in.',
    seconds: 40,
    best: 10.6,
    tags: ['motion', 'person', 'package'],
    draw: courierStory,
  },
  {
    id: 'car',
    label: 'Car on the drive',
    summary: 'A red car turns in and parks; the driver calls at the house and drives off.',
    seconds: 40,
    best: 12,
    tags: ['motion', 'vehicle', 'person'],
    draw: carStory(redHatch),
  },
  {
    id: 'bike',
    label: 'Child on a bike',
    summary: 'A child rides a loop on the drive and goes on.',
    seconds: 20,
    best: 9,
    tags: ['motion', 'person'],
    draw: bikeStory,
  },
  {
    id: 'jogger',
    label: 'Person passes by',
    summary: 'A jogger in orange runs past while a car goes by.',
    seconds: 20,
    best: 9.6,
    tags: ['motion', 'person', 'vehicle'],
    draw: joggerStory,
  },
]
const nightActions: Action[] = [
  {
    id: 'car',
    label: 'Car on the drive',
    summary: 'Headlights turn in from the street; the driver calls at the house and drives off.',
    seconds: 40,
    best: 11.2,
    tags: ['motion', 'vehicle', 'person'],
    draw: carStory(blueSedan),
  },
  {
    id: 'fox',
    label: 'Animal',
    summary: 'A fox crosses the drive and looks up at the camera.',
    seconds: 20,
    best: 9.8,
    tags: ['motion', 'pet'],
    draw: foxStory,
  },
  {
    id: 'visitor',
    label: 'Person',
    summary: 'Somebody in a dark top walks up, looks around and leaves.',
    seconds: 20,
    best: 10,
    tags: ['motion', 'person'],
    draw: visitorStory,
  },
  {
    id: 'walk',
    label: 'Person passes by',
    summary: 'Somebody walks home along the pavement while a car goes by.',
    seconds: 20,
    best: 9.4,
    tags: ['motion', 'person', 'vehicle'],
    draw: nightWalk,
  },
]

export const place: Place = {
  id: 'driveway',
  name: 'Driveway',
  renditions: ['360', '720'],
  outdoor: true,
  camera,
  centre,
  radius,
  build,
  day,
  night,
  wind: 0.8,
  skyShare: 1,
  quiet,
  dayActions,
  nightActions,
}

import type { V3 } from './math.ts'
import { apply, chain, clamp, mix, moved, smooth, stand, turnX, turnZ, unit } from './math.ts'
import type { Material } from './mesh.ts'
import { Mesh, box, paint, quad } from './mesh.ts'
import { ball, disc, loft, type Ring } from './shapes.ts'
import type { Shot } from './shot.ts'

export interface CarStyle {
  color: Material
  kind: 'sedan' | 'hatch' | 'suv' | 'van'
  length: number
  width: number
}
export interface CarPose {
  at: V3
  heading: number
  /** Metres rolled. */ rolled: number
  steer?: number
  lights?: boolean
  brake?: boolean
}

const GLASS = paint(0.02, 0.026, 0.03, { gloss: 0.75, ir: 0.05 }),
  RUBBER = paint(0.022, 0.022, 0.024, { ir: 0.12 }),
  RIM = paint(0.5, 0.51, 0.53, { gloss: 0.35 })
const DARK = paint(0.018, 0.018, 0.02, { ir: 0.08 }),
  CHROME = paint(0.55, 0.56, 0.58, { gloss: 0.6 }),
  LAMP = paint(0.85, 0.87, 0.9, { gloss: 0.5, nightGlow: 1.5 })
const TAIL = paint(0.5, 0.02, 0.015, { gloss: 0.3, ir: 0.5 }),
  TAIL_ON = paint(0.9, 0.05, 0.03, { glow: 0.6, nightGlow: 1.2 }),
  PLATE = paint(0.75, 0.75, 0.7, { ir: 0.9 })

/** Side outline: lower body top, roof, sill; by share of the length from the tail (0) to the nose (1). */
const SHAPES = {
  sedan: {
    belt: [
      [0, 0.72],
      [0.04, 0.93],
      [0.2, 0.98],
      [0.62, 0.95],
      [0.7, 0.92],
      [0.93, 0.76],
      [1, 0.58],
    ],
    roof: [
      [0.1, 0.95],
      [0.27, 1.36],
      [0.42, 1.44],
      [0.54, 1.4],
      [0.74, 0.92],
    ],
  },
  hatch: {
    belt: [
      [0, 0.7],
      [0.03, 0.96],
      [0.2, 1],
      [0.66, 0.97],
      [0.74, 0.94],
      [0.94, 0.78],
      [1, 0.6],
    ],
    roof: [
      [0.015, 0.98],
      [0.1, 1.38],
      [0.35, 1.5],
      [0.56, 1.45],
      [0.78, 0.94],
    ],
  },
  suv: {
    belt: [
      [0, 0.78],
      [0.02, 1.06],
      [0.2, 1.1],
      [0.66, 1.08],
      [0.72, 1.06],
      [0.95, 0.94],
      [1, 0.68],
    ],
    roof: [
      [0.01, 1.08],
      [0.06, 1.6],
      [0.3, 1.72],
      [0.55, 1.67],
      [0.74, 1.06],
    ],
  },
  van: {
    belt: [
      [0, 0.8],
      [0.015, 1.15],
      [0.3, 1.18],
      [0.82, 1.16],
      [0.86, 1.12],
      [0.97, 0.98],
      [1, 0.66],
    ],
    roof: [
      [0.004, 1.15],
      [0.02, 2.2],
      [0.4, 2.3],
      [0.72, 2.25],
      [0.93, 1.1],
    ],
  },
} as const

const curve = (pts: readonly (readonly [number, number])[] | readonly (readonly number[])[], u: number): number => {
  const p = pts as readonly (readonly number[])[]
  for (let i = 1; i < p.length; i++) {
    if (u <= p[i]![0]!) {
      const t = clamp((u - p[i - 1]![0]!) / (p[i]![0]! - p[i - 1]![0]!))
      return mix(p[i - 1]![1]!, p[i]![1]!, smooth(0, 1, t) * 0.4 + t * 0.6)
    }
  }
  return p[p.length - 1]![1]!
}

const built = new Map<CarStyle, Mesh>()

/** Body without wheels in local axes: nose towards +y, wheels touch z = 0. */
function body(s: CarStyle): Mesh {
  const old = built.get(s)
  if (old) return old
  const m = new Mesh(),
    sh = SHAPES[s.kind],
    L = s.length,
    w = s.width / 2,
    y = (u: number): number => (u - 0.5) * L
  const plan = (u: number): number => w * (1 - 0.16 * Math.abs(2 * u - 1) ** 5 - 0.05 * Math.abs(2 * u - 1) ** 2)
  const rings: Ring[] = []
  for (let i = 0; i <= 44; i++) {
    const u = i / 44,
      top = curve(sh.belt, u),
      end = Math.abs(2 * u - 1) ** 12,
      lo = 0.24 + 0.12 * end,
      c = (top + lo) / 2
    rings.push({ c: [0, y(u), c], x: [plan(u), 0, 0], y: [0, 0, (top - lo) / 2], e: 4.2 })
  }
  loft(m, s.color, rings, 36)
  cabin(m, s, sh.roof, curve(sh.belt, 0.45), y, plan)
  fittings(m, s, y, plan, sh.belt)
  built.set(s, m)
  return m
}

/** Glass house: side, front and rear panes with painted roof and pillars. */
function cabin(
  m: Mesh,
  s: CarStyle,
  roof: readonly (readonly [number, number])[],
  belt: number,
  y: (u: number) => number,
  plan: (u: number) => number,
): void {
  const a = roof[0]![0],
    b = roof[roof.length - 1]![0],
    top = roof[2]![1],
    rings: Ring[] = [],
    N = 26
  const half = (u: number, z: number): number =>
    (plan(u) - 0.035) * (1 - 0.2 * clamp((z - belt) / (1.45 - 0.9)) * (s.kind === 'van' ? 0.5 : 1))
  for (let i = 0; i <= N; i++) {
    const u = mix(a, b, i / N),
      z = Math.max(belt - 0.04, curve(roof, u))
    rings.push({ c: [0, y(u), z - 0.06], x: [half(u, z), 0, 0], y: [0, 0, 0.06], e: 3 })
  }
  loft(m, s.color, rings, 20)
  for (const k of [-1, 1]) {
    const side = (u0: number, u1: number, mat: Material, inset: number): void => {
      for (let i = 0; i < 10; i++) {
        const ua = mix(u0, u1, i / 10),
          ub = mix(u0, u1, (i + 1) / 10),
          za = curve(roof, ua) - 0.07,
          zb = curve(roof, ub) - 0.07
        const p = (u: number, z: number): V3 => [k * (half(u, z) + inset), y(u), z]
        const q: [V3, V3, V3, V3] = [
          p(ua, belt - 0.06),
          p(ub, belt - 0.06),
          p(ub, Math.max(belt - 0.05, zb)),
          p(ua, Math.max(belt - 0.05, za)),
        ]
        if (k > 0) quad(m, mat, ...q)
        else quad(m, mat, q[1], q[0], q[3], q[2])
      }
    }
    side(a, b, s.color, -0.01)
    const mid = mix(a, b, 0.46)
    if (s.kind !== 'van') side(a + 0.05, mid - 0.012, GLASS, 0.006)
    side(s.kind === 'van' ? b - 0.26 : mid + 0.012, b - 0.045, GLASS, 0.006)
  }
  const pane = (u0: number, z0: number, u1: number, z1: number, out: number): void => {
    const h0 = half(u0, z0) * 0.93,
      h1 = half(u1, z1) * 0.88,
      d = out * 0.02
    for (let i = 0; i < 6; i++) {
      const f = -1 + i / 3,
        g = -1 + (i + 1) / 3,
        c = (v: number): number => out * 0.05 * (1 - v * v)
      quad(
        m,
        GLASS,
        [h0 * f, y(u0) + d + c(f), z0],
        [h0 * g, y(u0) + d + c(g), z0],
        [h1 * g, y(u1) + d + c(g), z1 + 0.012],
        [h1 * f, y(u1) + d + c(f), z1 + 0.012],
      )
    }
  }
  const f = roof[roof.length - 2]!,
    e = roof[1]!
  pane(b - 0.004, belt, mix(f[0], b, 0.1), mix(f[1], belt, 0.1) - 0.02, 1)
  if (s.kind !== 'van') pane(a + 0.012, belt, mix(e[0], a, 0.12), mix(e[1], belt, 0.12), -1)
  box(m, s.color, [-0.3, y(0.4), top - 0.02], [0.3, y(0.41), top - 0.01])
}

/** Lamps, grille, plates, mirrors, arches, sills and door lines. */
function fittings(
  m: Mesh,
  s: CarStyle,
  y: (u: number) => number,
  plan: (u: number) => number,
  belt: readonly (readonly number[])[],
): void {
  const w = s.width / 2,
    nose = s.length / 2,
    h = curve(belt, 0.97)
  for (const k of [-1, 1]) {
    ball(m, LAMP, [k * w * 0.68, nose - 0.14, h - 0.12], [0.19, 0.13, 0.075], 14)
    ball(
      m,
      TAIL,
      [k * w * 0.74, -nose + 0.07, curve(belt, 0.03) - 0.17],
      [0.17, 0.09, s.kind === 'sedan' ? 0.08 : 0.16],
      12,
    )
    ball(m, s.color, [k * (w + 0.09), y(0.64), curve(belt, 0.6) + 0.07], [0.1, 0.06, 0.075], 10)
    ball(m, CHROME, [k * w * 0.62, nose - 0.02, 0.43], [0.075, 0.03, 0.04], 10)
    for (const u of [0.19, 0.8]) disc(m, DARK, [k * (w - 0.012), y(u), 0.35], [k, 0, 0], 0.405, 26)
    box(m, DARK, [k * (w - 0.03) - 0.02, y(0.27), 0.2], [k * (w - 0.03) + 0.02, y(0.72), 0.3])
    for (const u of [0.3, 0.49, 0.68])
      box(
        m,
        DARK,
        [k * (plan(u) - 0.004) - 0.005, y(u) - 0.008, 0.34],
        [k * (plan(u) - 0.004) + 0.005, y(u) + 0.008, curve(belt, u) - 0.1],
      )
    for (const u of [0.44, 0.62])
      box(m, CHROME, [k * plan(u) - 0.015, y(u) - 0.1, 0.79], [k * plan(u) + 0.015, y(u) + 0.06, 0.815])
  }
  loft(
    m,
    DARK,
    [
      { c: [0, nose - 0.05, 0.58], x: [w * 0.48, 0, 0], y: [0, 0, 0.085], e: 4 },
      { c: [0, nose + 0.012, 0.575], x: [w * 0.42, 0, 0], y: [0, 0, 0.065], e: 4 },
    ],
    20,
  )
  box(m, CHROME, [-w * 0.4, nose + 0.005, 0.57], [w * 0.4, nose + 0.022, 0.585])
  loft(
    m,
    DARK,
    [
      { c: [0, nose - 0.08, 0.36], x: [w * 0.72, 0, 0], y: [0, 0, 0.07], e: 4 },
      { c: [0, nose - 0.015, 0.36], x: [w * 0.6, 0, 0], y: [0, 0, 0.05], e: 4 },
    ],
    20,
  )
  box(m, PLATE, [-0.25, nose + 0.0, 0.4], [0.25, nose + 0.026, 0.5])
  box(m, PLATE, [-0.25, -nose - 0.03, 0.55], [0.25, -nose + 0.02, 0.65])
  box(m, DARK, [-w * 0.8, -nose + 0.02, 0.28], [w * 0.8, -nose + 0.1, 0.42])
}

function wheel(m: Mesh, r: number): void {
  loft(
    m,
    RUBBER,
    [-0.11, -0.09, 0.09, 0.11].map((x, i) => ({
      c: [x, 0, 0] as V3,
      x: [0, i % 3 ? r : r - 0.03, 0] as V3,
      y: [0, 0, i % 3 ? r : r - 0.03] as V3,
    })),
    24,
  )
  for (const k of [-1, 1]) {
    disc(m, RIM, [k * 0.112, 0, 0], [k, 0, 0], r * 0.64, 20)
    for (let i = 0; i < 5; i++) {
      const a = i * 1.2566,
        c: V3 = [k * 0.116, Math.cos(a) * r * 0.42, Math.sin(a) * r * 0.42]
      disc(m, DARK, c, [k, 0, 0], r * 0.135, 8)
    }
  }
}

/** Draws a car with its wheels, contact shadow and lamps; `kind` names the box ('' = none). */
export function car(shot: Shot, s: CarStyle, P: CarPose, kind = 'vehicle'): void {
  const r = s.kind === 'suv' || s.kind === 'van' ? 0.36 : 0.33,
    at = stand(P.at, P.heading),
    nose = s.length / 2,
    w = s.width / 2
  const fwd: V3 = [Math.cos(P.heading), Math.sin(P.heading), 0]
  shot.contact(P.at, s.length * 0.56, s.width * 0.62, P.heading, 0.62)
  shot.contact(P.at, s.length * 0.5, s.width * 0.5, P.heading, 0.5)
  shot.actor(kind, (m) => {
    m.append(body(s), at)
    for (const k of [-1, 1]) {
      for (const u of [0.19, 0.8]) {
        m.at = chain(
          at,
          moved([k * (w - 0.09), (u - 0.5) * s.length, r]),
          turnZ(u > 0.5 ? (P.steer ?? 0) : 0),
          turnX(-P.rolled / r),
        )
        wheel(m, r)
      }
    }
    m.at = at
    const h = curve(SHAPES[s.kind].belt, 0.03) - 0.17
    if (P.brake || (P.lights && shot.night))
      for (const k of [-1, 1]) ball(m, TAIL_ON, [k * w * 0.74, -nose + 0.06, h], [0.165, 0.09, 0.075], 10)
  })
  if (P.lights && shot.night) {
    for (const k of [-1, 1])
      shot.headlight(apply(at, [k * w * 0.68, nose - 0.02, 0.64]), unit([fwd[0], fwd[1], -0.1]), 1.5)
  }
}

export const redHatch: CarStyle = {
  color: paint(0.42, 0.022, 0.022, { gloss: 0.42, ir: 0.42 }),
  kind: 'hatch',
  length: 4.1,
  width: 1.78,
}
export const blueSedan: CarStyle = {
  color: paint(0.03, 0.09, 0.26, { gloss: 0.45, ir: 0.32 }),
  kind: 'sedan',
  length: 4.6,
  width: 1.82,
}
export const silverSuv: CarStyle = {
  color: paint(0.42, 0.44, 0.46, { gloss: 0.45 }),
  kind: 'suv',
  length: 4.65,
  width: 1.9,
}
export const whiteVan: CarStyle = { color: paint(0.68, 0.68, 0.66, { gloss: 0.3 }), kind: 'van', length: 5.3, width: 2 }
export const greenHatch: CarStyle = {
  color: paint(0.05, 0.2, 0.15, { gloss: 0.42, ir: 0.3 }),
  kind: 'hatch',
  length: 3.9,
  width: 1.74,
}
export const yellowSedan: CarStyle = {
  color: paint(0.75, 0.48, 0.04, { gloss: 0.4, ir: 0.6 }),
  kind: 'sedan',
  length: 4.4,
  width: 1.8,
}

/** Car that never moves, as part of the still things. */
export function parkedCar(m: Mesh, s: CarStyle, at: V3, heading: number): void {
  const base = stand(at, heading),
    r = s.kind === 'suv' || s.kind === 'van' ? 0.36 : 0.33
  m.append(body(s), base)
  for (const k of [-1, 1])
    for (const u of [0.19, 0.8]) {
      m.at = chain(base, moved([k * (s.width / 2 - 0.09), (u - 0.5) * s.length, r]))
      wheel(m, r)
    }
  m.at = null
}

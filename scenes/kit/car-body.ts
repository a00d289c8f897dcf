import { cabin } from './car-cabin.ts'
import { SHAPES, curve, type CarStyle } from './car-styles.ts'
import { Mesh, box, paint } from './mesh.ts'
import { ball, disc, loft, type Ring } from './shapes.ts'

export const DARK = paint(0.018, 0.018, 0.02, { ir: 0.08 })
const CHROME = paint(0.55, 0.56, 0.58, { gloss: 0.6 }),
  LAMP = paint(0.85, 0.87, 0.9, { gloss: 0.5, nightGlow: 1.5 }),
  TAIL = paint(0.5, 0.02, 0.015, { gloss: 0.3, ir: 0.5 }),
  PLATE = paint(0.75, 0.75, 0.7, { ir: 0.9 })

const built = new Map<CarStyle, Mesh>()

/** Returns a car body without wheels in local axes: the nose points toward +y, the wheels touch z = 0. */
export function body(s: CarStyle): Mesh {
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

/** Adds lamps, grille, plates, mirrors, arches, sills and door lines. */
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

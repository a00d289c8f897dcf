import { addCabin } from './car-cabin.ts'
import { CAR_OUTLINES, getOutlineHeight, type CarStyle } from './car-styles.ts'
import { Mesh, addBox, createMaterial } from './mesh.ts'
import { addBall, addDisc, addLoft, type Ring } from './shapes.ts'

export const DARK_PAINT = createMaterial(0.018, 0.018, 0.02, { ir: 0.08 })
const CHROME = createMaterial(0.55, 0.56, 0.58, { gloss: 0.6 }),
  HEADLAMP = createMaterial(0.85, 0.87, 0.9, { gloss: 0.5, nightGlow: 1.5 }),
  TAIL_LAMP = createMaterial(0.5, 0.02, 0.015, { gloss: 0.3, ir: 0.5 }),
  LICENSE_PLATE = createMaterial(0.75, 0.75, 0.7, { ir: 0.9 })

const bodyCache = new Map<CarStyle, Mesh>()

/** Returns a car body without wheels in local axes: the nose points toward +y, and z = 0 is the ground. */
export function buildCarBody(s: CarStyle): Mesh {
  const old = bodyCache.get(s)
  if (old) return old
  const m = new Mesh(),
    outline = CAR_OUTLINES[s.kind],
    L = s.length,
    w = s.width / 2,
    y = (u: number): number => (u - 0.5) * L
  const bodyHalfWidth = (u: number): number =>
    w * (1 - 0.16 * Math.abs(2 * u - 1) ** 5 - 0.05 * Math.abs(2 * u - 1) ** 2)
  const rings: Ring[] = []
  for (let i = 0; i <= 44; i++) {
    const u = i / 44,
      top = getOutlineHeight(outline.belt, u),
      end = Math.abs(2 * u - 1) ** 12,
      lo = 0.24 + 0.12 * end,
      c = (top + lo) / 2
    rings.push({ c: [0, y(u), c], x: [bodyHalfWidth(u), 0, 0], y: [0, 0, (top - lo) / 2], e: 4.2 })
  }
  addLoft(m, s.color, rings, 36)
  addCabin(m, s, outline.roof, getOutlineHeight(outline.belt, 0.45), y, bodyHalfWidth)
  addFittings(m, s, y, bodyHalfWidth, outline.belt)
  bodyCache.set(s, m)
  return m
}

function addFittings(
  m: Mesh,
  s: CarStyle,
  y: (u: number) => number,
  bodyHalfWidth: (u: number) => number,
  belt: readonly (readonly number[])[],
): void {
  const w = s.width / 2,
    nose = s.length / 2,
    h = getOutlineHeight(belt, 0.97)
  for (const k of [-1, 1]) {
    addBall(m, HEADLAMP, [k * w * 0.68, nose - 0.14, h - 0.12], [0.19, 0.13, 0.075], 14)
    addBall(
      m,
      TAIL_LAMP,
      [k * w * 0.74, -nose + 0.07, getOutlineHeight(belt, 0.03) - 0.17],
      [0.17, 0.09, s.kind === 'sedan' ? 0.08 : 0.16],
      12,
    )
    addBall(m, s.color, [k * (w + 0.09), y(0.64), getOutlineHeight(belt, 0.6) + 0.07], [0.1, 0.06, 0.075], 10)
    addBall(m, CHROME, [k * w * 0.62, nose - 0.02, 0.43], [0.075, 0.03, 0.04], 10)
    for (const u of [0.19, 0.8]) addDisc(m, DARK_PAINT, [k * (w - 0.012), y(u), 0.35], [k, 0, 0], 0.405, 26)
    addBox(m, DARK_PAINT, [k * (w - 0.03) - 0.02, y(0.27), 0.2], [k * (w - 0.03) + 0.02, y(0.72), 0.3])
    for (const u of [0.3, 0.49, 0.68])
      addBox(
        m,
        DARK_PAINT,
        [k * (bodyHalfWidth(u) - 0.004) - 0.005, y(u) - 0.008, 0.34],
        [k * (bodyHalfWidth(u) - 0.004) + 0.005, y(u) + 0.008, getOutlineHeight(belt, u) - 0.1],
      )
    for (const u of [0.44, 0.62])
      addBox(
        m,
        CHROME,
        [k * bodyHalfWidth(u) - 0.015, y(u) - 0.1, 0.79],
        [k * bodyHalfWidth(u) + 0.015, y(u) + 0.06, 0.815],
      )
  }
  addGrilleAndPlates(m, w, nose)
}

/** Adds grille, air intake, license plates and rear panel. `w`: half the width, `nose`: front end along y. */
function addGrilleAndPlates(m: Mesh, w: number, nose: number): void {
  addLoft(
    m,
    DARK_PAINT,
    [
      { c: [0, nose - 0.05, 0.58], x: [w * 0.48, 0, 0], y: [0, 0, 0.085], e: 4 },
      { c: [0, nose + 0.012, 0.575], x: [w * 0.42, 0, 0], y: [0, 0, 0.065], e: 4 },
    ],
    20,
  )
  addBox(m, CHROME, [-w * 0.4, nose + 0.005, 0.57], [w * 0.4, nose + 0.022, 0.585])
  addLoft(
    m,
    DARK_PAINT,
    [
      { c: [0, nose - 0.08, 0.36], x: [w * 0.72, 0, 0], y: [0, 0, 0.07], e: 4 },
      { c: [0, nose - 0.015, 0.36], x: [w * 0.6, 0, 0], y: [0, 0, 0.05], e: 4 },
    ],
    20,
  )
  addBox(m, LICENSE_PLATE, [-0.25, nose + 0.0, 0.4], [0.25, nose + 0.026, 0.5])
  addBox(m, LICENSE_PLATE, [-0.25, -nose - 0.03, 0.55], [0.25, -nose + 0.02, 0.65])
  addBox(m, DARK_PAINT, [-w * 0.8, -nose + 0.02, 0.28], [w * 0.8, -nose + 0.1, 0.42])
}

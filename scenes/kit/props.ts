import { composeAll, placeFigure, type Mat, type Vec3 } from './math.ts'
import { addBox, createMaterial, type Mesh } from './mesh.ts'
import { addBall } from './shapes.ts'
import type { Shot } from './shot.ts'

const CARDBOARD = createMaterial(0.42, 0.26, 0.13, { ir: 0.5 }),
  TAPE = createMaterial(0.62, 0.48, 0.3, { ir: 0.75 }),
  LABEL = createMaterial(0.8, 0.8, 0.78)

/** Adds a cardboard box in local axes, standing on z = 0. */
export function addParcel(m: Mesh, at: Mat, w = 0.42, d = 0.32, h = 0.28): void {
  m.transform = at
  const x = w / 2,
    y = d / 2
  addBox(m, CARDBOARD, [-x, -y, 0], [x, y, h], 0.08)
  addBox(m, TAPE, [-0.03, -y - 0.002, h * 0.72], [0.03, y + 0.002, h + 0.003])
  addBox(m, LABEL, [x * 0.3, -y - 0.003, h * 0.3], [x * 0.85, -y + 0.01, h * 0.65])
  addBox(m, LABEL, [-x * 0.8, -y * 0.3, h - 0.01], [-x * 0.3, y * 0.5, h + 0.002])
  m.transform = null
}

export function drawParcel(s: Shot, p: Vec3, heading: number): void {
  s.addContactShadow(p, 0.36, 0.31, heading, 0.6)
  s.addContactShadow(p, 0.26, 0.22, heading, 0.5)
  s.addActor('package', (m) => addParcel(m, placeFigure(p, heading)))
}

/** Adds a flying bird. `flap`: angle of the wings in radians. */
export function addBird(m: Mesh, p: Vec3, heading: number, flap: number, size = 1): void {
  const mat = createMaterial(0.05, 0.05, 0.06),
    at = placeFigure(p, heading)
  m.transform = composeAll(at, new Float64Array([size, 0, 0, 0, 0, size, 0, 0, 0, 0, size, 0]))
  addBall(m, mat, [0, 0, 0], [0.045, 0.13, 0.04], 8)
  for (const k of [-1, 1]) {
    const c = Math.cos(flap),
      z = Math.sin(flap),
      id = m.getMaterialId(mat)
    const a = m.addVertex(0, 0.07, 0.02, 0, 0, 1, id),
      b = m.addVertex(0, -0.06, 0.02, 0, 0, 1, id)
    const e = m.addVertex(k * 0.16 * c, 0.05, 0.16 * z, 0, 0, 1, id),
      f = m.addVertex(k * 0.34 * c, -0.08, 0.26 * z, 0, 0, 1, id)
    m.addTriangle(a, e, b)
    m.addTriangle(b, e, f)
  }
  m.transform = null
}

export const addToyBall = (m: Mesh, p: Vec3, r: number): void => {
  addBall(m, createMaterial(0.75, 0.09, 0.05, { ir: 0.6 }), p, [r, r, r], 14)
  addBall(m, createMaterial(0.85, 0.8, 0.7), p, [r * 1.01, r * 1.01, r * 1.01], 14, -0.2, 0.2)
}

import { chain, stand, type Mat, type V3 } from './math.ts'
import { box, paint, type Mesh } from './mesh.ts'
import { ball } from './shapes.ts'
import type { Shot } from './shot.ts'

const CARD = paint(0.42, 0.26, 0.13, { ir: 0.5 }),
  TAPE = paint(0.62, 0.48, 0.3, { ir: 0.75 }),
  LABEL = paint(0.8, 0.8, 0.78)

/** Draws a cardboard box in local axes, standing on z = 0. */
export function parcelAt(m: Mesh, at: Mat, w = 0.42, d = 0.32, h = 0.28): void {
  m.at = at
  const x = w / 2,
    y = d / 2
  box(m, CARD, [-x, -y, 0], [x, y, h], 0.08)
  box(m, TAPE, [-0.03, -y - 0.002, h * 0.72], [0.03, y + 0.002, h + 0.003])
  box(m, LABEL, [x * 0.3, -y - 0.003, h * 0.3], [x * 0.85, -y + 0.01, h * 0.65])
  box(m, LABEL, [-x * 0.8, -y * 0.3, h - 0.01], [-x * 0.3, y * 0.5, h + 0.002])
  m.at = null
}

export function parcel(s: Shot, p: V3, heading: number): void {
  s.contact(p, 0.36, 0.31, heading, 0.6)
  s.contact(p, 0.26, 0.22, heading, 0.5)
  s.actor('package', (m) => parcelAt(m, stand(p, heading)))
}

/** Draws a flying bird; `flap` in radians. */
export function bird(m: Mesh, p: V3, heading: number, flap: number, size = 1): void {
  const mat = paint(0.05, 0.05, 0.06),
    at = stand(p, heading)
  m.at = chain(at, new Float64Array([size, 0, 0, 0, 0, size, 0, 0, 0, 0, size, 0]))
  ball(m, mat, [0, 0, 0], [0.045, 0.13, 0.04], 8)
  for (const k of [-1, 1]) {
    const c = Math.cos(flap),
      z = Math.sin(flap),
      id = m.matId(mat)
    const a = m.vertex(0, 0.07, 0.02, 0, 0, 1, id),
      b = m.vertex(0, -0.06, 0.02, 0, 0, 1, id)
    const e = m.vertex(k * 0.16 * c, 0.05, 0.16 * z, 0, 0, 1, id),
      f = m.vertex(k * 0.34 * c, -0.08, 0.26 * z, 0, 0, 1, id)
    m.tri(a, e, b)
    m.tri(b, e, f)
  }
  m.at = null
}

export const toyBall = (m: Mesh, p: V3, r: number): void => {
  ball(m, paint(0.75, 0.09, 0.05, { ir: 0.6 }), p, [r, r, r], 14)
  ball(m, paint(0.85, 0.8, 0.7), p, [r * 1.01, r * 1.01, r * 1.01], 14, -0.2, 0.2)
}

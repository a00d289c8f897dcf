import { chain, fbm, moved, turnZ, type V3 } from '../../kit/math.ts'
import { paint, type Material, type Mesh } from '../../kit/mesh.ts'
import { loft } from '../../kit/shapes.ts'
import { SEAT } from './view.ts'

export function sofa(m: Mesh): void {
  const c: Material = {
    color: [0.16, 0.2, 0.29],
    ir: 0.42,
    texture: (p) => {
      const k = 0.9 + 0.2 * fbm(p[0] * 22, (p[1] + p[2]) * 22, 2)
      return [0.16 * k, 0.2 * k, 0.29 * k]
    },
  }
  const pad = (x0: number, y0: number, z0: number, x1: number, y1: number, z1: number, mat: Material = c): void =>
    loft(
      m,
      mat,
      [0, 0.12, 0.5, 0.88, 1].map((u) => {
        const k = u === 0 || u === 1 ? 0.93 : 1
        return {
          c: [(x0 + x1) / 2, (y0 + y1) / 2, z0 + (z1 - z0) * u] as V3,
          x: [((x1 - x0) / 2) * k, 0, 0] as V3,
          y: [0, ((y1 - y0) / 2) * k, 0] as V3,
          e: 7,
        }
      }),
      28,
    )
  pad(-1.75, 4, 0.1, 0.85, 4.95, 0.3)
  pad(-1.5, 3.95, 0.28, -0.46, 4.75, SEAT)
  pad(-0.44, 3.95, 0.28, 0.6, 4.75, SEAT)
  pad(-1.5, 4.62, 0.4, -0.46, 4.93, 0.9)
  pad(-0.44, 4.62, 0.4, 0.6, 4.93, 0.9)
  pad(-1.78, 3.95, 0.1, -1.52, 4.95, 0.64)
  pad(0.62, 3.95, 0.1, 0.88, 4.95, 0.64)
  const cushion = (x: number, z: number, a: number, mat: Material): void => {
    m.at = chain(moved([x, 4.5, z]), turnZ(a))
    loft(
      m,
      mat,
      [-0.09, -0.05, 0, 0.05, 0.09].map((y) => ({
        c: [0, y, 0] as V3,
        x: [0.22 * (1 - Math.abs(y) * 2.4), 0, 0] as V3,
        y: [0, 0.06, 0.2 * (1 - Math.abs(y) * 2.4)] as V3,
        e: 3.4,
      })),
      24,
    )
    m.at = null
  }
  cushion(-1.28, 0.66, 0.25, paint(0.62, 0.38, 0.08))
  cushion(0.36, 0.66, -0.3, paint(0.6, 0.57, 0.5))
}

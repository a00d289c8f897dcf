import { composeAll, fbm, translation, rotationZ, type Vec3 } from '../../kit/math.ts'
import { createMaterial, type Material, type Mesh } from '../../kit/mesh.ts'
import { addLoft } from '../../kit/shapes.ts'
import { SEAT_HEIGHT } from './view.ts'

export function addSofa(m: Mesh): void {
  const c: Material = {
    color: [0.16, 0.2, 0.29],
    ir: 0.42,
    texture: (p) => {
      const k = 0.9 + 0.2 * fbm(p[0] * 22, (p[1] + p[2]) * 22, 2)
      return [0.16 * k, 0.2 * k, 0.29 * k]
    },
  }
  const addPad = (x0: number, y0: number, z0: number, x1: number, y1: number, z1: number, mat: Material = c): void =>
    addLoft(
      m,
      mat,
      [0, 0.12, 0.5, 0.88, 1].map((u) => {
        const k = u === 0 || u === 1 ? 0.93 : 1
        return {
          c: [(x0 + x1) / 2, (y0 + y1) / 2, z0 + (z1 - z0) * u] as Vec3,
          x: [((x1 - x0) / 2) * k, 0, 0] as Vec3,
          y: [0, ((y1 - y0) / 2) * k, 0] as Vec3,
          e: 7,
        }
      }),
      28,
    )
  addPad(-1.75, 4, 0.1, 0.85, 4.95, 0.3)
  addPad(-1.5, 3.95, 0.28, -0.46, 4.75, SEAT_HEIGHT)
  addPad(-0.44, 3.95, 0.28, 0.6, 4.75, SEAT_HEIGHT)
  addPad(-1.5, 4.62, 0.4, -0.46, 4.93, 0.9)
  addPad(-0.44, 4.62, 0.4, 0.6, 4.93, 0.9)
  addPad(-1.78, 3.95, 0.1, -1.52, 4.95, 0.64)
  addPad(0.62, 3.95, 0.1, 0.88, 4.95, 0.64)
  const addCushion = (x: number, z: number, a: number, mat: Material): void => {
    m.transform = composeAll(translation([x, 4.5, z]), rotationZ(a))
    addLoft(
      m,
      mat,
      [-0.09, -0.05, 0, 0.05, 0.09].map((y) => ({
        c: [0, y, 0] as Vec3,
        x: [0.22 * (1 - Math.abs(y) * 2.4), 0, 0] as Vec3,
        y: [0, 0.06, 0.2 * (1 - Math.abs(y) * 2.4)] as Vec3,
        e: 3.4,
      })),
      24,
    )
    m.transform = null
  }
  addCushion(-1.28, 0.66, 0.25, createMaterial(0.62, 0.38, 0.08))
  addCushion(0.36, 0.66, -0.3, createMaterial(0.6, 0.57, 0.5))
}

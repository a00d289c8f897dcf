import { DARK_PAINT } from './car-body.ts'
import type { Vec3 } from './math.ts'
import { createMaterial, type Mesh } from './mesh.ts'
import { addDisc, addLoft } from './shapes.ts'

const RUBBER = createMaterial(0.022, 0.022, 0.024, { ir: 0.12 }),
  RIM = createMaterial(0.5, 0.51, 0.53, { gloss: 0.35 })

/** Adds a wheel of radius `r` around the x axis of the current transform. */
export function addWheel(m: Mesh, r: number): void {
  addLoft(
    m,
    RUBBER,
    [-0.11, -0.09, 0.09, 0.11].map((x, i) => ({
      c: [x, 0, 0] as Vec3,
      x: [0, i % 3 ? r : r - 0.03, 0] as Vec3,
      y: [0, 0, i % 3 ? r : r - 0.03] as Vec3,
    })),
    24,
  )
  for (const k of [-1, 1]) {
    addDisc(m, RIM, [k * 0.112, 0, 0], [k, 0, 0], r * 0.64, 20)
    for (let i = 0; i < 5; i++) {
      const a = i * 1.2566,
        c: Vec3 = [k * 0.116, Math.cos(a) * r * 0.42, Math.sin(a) * r * 0.42]
      addDisc(m, DARK_PAINT, c, [k, 0, 0], r * 0.135, 8)
    }
  }
}

import { rng, normalize, type Vec3 } from '../../kit/math.ts'
import { createMaterial, type Mesh } from '../../kit/mesh.ts'
import { addCrown } from '../../kit/nature.ts'
import { addBall, addTube } from '../../kit/shapes.ts'
import { createBark } from '../../kit/textures.ts'
import { SNOW } from './snow.ts'

/** Adds a leafless, frosted tree of `h` meters in height. */
export function addBareTree(m: Mesh, at: Vec3, h: number, seed: number): void {
  const r = rng(seed),
    b = createBark([0.13, 0.1, 0.085])
  const addBranch = (p: Vec3, d: Vec3, len: number, w: number, n: number): void => {
    const q: Vec3 = [p[0] + d[0] * len, p[1] + d[1] * len, p[2] + d[2] * len]
    addTube(
      m,
      b,
      [
        p,
        [(p[0] + q[0]) / 2 + (r() - 0.5) * len * 0.12, (p[1] + q[1]) / 2 + (r() - 0.5) * len * 0.12, (p[2] + q[2]) / 2],
        q,
      ],
      [w, w * 0.82, w * 0.62],
      n > 2 ? 8 : 5,
    )
    if (n === 0) {
      if (r() < 0.55) addCrown(m, TWIGS, q, [0.32, 0.32, 0.2], 7, 0.09, r)
      return
    }
    const k = n > 3 ? 4 : 3
    for (let i = 0; i < k; i++) {
      const a = i * (6.28 / k) + r() * 1.4,
        s = 0.5 + r() * 0.35
      addBranch(
        q,
        normalize([d[0] * 0.6 + Math.cos(a) * s, d[1] * 0.6 + Math.sin(a) * s, d[2] * 0.75 + 0.16]),
        len * (0.62 + r() * 0.16),
        w * 0.58,
        n - 1,
      )
    }
  }
  addBranch(at, [0, 0, 1], h * 0.3, h * 0.028, 4)
  addBall(m, SNOW, [at[0], at[1], 0.02], [0.5, 0.5, 0.16], 12)
}
const FROST = createMaterial(0.62, 0.64, 0.68, { leaf: true, ir: 0.45 })
const TWIGS = [FROST, FROST, FROST, FROST]

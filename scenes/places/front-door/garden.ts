import { LIT_GLASS, boxAt, door, ground, house, window } from '../../kit/building.ts'
import { rng, stand } from '../../kit/math.ts'
import { box, paint, type Material, type Mesh } from '../../kit/mesh.ts'
import { hedge, leaves, tree } from '../../kit/nature.ts'
import { ball } from '../../kit/shapes.ts'
import { asphalt, brick, concrete, grass, shingles, siding } from '../../kit/textures.ts'
import { WHITE } from './porch.ts'
import { LOW } from './view.ts'

const FALLEN = [paint(0.55, 0.2, 0.03), paint(0.62, 0.36, 0.05), paint(0.4, 0.1, 0.03)]

export function garden(m: Mesh): void {
  const lawn = grass([0.13, 0.18, 0.045], [0.27, 0.23, 0.08])
  ground(m, lawn, -40, 2.5, -0.75, 9.2, LOW)
  ground(m, lawn, 0.95, 2.5, 40, 9.2, LOW)
  ground(m, brick([0.34, 0.15, 0.1], [0.36, 0.32, 0.28]), -0.75, 3.3, 0.95, 9.4, LOW + 0.006, 0.5)
  const path: Material = {
    color: [0.36, 0.2, 0.14],
    texture: (p) => brick([0.36, 0.18, 0.12], [0.38, 0.34, 0.3]).texture!([p[0], 0, p[1] * 0.7], [0, 1, 0]),
  }
  ground(m, path, -0.75, 3.3, 0.95, 9.4, LOW + 0.012, 0.5)
  for (const [a, b] of [
    [-14, -1.2],
    [1.6, 14],
  ] as const) {
    for (let x = a; x < b; x += 0.17) {
      box(m, WHITE, [x, 9.28, LOW + 0.05], [x + 0.1, 9.31, LOW + 0.95])
    }
    for (const z of [0.25, 0.7]) box(m, WHITE, [a, 9.31, LOW + z], [b, 9.35, LOW + z + 0.07])
  }
  for (const x of [-1.35, 1.75]) {
    box(m, brick([0.4, 0.18, 0.12], [0.45, 0.4, 0.36]), [x - 0.2, 9.12, LOW], [x + 0.2, 9.5, 0.65])
    box(m, paint(0.5, 0.48, 0.45), [x - 0.25, 9.07, 0.65], [x + 0.25, 9.55, 0.72])
    ball(m, paint(0.9, 0.85, 0.7, { nightGlow: 2.4 }), [x, 9.31, 0.9], [0.14, 0.14, 0.16], 12)
  }
  hedge(m, leaves([0.07, 0.12, 0.035], 0.2), [-3.4, 2.9, LOW], [-1.5, 2.9, LOW], 0.7, 0.62, 3600, 5, 0.05)
  hedge(m, leaves([0.07, 0.12, 0.035], 0.2), [1.75, 2.9, LOW], [3.8, 2.9, LOW], 0.7, 0.62, 3600, 6, 0.05)
  const r = rng(77)
  for (let i = 0; i < 1700; i++) {
    const x = (r() - 0.5) * 22,
      y = 3 + r() * 10,
      s = 0.035 + 0.03 * r(),
      a = r() * 6.28,
      c = Math.cos(a) * s,
      d = Math.sin(a) * s,
      id = m.matId(FALLEN[i % 3]!),
      z = LOW + 0.02 + (y > 3.3 ? 0 : 0.4)
    const v = m.vertex(x - c, y - d, z, 0, 0, 1, id)
    m.vertex(x + d, y - c, z + s * 0.4, 0, 0, 1, id)
    m.vertex(x + c, y + d, z, 0, 0, 1, id)
    m.vertex(x - d, y + c, z + s * 0.3, 0, 0, 1, id)
    m.tri(v, v + 1, v + 2)
    m.tri(v, v + 2, v + 3)
  }
}

export function streetAndHomes(m: Mesh): void {
  ground(m, concrete([0.42, 0.4, 0.37], 1.5, 1.5), -60, 9.4, 60, 11.6, LOW + 0.008)
  box(m, paint(0.48, 0.47, 0.44), [-60, 11.6, LOW - 0.15], [60, 11.78, LOW + 0.02], 6)
  ground(m, asphalt([0.12, 0.12, 0.122]), -60, 11.78, 60, 18.2, LOW - 0.12)
  box(m, paint(0.48, 0.47, 0.44), [-60, 18.2, LOW - 0.15], [60, 18.4, LOW + 0.02], 6)
  ground(m, concrete([0.42, 0.4, 0.37], 1.5, 1.5), -60, 18.4, 60, 90, LOW + 0.008, 2)
  const tones: [number, number, number][] = [
    [0.42, 0.16, 0.1],
    [0.5, 0.42, 0.33],
    [0.34, 0.13, 0.09],
    [0.44, 0.2, 0.14],
    [0.46, 0.4, 0.34],
    [0.38, 0.15, 0.1],
  ]
  tones.forEach((c, i) => {
    const a = stand([-23 + i * 9.2, 21.4, LOW], Math.PI / 2),
      wall = i % 3 === 1 ? siding(c) : brick(c, [0.5, 0.45, 0.4])
    house(m, a, 9, 9, 5.9 + (i % 2) * 0.5, 8.6, wall, shingles([0.14, 0.12, 0.12]))
    for (const x of [-3.3, 1.6])
      for (const z of [0.9, 3.7])
        window(m, a, x, z, 1.35, 1.6, { bars: [2, 2], glass: (i * 7 + x + z) % 3 < 0.8 ? LIT_GLASS : undefined })
    door(m, a, -0.9, 1.05, 2.3, paint(i % 2 ? 0.05 : 0.3, 0.1, i % 2 ? 0.2 : 0.05))
    boxAt(m, paint(0.5, 0.48, 0.45), a, [-1.3, -0.9, 0], [0.5, 0, 0.18])
  })
}

export function trees(m: Mesh): void {
  const red = leaves([0.5, 0.1, 0.025], 1),
    gold = leaves([0.62, 0.34, 0.04], 1),
    rust = leaves([0.52, 0.2, 0.03], 0.8)
  tree(m, gold, [-5.2, 6.6, LOW], 6.4, 5, 21, { leaves: 5200, size: 0.13, blobs: 11 })
  tree(m, red, [5.4, 7.4, LOW], 5.6, 4.4, 22, { leaves: 5000, size: 0.12, blobs: 11 })
  for (const [i, x] of [-16, -7, 3.4, 11, 20].entries())
    tree(m, [rust, gold, red][i % 3]!, [x, 19.4, LOW], 6.5 + (i % 3), 4.4, 30 + i, { leaves: 2200, size: 0.17 })
}

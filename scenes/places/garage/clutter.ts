import { rng, type Vec3 } from '../../kit/math.ts'
import { addBox, createMaterial, type Mesh } from '../../kit/mesh.ts'
import { addLoft, addTube } from '../../kit/shapes.ts'
import { BLACK, STEEL, WOOD } from './paints.ts'

export function addTires(m: Mesh): void {
  for (let i = 0; i < 3; i++) {
    const c: Vec3 = [-2.68, 0.62, 0.12 + i * 0.22]
    addLoft(
      m,
      BLACK,
      [-0.11, -0.08, 0.08, 0.11].map((z, k) => ({
        c: [c[0] + i * 0.02, c[1], c[2] + z] as Vec3,
        x: [k % 3 ? 0.33 : 0.29, 0, 0] as Vec3,
        y: [0, k % 3 ? 0.33 : 0.29, 0] as Vec3,
      })),
      24,
    )
  }
}

export function addShelf(m: Mesh): void {
  addBox(m, STEEL, [-3.1, 4.7, 0], [-2.6, 4.74, 2.1])
  addBox(m, STEEL, [-3.1, 6.2, 0], [-2.6, 6.24, 2.1])
  for (const z of [0.2, 0.85, 1.5, 2.08]) addBox(m, STEEL, [-3.1, 4.7, z], [-2.6, 6.24, z + 0.03])
  const r = rng(3),
    cs = [
      createMaterial(0.42, 0.28, 0.14),
      createMaterial(0.14, 0.24, 0.4),
      createMaterial(0.5, 0.5, 0.48),
      createMaterial(0.36, 0.1, 0.08),
      createMaterial(0.16, 0.3, 0.2),
    ]
  for (const z of [0.23, 0.88, 1.53])
    for (let y = 4.8; y < 6;) {
      const w = 0.26 + r() * 0.24
      addBox(m, cs[Math.floor(r() * 5)]!, [-3.04, y, z], [-2.64, Math.min(6.16, y + w - 0.04), z + 0.26 + r() * 0.26])
      y += w
    }
}

export function addLadder(m: Mesh): void {
  for (const x of [-3.02, -2.99])
    for (const y of [0.25, 0.42])
      addTube(
        m,
        createMaterial(0.6, 0.5, 0.08),
        [
          [x, y, 0.05],
          [x, y, 2.3],
        ],
        [0.025, 0.025],
        6,
      )
  for (let z = 0.3; z < 2.3; z += 0.28)
    addTube(
      m,
      createMaterial(0.6, 0.5, 0.08),
      [
        [-3, 0.25, z],
        [-3, 0.42, z],
      ],
      [0.018, 0.018],
      5,
    )
}

export function addTools(m: Mesh): void {
  addBox(m, createMaterial(0.62, 0.62, 0.6), [2.62, 0.15, 0], [3.2, 0.95, 1.5])
  addBox(m, STEEL, [2.6, 0.2, 0.75], [2.63, 0.24, 1.2])
  addTube(
    m,
    WOOD,
    [
      [2.75, 0.12, 1.5],
      [2.7, 0.06, 2.2],
    ],
    [0.015, 0.015],
    5,
  )
  for (const [x, c] of [
    [-2.75, [0.1, 0.35, 0.12]],
    [2.58, [0.05, 0.2, 0.4]],
  ] as [number, Vec3][]) {
    addTube(
      m,
      WOOD,
      [
        [x, 0.06, 0.5],
        [x, 0.06, 1.7],
      ],
      [0.015, 0.015],
      6,
    )
    addBox(m, createMaterial(c[0], c[1], c[2]), [x - 0.1, 0.04, 0.25], [x + 0.1, 0.08, 0.52])
  }
}

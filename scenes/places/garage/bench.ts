import { rng, type Vec3 } from '../../kit/math.ts'
import { addBox, createMaterial, type Mesh } from '../../kit/mesh.ts'
import { addLoft, addTube } from '../../kit/shapes.ts'
import { RED, STEEL, WOOD } from './paints.ts'

export function addWorkbench(m: Mesh): void {
  addBox(m, WOOD, [-3.1, 1.5, 0.86], [-2.45, 4.3, 0.93], 0.3)
  for (const y of [1.55, 2.9, 4.2])
    for (const x of [-3.05, -2.55]) addBox(m, WOOD, [x, y, 0], [x + 0.08, y + 0.08, 0.86])
  addBox(m, WOOD, [-3.1, 1.55, 0.25], [-2.5, 4.25, 0.29])
  for (const [y, w, h, c] of [
    [1.7, 0.4, 0.3, [0.42, 0.28, 0.14]],
    [2.2, 0.5, 0.36, [0.12, 0.22, 0.35]],
    [3.2, 0.42, 0.28, [0.42, 0.28, 0.14]],
    [3.7, 0.4, 0.34, [0.25, 0.3, 0.2]],
  ] as [number, number, number, Vec3][])
    addBox(m, createMaterial(c[0], c[1], c[2]), [-3, y, 0.29], [-2.6, y + w, 0.29 + h])
  addBox(m, RED, [-2.95, 1.6, 0.93], [-2.6, 2.1, 1.15])
  addBox(m, STEEL, [-2.8, 1.75, 1.15], [-2.76, 1.95, 1.2])
  addLoft(
    m,
    STEEL,
    [
      { c: [-2.58, 4, 0.93], x: [0.1, 0, 0], y: [0, 0.07, 0], e: 4 },
      { c: [-2.58, 4, 1.1], x: [0.08, 0, 0], y: [0, 0.05, 0], e: 4 },
    ],
    12,
  )
  for (const [y, c] of [
    [2.5, [0.6, 0.4, 0.05]],
    [2.68, [0.1, 0.3, 0.45]],
    [3.4, [0.5, 0.5, 0.48]],
  ] as [number, Vec3][])
    addLoft(
      m,
      createMaterial(c[0], c[1], c[2]),
      [
        { c: [-2.92, y, 0.93], x: [0.07, 0, 0], y: [0, 0.07, 0] },
        { c: [-2.92, y, 1.1], x: [0.07, 0, 0], y: [0, 0.07, 0] },
      ],
      14,
    )
  addBox(m, createMaterial(0.4, 0.3, 0.18), [-3.1, 0.55, 1.2], [-3.07, 2.1, 2.1])
  const r = rng(9)
  for (let i = 0; i < 7; i++) {
    const y = 0.68 + i * 0.2,
      l = 0.25 + r() * 0.2
    addTube(
      m,
      i % 2 ? RED : WOOD,
      [
        [-3.05, y, 1.95],
        [-3.05, y, 1.95 - l],
      ],
      [0.016, 0.02],
      6,
    )
    addBox(m, STEEL, [-3.07, y - 0.05, 1.92], [-3.03, y + 0.05, 1.98])
  }
}

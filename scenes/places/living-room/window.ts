import { addBoxAt } from '../../kit/building.ts'
import { translation, type Vec3 } from '../../kit/math.ts'
import { createMaterial, addQuad, type Material, type Mesh } from '../../kit/mesh.ts'
import { addBush, createLeafMaterials, addTree } from '../../kit/nature.ts'
import { addLoft, addTube } from '../../kit/shapes.ts'
import { createGrass } from '../../kit/textures.ts'

export function addCurtains(m: Mesh): void {
  const cloth: Material = { color: [0.66, 0.58, 0.45], sway: 0.5, ir: 0.6 }
  for (const [a, b] of [
    [1.05, 1.6],
    [3.6, 4.2],
  ] as const) {
    const rings = [2.36, 1.8, 1.2, 0.6, 0.1].map((z, k) => ({
      c: [-2.86, (a + b) / 2, z] as Vec3,
      x: [0, (b - a) * (0.5 - 0.05 * (k === 2 ? 1 : 0)), 0] as Vec3,
      y: [0.05, 0, 0] as Vec3,
      e: 4,
    }))
    addLoft(m, cloth, rings, 30)
    for (let y = a + 0.04; y < b; y += 0.1)
      addTube(
        m,
        cloth,
        [
          [-2.82, y, 2.34],
          [-2.81, y + 0.01, 1.2],
          [-2.82, y, 0.08],
        ],
        [0.035, 0.03, 0.04],
        7,
      )
  }
  addTube(
    m,
    createMaterial(0.1, 0.09, 0.08),
    [
      [-2.86, 0.9, 2.38],
      [-2.86, 4.35, 2.38],
    ],
    [0.016, 0.016],
    7,
  )
}

/** Adds the garden and the house that the camera sees through the window. */
export function addOutsideView(m: Mesh): void {
  addQuad(
    m,
    createGrass([0.2, 0.36, 0.1], [0.3, 0.38, 0.13]),
    [-40, -30, -0.6],
    [-3.3, -30, -0.6],
    [-3.3, 40, -0.6],
    [-40, 40, -0.6],
    10,
    10,
  )
  addTree(m, createLeafMaterials([0.25, 0.4, 0.1], 1), [-9, 6.5, -0.6], 6, 5, 4, { leaves: 2600, size: 0.17 })
  for (let i = 0; i < 10; i++)
    addBush(m, createLeafMaterials([0.14, 0.28, 0.08], 0.6), [-14, -4 + i * 2.3, -0.6], 1.7, i + 3, 500, 0.22)
  addBoxAt(m, createMaterial(0.7, 0.66, 0.6), translation([-17, 3, -0.6]), [0, 0, 0], [3, 12, 4])
}

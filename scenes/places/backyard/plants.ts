import { LIT_GLASS, addGround, addHouse, addWindow } from '../../kit/building.ts'
import { rng, placeFigure } from '../../kit/math.ts'
import { createMaterial, type Mesh } from '../../kit/mesh.ts'
import { addGrassBlades, addBush, addHedge, createLeafMaterials, addTree } from '../../kit/nature.ts'
import { addBall } from '../../kit/shapes.ts'
import { createGrass, createShingles, createSiding } from '../../kit/textures.ts'

const PINK_BLOSSOM = createLeafMaterials([0.75, 0.4, 0.47], 0.8),
  FRESH_LEAVES = createLeafMaterials([0.17, 0.32, 0.06], 0.8),
  DARK_LEAVES = createLeafMaterials([0.07, 0.17, 0.045], 0.4)
export function addPlants(m: Mesh): void {
  addTree(m, PINK_BLOSSOM, [2.6, 9.6, 0], 4.7, 4.4, 51, {
    leaves: 7000,
    size: 0.085,
    blobs: 12,
    bark: [0.14, 0.08, 0.07],
  })
  for (let i = 0; i < 8; i++)
    addBush(
      m,
      i % 3 ? DARK_LEAVES : FRESH_LEAVES,
      [-8.3 + (i % 2) * 0.3, 1 + i * 1.05, 0],
      0.55 + 0.2 * (i % 3),
      i + 70,
      500,
      0.06,
    )
  for (let i = 0; i < 7; i++)
    addBush(m, i % 2 ? FRESH_LEAVES : DARK_LEAVES, [3.9 + i * 0.8, 12.05, 0], 0.42, i + 90, 380, 0.055)
  const petals = [createMaterial(0.85, 0.65, 0.06), createMaterial(0.8, 0.78, 0.7), createMaterial(0.7, 0.12, 0.2)],
    r = rng(8)
  for (let i = 0; i < 130; i++) {
    const x = -8.1 + r() * 1.3,
      y = 0.8 + r() * 8
    addBall(m, petals[i % 3]!, [x, y, 0.3 + r() * 0.35], [0.045, 0.045, 0.035], 6)
  }
  for (let i = 0; i < 500; i++) {
    const a = r() * 6.28,
      k = Math.sqrt(r()) * 2.6
    addBall(m, PINK_BLOSSOM[2]!, [2.6 + Math.cos(a) * k, 9.4 + Math.sin(a) * k, 0.015], [0.03, 0.03, 0.008], 5)
  }
  const g = [
    createMaterial(0.11, 0.24, 0.05, { leaf: true, ir: 0.45 }),
    createMaterial(0.16, 0.29, 0.07, { leaf: true, ir: 0.5 }),
  ]
  addGrassBlades(m, g, 22000, 0.06, 9, (q) => [-8.8 + q() * 18, 2 + q() * 10.4, 0])
}

/** Adds the surroundings beyond the fence: trees, a house, hedges and a lawn. */
export function addNeighborhood(m: Mesh): void {
  for (let i = 0; i < 9; i++)
    addTree(
      m,
      i % 2 ? FRESH_LEAVES : DARK_LEAVES,
      [-22 + i * 6.2, 19 + (i % 3) * 3, 0],
      7 + (i % 3) * 1.4,
      6.5,
      60 + i,
      {
        leaves: 1700,
        size: 0.24,
        blobs: 8,
      },
    )
  for (let i = 0; i < 5; i++)
    addTree(m, i % 2 ? DARK_LEAVES : FRESH_LEAVES, [15 + (i % 2) * 3, 2 + i * 4.6, 0], 7.5 + (i % 2), 6, 160 + i, {
      leaves: 1700,
      size: 0.24,
      blobs: 8,
    })
  const b = placeFigure([7, 26, 0], Math.PI / 2)
  addHouse(m, b, 11, 8, 4.6, 7.6, createSiding([0.62, 0.57, 0.45]), createShingles([0.25, 0.11, 0.08]))
  for (const x of [-3.6, 0.4, 3]) addWindow(m, b, x, 2.9, 1.2, 1.2, { glass: x > 2 ? LIT_GLASS : undefined })
  addGround(m, createGrass([0.11, 0.22, 0.05], [0.2, 0.26, 0.07]), -200, 12.7, 200, 120, -0.01, 5)
  addHedge(m, DARK_LEAVES, [-16, 14.4, 0], [12, 14.4, 0], 1.4, 2.9, 5200, 11, 0.2)
  addHedge(m, DARK_LEAVES, [11.2, 14.6, 0], [11.2, -4, 0], 1.3, 2.7, 4200, 12, 0.2)
}

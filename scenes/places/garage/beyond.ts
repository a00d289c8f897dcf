import { LIT_GLASS, addBoxAt, addGround, addHouse, addWindow } from '../../kit/building.ts'
import { translation, placeFigure } from '../../kit/math.ts'
import { createMaterial, type Mesh } from '../../kit/mesh.ts'
import { addBush, createLeafMaterials, addTree } from '../../kit/nature.ts'
import { addBall } from '../../kit/shapes.ts'
import {
  createAsphalt,
  createBrick,
  createConcrete,
  createGrass,
  createShingles,
  createSiding,
} from '../../kit/textures.ts'

/** Adds driveway, street and houses, which the camera sees through the open door. */
export function addOutsideView(m: Mesh): void {
  addGround(m, createConcrete([0.27, 0.27, 0.27], 2.4, 2.4), -2.9, -13, 2.9, 0, -0.02, 0.8)
  const lawn = createGrass([0.12, 0.2, 0.06], [0.2, 0.22, 0.09])
  addGround(m, lawn, -60, -13, -2.9, -0.2, -0.03, 2)
  addGround(m, lawn, 2.9, -13, 60, -0.2, -0.03, 2)
  addGround(m, createConcrete([0.4, 0.4, 0.39], 1.5, 1.5), -60, -14.6, 60, -13, -0.02, 2)
  addGround(m, createAsphalt([0.085, 0.088, 0.095]), -60, -21, 60, -14.6, -0.1, 2)
  addGround(m, lawn, -90, -90, 90, -21, -0.03, 4)
  for (const [x, i] of [
    [-13, 0],
    [3, 1],
    [18, 2],
  ] as const) {
    const at = placeFigure([x, -29, 0], -Math.PI / 2)
    addHouse(
      m,
      at,
      11,
      8,
      3.1 + i * 0.9,
      6 + i,
      [
        createSiding([0.34, 0.42, 0.36]),
        createBrick([0.4, 0.2, 0.13], [0.5, 0.46, 0.42]),
        createSiding([0.58, 0.54, 0.46]),
      ][i]!,
      createShingles([0.13, 0.13, 0.14]),
    )
    for (const k of [-3.6, -0.6, 3]) addWindow(m, at, k, 1, 1.4, 1.2, { glass: k > 2 ? LIT_GLASS : undefined })
  }
  for (let i = 0; i < 7; i++)
    addTree(
      m,
      createLeafMaterials(i % 2 ? [0.09, 0.17, 0.05] : [0.14, 0.2, 0.05], 0),
      [-24 + i * 7.4, -25 - (i % 3) * 8, 0],
      8 + (i % 3),
      6,
      i + 4,
      { leaves: 1500, size: 0.26, blobs: 7 },
    )
  for (const x of [-3.8, 3.8])
    for (let i = 0; i < 4; i++)
      addBush(m, createLeafMaterials([0.07, 0.15, 0.05], 0), [x, -2 - i * 2.6, 0], 0.6, i + 9, 320, 0.09)
  addBoxAt(m, createMaterial(0.2, 0.2, 0.2), translation([-6, -14.2, 0]), [-0.06, -0.06, 0], [0.06, 0.06, 5])
  addBall(m, createMaterial(0.9, 0.88, 0.8, { nightGlow: 2 }), [-6, -14.2, 5.05], [0.25, 0.25, 0.15], 10)
}

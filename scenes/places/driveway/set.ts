import { LIT_GLASS, WHITE_PAINT, addBoxAt, addDoor, addGround, addHouse, addWindow } from '../../kit/building.ts'
import { placeFigure } from '../../kit/math.ts'
import { Mesh, addBox, createMaterial } from '../../kit/mesh.ts'
import { addGrassBlades, addBush, addHedge, createLeafMaterials, addTree } from '../../kit/nature.ts'
import { addBall, addTube } from '../../kit/shapes.ts'
import {
  createAsphalt,
  createBrick,
  createConcrete,
  createGrass,
  createShingles,
  createSiding,
} from '../../kit/textures.ts'

const LAWN = createGrass([0.105, 0.21, 0.045], [0.22, 0.27, 0.085], 3.2)

function addStreet(m: Mesh): void {
  addGround(m, LAWN, -60, 0.5, -2.9, 15.2, 0)
  addGround(m, LAWN, 2.9, 0.5, 60, 15.2, 0)
  addGround(m, createConcrete([0.36, 0.345, 0.315], 2.9, 2.4, 0, 0.6), -2.9, -1, 2.9, 17, 0.012, 0.8)
  addGround(m, createConcrete([0.5, 0.48, 0.45], 1.5, 1.5), -60, 15.2, 60, 16.6, 0.014)
  addGround(m, LAWN, -60, 16.6, -3.4, 17.4, 0.01)
  addGround(m, LAWN, 3.4, 16.6, 60, 17.4, 0.01)
  addGround(m, createConcrete([0.36, 0.345, 0.315], 2.9, 9), -3.4, 16.6, 3.4, 17.5, 0.012)
  for (const [a, b] of [
    [-60, -3.4],
    [3.4, 60],
  ] as const)
    addBox(m, createMaterial(0.52, 0.51, 0.48), [a, 17.4, -0.1], [b, 17.58, 0.04], 6)
  addGround(m, createAsphalt([0.115, 0.117, 0.122]), -60, 17.5, 60, 24.6, -0.09)
  for (let x = -58; x < 60; x += 5) addGround(m, createMaterial(0.68, 0.56, 0.2), x, 20.95, x + 2.6, 21.08, -0.082, 3)
  addBox(m, createMaterial(0.52, 0.51, 0.48), [-60, 24.6, -0.1], [60, 24.8, 0.04], 6)
  addGround(m, createConcrete([0.5, 0.48, 0.45], 1.5, 1.5), -60, 26, 60, 27.3, 0.012)
  addGround(m, LAWN, -60, 24.8, 60, 80, 0, 2)
  addBox(m, createMaterial(0.2, 0.3, 0.16), [-200, 110, -2], [200, 112, 7])
}

function addHouses(m: Mesh): void {
  const a = placeFigure([-11.5, 33, 0], Math.PI / 2),
    b = placeFigure([9.5, 32.2, 0], Math.PI / 2),
    c = placeFigure([30, 35, 0], Math.PI / 2),
    d = placeFigure([-33, 35, 0], Math.PI / 2)
  addHouse(m, a, 13, 9, 3.1, 6.2, createSiding([0.62, 0.55, 0.42]), createShingles([0.13, 0.11, 0.1]))
  for (const x of [-5, -2.2, 3.4])
    addWindow(m, a, x, 1, 1.7, 1.3, {
      shutters: createMaterial(0.06, 0.12, 0.1),
      glass: x < -4 ? LIT_GLASS : undefined,
    })
  addDoor(m, a, 0.8, 1, 2.1, createMaterial(0.28, 0.06, 0.04))
  addBoxAt(m, WHITE_PAINT, a, [0.2, -1.4, 2.6], [2.6, 0, 2.75])
  addHouse(m, b, 14, 9, 5.4, 8.2, createSiding([0.3, 0.4, 0.5]), createShingles([0.22, 0.1, 0.075]))
  for (const x of [-5.6, -2.2, 1.4, 4.6]) addWindow(m, b, x, 3.5, 1.3, 1.4)
  for (const x of [-5.6, -2.4]) addWindow(m, b, x, 0.9, 1.7, 1.4)
  addDoor(m, b, 0.2, 1.05, 2.15, createMaterial(0.55, 0.3, 0.09))
  addBoxAt(m, createMaterial(0.7, 0.7, 0.68), b, [2.6, -0.06, 0], [6.2, 0, 2.3])
  addHouse(m, c, 12, 9, 3, 6, createBrick([0.42, 0.17, 0.11], [0.5, 0.46, 0.42]), createShingles([0.12, 0.12, 0.13]))
  for (const x of [-4, 1]) addWindow(m, c, x, 1, 1.6, 1.3)
  addHouse(m, d, 12, 9, 3, 6.1, createSiding([0.6, 0.6, 0.56]), createShingles([0.16, 0.13, 0.11]))
  for (const x of [-3, 2]) addWindow(m, d, x, 1, 1.6, 1.3)
}

function addGreenery(m: Mesh): void {
  const fresh = createLeafMaterials([0.13, 0.25, 0.045], 0.7),
    dark = createLeafMaterials([0.06, 0.14, 0.04], 0.5),
    lime = createLeafMaterials([0.2, 0.3, 0.05], 1)
  addTree(m, fresh, [-7.6, 12.4, 0], 7.4, 5.6, 11, { leaves: 6500, size: 0.13, blobs: 12 })
  addTree(m, lime, [-3.5, 29, 0], 8, 6, 4, { leaves: 3600, size: 0.2 })
  addTree(m, dark, [-22, 30, 0], 9, 7, 5, { leaves: 3000, size: 0.24 })
  addTree(m, fresh, [20, 29.2, 0], 9, 7, 6, { leaves: 3600, size: 0.22 })
  for (let i = 0; i < 11; i++)
    addTree(m, i % 3 ? dark : fresh, [-46 + i * 9.3, 47 + (i % 3) * 4, 0], 11 + (i % 4), 9, 40 + i, {
      leaves: 1500,
      size: 0.42,
      blobs: 7,
    })
  addHedge(
    m,
    createLeafMaterials([0.055, 0.13, 0.035], 0.25),
    [4.1, 2.2, 0],
    [4.3, 13.6, 0],
    0.95,
    0.95,
    16000,
    3,
    0.062,
  )
  for (const [x, y, s] of [
    [-6.4, 31.9, 0.7],
    [-16, 32, 0.8],
    [5, 31.3, 0.7],
    [14.8, 31.4, 0.9],
  ] as const)
    addBush(m, dark, [x, y, 0], s, x * 7, 500, 0.1)
  const f = [createMaterial(0.7, 0.16, 0.25), createMaterial(0.75, 0.5, 0.12), createMaterial(0.62, 0.2, 0.5)]
  for (let i = 0; i < 5; i++)
    addBush(m, createLeafMaterials([0.1, 0.2, 0.05], 0.4), [-3.5, 4.1 + i * 0.95, 0], 0.34, i + 5, 300, 0.05)
  for (let i = 0; i < 70; i++)
    addBall(
      m,
      f[i % 3]!,
      [-3.5 + Math.sin(i * 7.1) * 0.3, 3.8 + ((i * 0.618) % 1) * 4.4, 0.36 + 0.12 * Math.sin(i * 3.3)],
      [0.035, 0.035, 0.03],
      6,
    )
  const g = [
    createMaterial(0.1, 0.2, 0.04, { leaf: true, ir: 0.5 }),
    createMaterial(0.14, 0.25, 0.06, { leaf: true, ir: 0.55 }),
    createMaterial(0.19, 0.28, 0.08, { leaf: true, ir: 0.6 }),
  ]
  addGrassBlades(m, g, 42000, 0.075, 9, (r) => {
    const y = 1.5 + 13.6 * r() ** 1.6
    return r() < 0.7 ? [-2.92 - r() * 9, y, 0] : [2.93 + r() * 5, y, 0]
  })
}

function addDetails(m: Mesh): void {
  const post = createMaterial(0.32, 0.22, 0.13),
    dark = createMaterial(0.05, 0.055, 0.06, { gloss: 0.2 })
  addBox(m, post, [-3.42, 14.5, 0], [-3.32, 14.6, 1.1])
  addBall(m, dark, [-3.37, 14.5, 1.2], [0.12, 0.27, 0.13], 14)
  addBox(m, createMaterial(0.7, 0.08, 0.06), [-3.24, 14.5, 1.18], [-3.22, 14.62, 1.4])
  addTube(
    m,
    createMaterial(0.2, 0.2, 0.21),
    [
      [-9, 14.8, 0],
      [-9, 14.8, 5],
      [-9, 15.1, 5.4],
      [-9, 15.9, 5.4],
    ],
    [0.09, 0.06, 0.05, 0.05],
    8,
  )
  addBoxAt(
    m,
    createMaterial(0.9, 0.88, 0.8, { nightGlow: 2.2, glowColor: [1, 0.76, 0.45] }),
    placeFigure([-9, 16, 5.35], Math.PI / 2),
    [-0.12, -0.3, -0.06],
    [0.12, 0.3, 0.03],
  )
  const wall = createBrick([0.4, 0.16, 0.105], [0.5, 0.46, 0.41])
  addBox(m, wall, [-3.5, -0.6, 0], [-3.02, 2.4, 3.4], 0.5)
  addBox(m, createMaterial(0.66, 0.65, 0.62, { ir: 0.12 }), [-4.2, -0.6, 3.05], [6, 0.68, 3.2], 0.5)
  addBox(m, createMaterial(0.72, 0.71, 0.68, { ir: 0.12 }), [-4.2, 0.68, 3.0], [6, 0.78, 3.24], 0.5)
}

export function build(): Mesh {
  const m = new Mesh()
  addStreet(m)
  addHouses(m)
  addGreenery(m)
  addDetails(m)
  return m
}

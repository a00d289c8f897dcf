import { addBoxAt, addGround, addHouse, addWindow } from '../../kit/building.ts'
import { composeAll, translation, rng, rotationZ } from '../../kit/math.ts'
import { Mesh, addBox, createMaterial } from '../../kit/mesh.ts'
import { addCrown, createLeafMaterials } from '../../kit/nature.ts'
import { addLoft, addTube } from '../../kit/shapes.ts'
import { createBoards, createConcrete, createGrass, createShingles } from '../../kit/textures.ts'
import { addChairs, addLantern, addTable, addWashingLine } from './furniture.ts'
import { addNeighborhood, addPlants } from './plants.ts'
import { FENCE_HEIGHT } from './view.ts'

const WOOD = createBoards([0.36, 0.22, 0.12], 0.15),
  BED_BOARDS = createBoards([0.26, 0.17, 0.1], 0.2),
  SOIL = createMaterial(0.07, 0.045, 0.03, { ir: 0.2 })

function addYard(m: Mesh): void {
  addGround(m, createGrass([0.11, 0.24, 0.045], [0.2, 0.29, 0.07]), -9, -1, 9.5, 12.6, 0, 0.6)
  addGround(m, createConcrete([0.42, 0.36, 0.3], 0.6, 0.6), -7, -1, -0.6, 1.9, 0.02, 0.4)
  const stone = createMaterial(0.4, 0.38, 0.35)
  for (let i = 0; i < 9; i++)
    addLoft(
      m,
      stone,
      [
        { c: [-0.4 + i * 0.62, 2.2 + i * 0.72, 0.0], x: [0.3, 0.05, 0], y: [-0.05, 0.22, 0], e: 2.6 },
        { c: [-0.4 + i * 0.62, 2.2 + i * 0.72, 0.03], x: [0.28, 0.05, 0], y: [-0.05, 0.2, 0], e: 2.6 },
      ],
      12,
    )
  for (const [x0, y0, x1, y1] of [
    [-9, 12.6, 9.5, 12.6],
    [-9, 0, -9, 12.6],
    [9.5, 0, 9.5, 12.6],
  ] as const) {
    const L = Math.hypot(x1 - x0, y1 - y0),
      at = composeAll(translation([x0, y0, 0]), rotationZ(Math.atan2(y1 - y0, x1 - x0)))
    for (let x = 0; x < L; x += 0.5)
      addBoxAt(m, WOOD, at, [x, -0.015, 0.03], [Math.min(L, x + 0.5), 0.015, FENCE_HEIGHT - 0.06], 0.5)
    for (let x = 0; x <= L; x += 2.4) addBoxAt(m, WOOD, at, [x - 0.06, -0.08, 0], [x + 0.06, 0.05, FENCE_HEIGHT + 0.1])
    addBoxAt(m, WOOD, at, [0, -0.06, FENCE_HEIGHT - 0.06], [L, 0.06, FENCE_HEIGHT])
  }
}

function addVegetableBeds(m: Mesh): void {
  const green = createLeafMaterials([0.12, 0.28, 0.05], 0.5),
    salad = createLeafMaterials([0.2, 0.34, 0.06], 0.4),
    r = rng(4)
  for (const y of [5.6, 8]) {
    addBox(m, BED_BOARDS, [5.6, y, 0], [8.4, y + 1.3, 0.4])
    addBox(m, SOIL, [5.68, y + 0.08, 0.3], [8.32, y + 1.22, 0.405])
    for (let i = 0; i < 7; i++)
      for (let j = 0; j < 3; j++)
        addCrown(
          m,
          (i + j) % 2 ? green : salad,
          [5.9 + i * 0.37, y + 0.27 + j * 0.38, 0.5],
          [0.14, 0.14, 0.13 + (y > 7 ? 0.12 : 0)],
          46,
          0.07,
          r,
        )
  }
  for (let i = 0; i < 4; i++)
    addTube(
      m,
      BED_BOARDS,
      [
        [5.9 + i * 0.7, 8.6, 0.3],
        [5.95 + i * 0.7, 8.65, 1.5],
      ],
      [0.014, 0.012],
      5,
    )
}

function addShed(m: Mesh): void {
  const at = composeAll(translation([-5.8, 9.2, 0]), rotationZ(0.12))
  addHouse(
    m,
    at,
    2.7,
    2.4,
    2,
    2.75,
    createBoards([0.16, 0.25, 0.3], 0.18),
    createShingles([0.16, 0.1, 0.08]),
    createMaterial(0.65, 0.63, 0.58),
  )
  addBoxAt(m, createBoards([0.5, 0.48, 0.43], 0.16), at, [-0.9, -0.05, 0.03], [0, 0, 1.8])
  addWindow(m, at, 0.4, 0.95, 0.6, 0.6)
  const kennel = composeAll(translation([-2.6, 10.9, 0]), rotationZ(-Math.PI / 2 - 0.3))
  addHouse(
    m,
    kennel,
    1.1,
    0.9,
    0.62,
    1.0,
    createBoards([0.45, 0.1, 0.07], 0.12),
    createShingles([0.1, 0.1, 0.11]),
    createMaterial(0.7, 0.68, 0.64),
  )
  m.transform = kennel
  addLoft(
    m,
    createMaterial(0.012, 0.01, 0.01),
    [
      { c: [0.57, 0.45, 0.3], x: [0, 0.2, 0], y: [0, 0, 0.27], e: 3 },
      { c: [0.54, 0.45, 0.3], x: [0, 0.2, 0], y: [0, 0, 0.27], e: 3 },
    ],
    20,
  )
  m.transform = null
  addLoft(
    m,
    createMaterial(0.1, 0.25, 0.5),
    [
      { c: [-1.5, 9.7, 0], x: [0.17, 0, 0], y: [0, 0.17, 0] },
      { c: [-1.5, 9.7, 0.11], x: [0.14, 0, 0], y: [0, 0.14, 0] },
    ],
    16,
  )
}

export function build(): Mesh {
  const m = new Mesh()
  addYard(m)
  addVegetableBeds(m)
  addShed(m)
  addTable(m)
  addChairs(m)
  addWashingLine(m)
  addPlants(m)
  addNeighborhood(m)
  addLantern(m)
  return m
}

import { LIT_GLASS, addBoxAt, addDoor, addGround, addHouse, addWindow } from '../../kit/building.ts'
import { rng, placeFigure } from '../../kit/math.ts'
import { addBox, createMaterial, type Material, type Mesh } from '../../kit/mesh.ts'
import { addHedge, createLeafMaterials, addTree } from '../../kit/nature.ts'
import { addBall } from '../../kit/shapes.ts'
import {
  createAsphalt,
  createBrick,
  createConcrete,
  createGrass,
  createShingles,
  createSiding,
} from '../../kit/textures.ts'
import { PORCH_WHITE } from './porch.ts'
import { GROUND_LEVEL } from './view.ts'

const FALLEN_LEAVES = [
  createMaterial(0.55, 0.2, 0.03),
  createMaterial(0.62, 0.36, 0.05),
  createMaterial(0.4, 0.1, 0.03),
]

export function addGarden(m: Mesh): void {
  const lawn = createGrass([0.13, 0.18, 0.045], [0.27, 0.23, 0.08])
  addGround(m, lawn, -40, 2.5, -0.75, 9.2, GROUND_LEVEL)
  addGround(m, lawn, 0.95, 2.5, 40, 9.2, GROUND_LEVEL)
  addGround(m, createBrick([0.34, 0.15, 0.1], [0.36, 0.32, 0.28]), -0.75, 3.3, 0.95, 9.4, GROUND_LEVEL + 0.006, 0.5)
  const path: Material = {
    color: [0.36, 0.2, 0.14],
    texture: (p) => createBrick([0.36, 0.18, 0.12], [0.38, 0.34, 0.3]).texture!([p[0], 0, p[1] * 0.7], [0, 1, 0]),
  }
  addGround(m, path, -0.75, 3.3, 0.95, 9.4, GROUND_LEVEL + 0.012, 0.5)
  addFence(m)
  for (const [x0, x1, seed] of [
    [-3.4, -1.5, 5],
    [1.75, 3.8, 6],
  ] as const) {
    const leaves = createLeafMaterials([0.07, 0.12, 0.035], 0.2)
    addHedge(m, leaves, [x0, 2.9, GROUND_LEVEL], [x1, 2.9, GROUND_LEVEL], 0.7, 0.62, 3600, seed, 0.05)
  }
  addFallenLeaves(m)
}

function addFence(m: Mesh): void {
  for (const [a, b] of [
    [-14, -1.2],
    [1.6, 14],
  ] as const) {
    for (let x = a; x < b; x += 0.17) {
      addBox(m, PORCH_WHITE, [x, 9.28, GROUND_LEVEL + 0.05], [x + 0.1, 9.31, GROUND_LEVEL + 0.95])
    }
    for (const z of [0.25, 0.7]) addBox(m, PORCH_WHITE, [a, 9.31, GROUND_LEVEL + z], [b, 9.35, GROUND_LEVEL + z + 0.07])
  }
  for (const x of [-1.35, 1.75]) {
    addBox(m, createBrick([0.4, 0.18, 0.12], [0.45, 0.4, 0.36]), [x - 0.2, 9.12, GROUND_LEVEL], [x + 0.2, 9.5, 0.65])
    addBox(m, createMaterial(0.5, 0.48, 0.45), [x - 0.25, 9.07, 0.65], [x + 0.25, 9.55, 0.72])
    addBall(
      m,
      createMaterial(0.9, 0.85, 0.7, { nightGlow: 2.4, glowColor: [0.8, 0.56, 0.3] }),
      [x, 9.31, 0.9],
      [0.14, 0.14, 0.16],
      12,
    )
  }
}

function addFallenLeaves(m: Mesh): void {
  const r = rng(77)
  for (let i = 0; i < 1700; i++) {
    const x = (r() - 0.5) * 22,
      y = 3 + r() * 10,
      s = 0.035 + 0.03 * r(),
      a = r() * 6.28,
      c = Math.cos(a) * s,
      d = Math.sin(a) * s,
      id = m.getMaterialId(FALLEN_LEAVES[i % 3]!),
      z = GROUND_LEVEL + 0.02 + (y > 3.3 ? 0 : 0.4)
    const v = m.addVertex(x - c, y - d, z, 0, 0, 1, id)
    m.addVertex(x + d, y - c, z + s * 0.4, 0, 0, 1, id)
    m.addVertex(x + c, y + d, z, 0, 0, 1, id)
    m.addVertex(x - d, y + c, z + s * 0.3, 0, 0, 1, id)
    m.addTriangle(v, v + 1, v + 2)
    m.addTriangle(v, v + 2, v + 3)
  }
}

export function addStreetAndHouses(m: Mesh): void {
  addGround(m, createConcrete([0.42, 0.4, 0.37], 1.5, 1.5), -60, 9.4, 60, 11.6, GROUND_LEVEL + 0.008)
  addBox(m, createMaterial(0.48, 0.47, 0.44), [-60, 11.6, GROUND_LEVEL - 0.15], [60, 11.78, GROUND_LEVEL + 0.02], 6)
  addGround(m, createAsphalt([0.12, 0.12, 0.122]), -60, 11.78, 60, 18.2, GROUND_LEVEL - 0.12)
  addBox(m, createMaterial(0.48, 0.47, 0.44), [-60, 18.2, GROUND_LEVEL - 0.15], [60, 18.4, GROUND_LEVEL + 0.02], 6)
  addGround(m, createConcrete([0.42, 0.4, 0.37], 1.5, 1.5), -60, 18.4, 60, 90, GROUND_LEVEL + 0.008, 2)
  const tones: [number, number, number][] = [
    [0.42, 0.16, 0.1],
    [0.5, 0.42, 0.33],
    [0.34, 0.13, 0.09],
    [0.44, 0.2, 0.14],
    [0.46, 0.4, 0.34],
    [0.38, 0.15, 0.1],
  ]
  tones.forEach((c, i) => {
    const a = placeFigure([-23 + i * 9.2, 21.4, GROUND_LEVEL], Math.PI / 2),
      wall = i % 3 === 1 ? createSiding(c) : createBrick(c, [0.5, 0.45, 0.4])
    addHouse(m, a, 9, 9, 5.9 + (i % 2) * 0.5, 8.6, wall, createShingles([0.14, 0.12, 0.12]))
    for (const x of [-3.3, 1.6])
      for (const z of [0.9, 3.7])
        addWindow(m, a, x, z, 1.35, 1.6, { bars: [2, 2], glass: (i * 7 + x + z) % 3 < 0.8 ? LIT_GLASS : undefined })
    addDoor(m, a, -0.9, 1.05, 2.3, createMaterial(i % 2 ? 0.05 : 0.3, 0.1, i % 2 ? 0.2 : 0.05))
    addBoxAt(m, createMaterial(0.5, 0.48, 0.45), a, [-1.3, -0.9, 0], [0.5, 0, 0.18])
  })
}

export function addTrees(m: Mesh): void {
  const red = createLeafMaterials([0.5, 0.1, 0.025], 1),
    gold = createLeafMaterials([0.62, 0.34, 0.04], 1),
    rust = createLeafMaterials([0.52, 0.2, 0.03], 0.8)
  addTree(m, gold, [-5.2, 6.6, GROUND_LEVEL], 6.4, 5, 21, { leaves: 5200, size: 0.13, blobs: 11 })
  addTree(m, red, [5.4, 7.4, GROUND_LEVEL], 5.6, 4.4, 22, { leaves: 5000, size: 0.12, blobs: 11 })
  for (const [i, x] of [-16, -7, 3.4, 11, 20].entries())
    addTree(m, [rust, gold, red][i % 3]!, [x, 19.4, GROUND_LEVEL], 6.5 + (i % 3), 4.4, 30 + i, {
      leaves: 2200,
      size: 0.17,
    })
}

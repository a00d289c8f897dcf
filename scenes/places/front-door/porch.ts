import { addBoxAt, addGround } from '../../kit/building.ts'
import { rng, placeFigure } from '../../kit/math.ts'
import { addBox, createMaterial, type Material, type Mesh } from '../../kit/mesh.ts'
import { addBush, createLeafMaterials } from '../../kit/nature.ts'
import { addBall, addLoft, addTube } from '../../kit/shapes.ts'
import { createBoards } from '../../kit/textures.ts'
import { GROUND_LEVEL } from './view.ts'

export const PORCH_WHITE = createMaterial(0.72, 0.7, 0.66)
const TERRACOTTA = createMaterial(0.42, 0.17, 0.08)

export function addPorch(m: Mesh): void {
  const deck = createBoards([0.3, 0.24, 0.19], 0.145)
  const plank: Material = { ...deck, texture: (p) => deck.texture!([p[1], p[0], p[0]], [0, 1, 0]) }
  addGround(m, plank, -3.4, 0.25, 3.4, 2.5, 0, 0.25)
  addBox(m, PORCH_WHITE, [-3.4, 2.44, GROUND_LEVEL], [3.4, 2.5, -0.005])
  for (let i = 0; i < 3; i++)
    addBox(m, plank, [-0.95, 2.5 + i * 0.3, GROUND_LEVEL], [1.15, 2.8 + i * 0.3, -0.135 * (i + 1)], 0.4)
  for (const x of [-3.05, -1.2, 1.4, 3.05]) {
    addBox(m, PORCH_WHITE, [x - 0.09, 2.25, 0], [x + 0.09, 2.43, 2.75])
    addBox(m, PORCH_WHITE, [x - 0.13, 2.21, 0], [x + 0.13, 2.47, 0.16])
    addBox(m, PORCH_WHITE, [x - 0.13, 2.21, 2.5], [x + 0.13, 2.47, 2.6])
  }
  for (const [a, b] of [
    [-3.05, -1.2],
    [1.4, 3.05],
  ] as const) {
    addBox(m, PORCH_WHITE, [a, 2.29, 0.86], [b, 2.39, 0.92])
    addBox(m, PORCH_WHITE, [a, 2.31, 0.14], [b, 2.37, 0.19])
    for (let x = a + 0.2; x < b - 0.1; x += 0.14)
      addBox(m, PORCH_WHITE, [x - 0.018, 2.32, 0.19], [x + 0.018, 2.36, 0.86])
  }
  addBox(m, PORCH_WHITE, [-3.6, 2.2, 2.62], [3.6, 2.5, 2.95])
  addGround(m, createMaterial(0.6, 0.62, 0.6), -3.6, 1.65, 3.6, 2.4, 2.75, 0.5)
  addBox(m, createMaterial(0.09, 0.07, 0.05), [-0.5, 1.68, 0.0], [0.72, 2.32, 0.022])
  addBox(m, createMaterial(0.28, 0.18, 0.09), [-0.45, 1.73, 0.012], [0.67, 2.27, 0.026])
  addTube(
    m,
    createMaterial(0.08, 0.08, 0.08),
    [
      [0.1, 2.2, 2.7],
      [0.1, 2.2, 2.52],
    ],
    [0.012, 0.012],
    6,
  )
  addBoxAt(
    m,
    createMaterial(0.8, 0.65, 0.35, { nightGlow: 0.9, glowColor: [1, 0.8, 0.52] }),
    placeFigure([0.1, 2.2, 2.36], 1.57),
    [-0.07, -0.07, -0.1],
    [0.07, 0.07, 0.12],
  )
}

/** Adds a flower pot on the deck. `r`: radius in meters. */
export function addFlowerPot(m: Mesh, x: number, y: number, r: number, flower: Material, seed: number): void {
  addLoft(
    m,
    TERRACOTTA,
    [
      { c: [x, y, 0], x: [r * 0.68, 0, 0], y: [0, r * 0.68, 0] },
      { c: [x, y, r * 1.5], x: [r, 0, 0], y: [0, r, 0] },
      { c: [x, y, r * 1.75], x: [r * 1.08, 0, 0], y: [0, r * 1.08, 0] },
    ],
    18,
  )
  addBush(m, createLeafMaterials([0.07, 0.14, 0.04], 0.4), [x, y, r * 1.5], r * 1.25, seed, 420, 0.035)
  const q = rng(seed)
  for (let i = 0; i < 40; i++) {
    const a = q() * 6.28,
      k = Math.sqrt(q()) * r * 1.25
    addBall(
      m,
      flower,
      [x + Math.cos(a) * k, y + Math.sin(a) * k, r * 2.75 - k * 0.35 + q() * 0.05],
      [0.028, 0.028, 0.02],
      6,
    )
  }
}

export function addPumpkin(m: Mesh, x: number, y: number, z: number, r: number): void {
  const c: Material = {
    color: [0.68, 0.24, 0.02],
    texture: (p) => {
      const k = 0.75 + 0.25 * Math.abs(Math.cos(Math.atan2(p[1] - y, p[0] - x) * 5))
      return [0.68 * k, 0.24 * k, 0.02 * k]
    },
  }
  addBall(m, c, [x, y, z + r * 0.78], [r, r, r * 0.8], 22)
  addTube(
    m,
    createMaterial(0.2, 0.2, 0.06),
    [
      [x, y, z + r * 1.5],
      [x + 0.02, y, z + r * 1.85],
    ],
    [0.022, 0.014],
    6,
  )
}

import { addBox, createMaterial, addQuad, type Mesh } from '../../kit/mesh.ts'
import { addBall, addLoft, addTube } from '../../kit/shapes.ts'
import { createBoards } from '../../kit/textures.ts'

const TEAK = createBoards([0.4, 0.25, 0.13], 0.1)
export function addTable(m: Mesh): void {
  addLoft(
    m,
    TEAK,
    [
      { c: [-2, 1, 0.7], x: [0.62, 0, 0], y: [0, 0.62, 0] },
      { c: [-2, 1, 0.74], x: [0.62, 0, 0], y: [0, 0.62, 0] },
    ],
    26,
  )
  addTube(
    m,
    TEAK,
    [
      [-2, 1, 0],
      [-2, 1, 0.7],
    ],
    [0.06, 0.05],
    8,
  )
}

export function addChairs(m: Mesh): void {
  for (const [x, y] of [
    [-1.1, 1.5],
    [-2.7, 0.2],
  ] as const) {
    addBox(m, TEAK, [x - 0.22, y - 0.22, 0.42], [x + 0.22, y + 0.22, 0.46])
    addBox(m, TEAK, [x - 0.22, y + 0.18, 0.46], [x + 0.22, y + 0.22, 0.9])
    for (const [a, b] of [
      [-0.2, -0.2],
      [0.17, -0.2],
      [-0.2, 0.18],
      [0.17, 0.18],
    ] as const)
      addBox(m, TEAK, [x + a, y + b, 0], [x + a + 0.04, y + b + 0.04, 0.42])
  }
}

export function addWashingLine(m: Mesh): void {
  addTube(
    m,
    createMaterial(0.55, 0.55, 0.55),
    [
      [0.9, 11.4, 0],
      [0.9, 11.4, 2],
    ],
    [0.035, 0.03],
    8,
  )
  addTube(
    m,
    createMaterial(0.55, 0.55, 0.55),
    [
      [4.9, 11.6, 0],
      [4.9, 11.6, 2],
    ],
    [0.035, 0.03],
    8,
  )
  addTube(
    m,
    createMaterial(0.8, 0.8, 0.8),
    [
      [0.9, 11.4, 1.95],
      [2.9, 11.5, 1.86],
      [4.9, 11.6, 1.95],
    ],
    [0.008, 0.008, 0.008],
    4,
  )
  const cloth = [
    createMaterial(0.75, 0.74, 0.7, { sway: 0.8 }),
    createMaterial(0.3, 0.45, 0.65, { sway: 0.8 }),
    createMaterial(0.7, 0.3, 0.28, { sway: 0.8 }),
    createMaterial(0.75, 0.65, 0.4, { sway: 0.8 }),
  ]
  cloth.forEach((c, i) =>
    addQuad(
      m,
      c,
      [1.25 + i * 0.9, 11.42 + i * 0.03, 1 + 0.1 * (i % 2)],
      [1.95 + i * 0.9, 11.46 + i * 0.03, 1.02 + 0.1 * (i % 2)],
      [1.95 + i * 0.9, 11.46 + i * 0.03, 1.89],
      [1.25 + i * 0.9, 11.42 + i * 0.03, 1.89],
      6,
      6,
    ),
  )
}

export function addLantern(m: Mesh): void {
  addBall(m, createMaterial(0.9, 0.8, 0.6, { nightGlow: 2 }), [6.1, 4.1, 0.5], [0.1, 0.1, 0.14], 10)
  addTube(
    m,
    createMaterial(0.06, 0.06, 0.06),
    [
      [6.1, 4.1, 0],
      [6.1, 4.1, 0.4],
    ],
    [0.02, 0.02],
    6,
  )
}

import { boxAt, ground, house, window } from '../../kit/building.ts'
import { chain, moved, rng, turnZ } from '../../kit/math.ts'
import { Mesh, box, paint } from '../../kit/mesh.ts'
import { crown, leaves } from '../../kit/nature.ts'
import { loft, tube } from '../../kit/shapes.ts'
import { boards, concrete, grass, shingles } from '../../kit/textures.ts'
import { chairs, lantern, table, washing } from './furniture.ts'
import { neighbors, plants } from './plants.ts'
import { FENCE } from './view.ts'

const WOOD = boards([0.36, 0.22, 0.12], 0.15),
  BED = boards([0.26, 0.17, 0.1], 0.2),
  SOIL = paint(0.07, 0.045, 0.03, { ir: 0.2 })

function yard(m: Mesh): void {
  ground(m, grass([0.11, 0.24, 0.045], [0.2, 0.29, 0.07]), -9, -1, 9.5, 12.6, 0, 0.6)
  ground(m, concrete([0.42, 0.36, 0.3], 0.6, 0.6), -7, -1, -0.6, 1.9, 0.02, 0.4)
  const stone = paint(0.4, 0.38, 0.35)
  for (let i = 0; i < 9; i++)
    loft(
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
      at = chain(moved([x0, y0, 0]), turnZ(Math.atan2(y1 - y0, x1 - x0)))
    for (let x = 0; x < L; x += 0.5)
      boxAt(m, WOOD, at, [x, -0.015, 0.03], [Math.min(L, x + 0.5), 0.015, FENCE - 0.06], 0.5)
    for (let x = 0; x <= L; x += 2.4) boxAt(m, WOOD, at, [x - 0.06, -0.08, 0], [x + 0.06, 0.05, FENCE + 0.1])
    boxAt(m, WOOD, at, [0, -0.06, FENCE - 0.06], [L, 0.06, FENCE])
  }
}

function beds(m: Mesh): void {
  const green = leaves([0.12, 0.28, 0.05], 0.5),
    salad = leaves([0.2, 0.34, 0.06], 0.4),
    r = rng(4)
  for (const y of [5.6, 8]) {
    box(m, BED, [5.6, y, 0], [8.4, y + 1.3, 0.4])
    box(m, SOIL, [5.68, y + 0.08, 0.3], [8.32, y + 1.22, 0.405])
    for (let i = 0; i < 7; i++)
      for (let j = 0; j < 3; j++)
        crown(
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
    tube(
      m,
      BED,
      [
        [5.9 + i * 0.7, 8.6, 0.3],
        [5.95 + i * 0.7, 8.65, 1.5],
      ],
      [0.014, 0.012],
      5,
    )
}

function shed(m: Mesh): void {
  const at = chain(moved([-5.8, 9.2, 0]), turnZ(0.12))
  house(m, at, 2.7, 2.4, 2, 2.75, boards([0.16, 0.25, 0.3], 0.18), shingles([0.16, 0.1, 0.08]), paint(0.65, 0.63, 0.58))
  boxAt(m, boards([0.5, 0.48, 0.43], 0.16), at, [-0.9, -0.05, 0.03], [0, 0, 1.8])
  window(m, at, 0.4, 0.95, 0.6, 0.6)
  const kennel = chain(moved([-2.6, 10.9, 0]), turnZ(-Math.PI / 2 - 0.3))
  house(
    m,
    kennel,
    1.1,
    0.9,
    0.62,
    1.0,
    boards([0.45, 0.1, 0.07], 0.12),
    shingles([0.1, 0.1, 0.11]),
    paint(0.7, 0.68, 0.64),
  )
  m.at = kennel
  loft(
    m,
    paint(0.012, 0.01, 0.01),
    [
      { c: [0.57, 0.45, 0.3], x: [0, 0.2, 0], y: [0, 0, 0.27], e: 3 },
      { c: [0.54, 0.45, 0.3], x: [0, 0.2, 0], y: [0, 0, 0.27], e: 3 },
    ],
    20,
  )
  m.at = null
  loft(
    m,
    paint(0.1, 0.25, 0.5),
    [
      { c: [-1.5, 9.7, 0], x: [0.17, 0, 0], y: [0, 0.17, 0] },
      { c: [-1.5, 9.7, 0.11], x: [0.14, 0, 0], y: [0, 0.14, 0] },
    ],
    16,
  )
}

export function build(): Mesh {
  const m = new Mesh()
  yard(m)
  beds(m)
  shed(m)
  table(m)
  chairs(m)
  washing(m)
  plants(m)
  neighbors(m)
  lantern(m)
  return m
}

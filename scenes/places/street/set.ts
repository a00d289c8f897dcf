import { addGround } from '../../kit/building.ts'
import { blueSedan, greenHatch } from '../../kit/car-styles.ts'
import { addParkedCar } from '../../kit/car.ts'
import { rng } from '../../kit/math.ts'
import { Mesh, addBox, createMaterial } from '../../kit/mesh.ts'
import { addBall, addTube } from '../../kit/shapes.ts'
import { addHouses } from './homes.ts'
import { CLEARED_PAVEMENT, ROAD, SNOW } from './snow.ts'
import { addBareTree } from './trees.ts'

function addSnowBank(m: Mesh, y: number, seed: number, gaps: [number, number][]): void {
  const r = rng(seed)
  for (let x = -26; x < 50; x += 0.62) {
    if (gaps.some(([a, b]) => x > a && x < b)) continue
    addBall(m, SNOW, [x, y + (r() - 0.5) * 0.25, -0.08], [1 + r() * 0.5, 0.42 + r() * 0.18, 0.2 + r() * 0.16], 12)
  }
}

function addRoad(m: Mesh): void {
  addGround(m, ROAD, -70, 0, 110, 7, -0.12, 2)
  for (const y of [-0.2, 7]) addBox(m, createMaterial(0.45, 0.45, 0.46), [-70, y, -0.14], [110, y + 0.2, 0.02], 8)
  addGround(m, SNOW, -70, -1.2, 110, -0.2, 0.01, 2)
  addGround(m, CLEARED_PAVEMENT, -70, -3.1, 110, -1.2, 0.015, 1)
  addGround(m, SNOW, -70, -14, 110, -3.1, 0.03, 2)
  addGround(m, SNOW, -70, 7.2, 110, 8.4, 0.01, 2)
  addGround(m, CLEARED_PAVEMENT, -70, 8.4, 110, 10.1, 0.015, 1)
  addGround(m, SNOW, -70, 10.1, 130, 110, 0.03, 3)
  addSnowBank(m, 7.6, 3, [
    [3, 6.2],
    [17, 20],
  ])
  addSnowBank(m, -0.75, 4, [[-2, 1]])
  for (const x of [4.6, 18.5]) addGround(m, CLEARED_PAVEMENT, x - 1.4, 7.2, x + 1.4, 15, 0.04, 1)
}

function addObjects(m: Mesh): void {
  for (const x of [-3, 11, 25]) {
    addTube(
      m,
      createMaterial(0.1, 0.11, 0.12),
      [
        [x, 7.9, 0],
        [x, 7.9, 4.4],
        [x, 7.7, 4.8],
        [x, 6.9, 4.85],
      ],
      [0.09, 0.06, 0.05, 0.05],
      8,
    )
    addBox(m, createMaterial(0.9, 0.88, 0.8, { nightGlow: 2.2 }), [x - 0.14, 6.5, 4.76], [x + 0.14, 7, 4.86])
    addBox(m, SNOW, [x - 0.15, 6.48, 4.86], [x + 0.15, 7.02, 4.93])
  }
  addBareTree(m, [-0.4, 11.6, 0], 6.4, 3)
  addBareTree(m, [8.8, 11.8, 0], 7, 8)
  addBareTree(m, [23.6, 11.6, 0], 6.6, 5)
  addBareTree(m, [4.4, -5.2, 0], 5.6, 12)
  addParkedCar(m, blueSedan, [14.6, 6.1, -0.12], Math.PI)
  addParkedCar(m, greenHatch, [22, 6.1, -0.12], Math.PI)
  for (const [x, l] of [
    [14.2, 2.2],
    [21.6, 2],
  ] as const) {
    addBall(m, SNOW, [x + 0.1, 6.1, 1.33], [l * 0.38, 0.62, 0.1], 16)
    addBall(m, SNOW, [x - 1.5, 6.1, 0.8], [0.5, 0.66, 0.09], 14)
  }
  addBall(m, SNOW, [1.7, 12.6, 0.42], [0.46, 0.46, 0.44], 18)
  addBall(m, SNOW, [1.7, 12.6, 1.02], [0.33, 0.33, 0.32], 16)
  addBall(m, SNOW, [1.7, 12.6, 1.46], [0.22, 0.22, 0.22], 14)
  addTube(
    m,
    createMaterial(0.75, 0.25, 0.03),
    [
      [1.7, 12.4, 1.46],
      [1.7, 12.1, 1.44],
    ],
    [0.035, 0.008],
    7,
  )
  addTube(
    m,
    createMaterial(0.6, 0.05, 0.05),
    [
      [1.48, 12.5, 1.26],
      [1.7, 12.34, 1.24],
      [1.92, 12.5, 1.26],
    ],
    [0.05, 0.05, 0.05],
    7,
  )
  addBox(m, createMaterial(0.5, 0.06, 0.05), [-1.2, -3.3, 0], [-0.85, -3, 1.05])
}

export function build(): Mesh {
  const m = new Mesh()
  addRoad(m)
  addHouses(m)
  addObjects(m)
  return m
}

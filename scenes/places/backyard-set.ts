import { LIT_GLASS, boxAt, ground, house, window } from '../kit/building.ts'
import { lookAt, type Camera } from '../kit/camera.ts'
import type { LightSetup } from '../kit/light.ts'
import { chain, moved, rng, stand, turnZ, unit, type V3 } from '../kit/math.ts'
import { Mesh, box, paint, quad } from '../kit/mesh.ts'
import { blades, bush, crown, hedge, leaves, tree } from '../kit/nature.ts'
import { ball, loft, tube } from '../kit/shapes.ts'
import { boards, concrete, grass, shingles, siding } from '../kit/textures.ts'

/** From the upper floor at the back of the house, across the lawn. */
export const camera: Camera = lookAt([-4.6, -0.8, 3.5], [0.1, 8.4, 0.5], 66, -0.01)
export const centre: V3 = [0, 9, 0]
export const radius = 24

/** Noon in April. */
export const day: LightSetup = {
  night: false,
  sun: { dir: unit([-0.48, 0.28, 0.83]), color: [2.5, 2.3, 1.95], soft: 0.04 },
  sky: { zenith: [0.3, 0.52, 0.95], horizon: [0.8, 0.9, 1], ground: [0.19, 0.21, 0.13], clouds: 0.75, seed: 21 },
  ambient: [0.03, 0.03, 0.035],
  exposure: 0.6,
  haze: { color: [0.72, 0.84, 0.98], far: 200 },
}

/** Infrared from the wall; lanterns by the patio. */
export const night: LightSetup = {
  night: true,
  sky: { zenith: [0.02, 0.02, 0.02], horizon: [0.03, 0.03, 0.03], ground: [0.008, 0.008, 0.008], clouds: 0 },
  ambient: [0.01, 0.01, 0.01],
  ir: { power: 1.9, reach: 6, spread: 2.2 },
  lamps: [{ at: [6.1, 4.1, 0.6], power: 0.7, reach: 0.8 }],
  exposure: 1.15,
}

export const FENCE = 1.82
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

function furniture(m: Mesh): void {
  const teak = boards([0.4, 0.25, 0.13], 0.1)
  loft(
    m,
    teak,
    [
      { c: [-2, 1, 0.7], x: [0.62, 0, 0], y: [0, 0.62, 0] },
      { c: [-2, 1, 0.74], x: [0.62, 0, 0], y: [0, 0.62, 0] },
    ],
    26,
  )
  tube(
    m,
    teak,
    [
      [-2, 1, 0],
      [-2, 1, 0.7],
    ],
    [0.06, 0.05],
    8,
  )
  for (const [x, y] of [
    [-1.1, 1.5],
    [-2.7, 0.2],
  ] as const) {
    box(m, teak, [x - 0.22, y - 0.22, 0.42], [x + 0.22, y + 0.22, 0.46])
    box(m, teak, [x - 0.22, y + 0.18, 0.46], [x + 0.22, y + 0.22, 0.9])
    for (const [a, b] of [
      [-0.2, -0.2],
      [0.17, -0.2],
      [-0.2, 0.18],
      [0.17, 0.18],
    ] as const)
      box(m, teak, [x + a, y + b, 0], [x + a + 0.04, y + b + 0.04, 0.42])
  }
  tube(
    m,
    paint(0.55, 0.55, 0.55),
    [
      [0.9, 11.4, 0],
      [0.9, 11.4, 2],
    ],
    [0.035, 0.03],
    8,
  )
  tube(
    m,
    paint(0.55, 0.55, 0.55),
    [
      [4.9, 11.6, 0],
      [4.9, 11.6, 2],
    ],
    [0.035, 0.03],
    8,
  )
  tube(
    m,
    paint(0.8, 0.8, 0.8),
    [
      [0.9, 11.4, 1.95],
      [2.9, 11.5, 1.86],
      [4.9, 11.6, 1.95],
    ],
    [0.008, 0.008, 0.008],
    4,
  )
  const cloth = [
    paint(0.75, 0.74, 0.7, { sway: 0.8 }),
    paint(0.3, 0.45, 0.65, { sway: 0.8 }),
    paint(0.7, 0.3, 0.28, { sway: 0.8 }),
    paint(0.75, 0.65, 0.4, { sway: 0.8 }),
  ]
  cloth.forEach((c, i) =>
    quad(
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

function plants(m: Mesh): void {
  const pink = leaves([0.75, 0.4, 0.47], 0.8),
    fresh = leaves([0.17, 0.32, 0.06], 0.8),
    deep = leaves([0.07, 0.17, 0.045], 0.4)
  tree(m, pink, [2.6, 9.6, 0], 4.7, 4.4, 51, { leaves: 7000, size: 0.085, blobs: 12, bark: [0.14, 0.08, 0.07] })
  for (let i = 0; i < 8; i++)
    bush(m, i % 3 ? deep : fresh, [-8.3 + (i % 2) * 0.3, 1 + i * 1.05, 0], 0.55 + 0.2 * (i % 3), i + 70, 500, 0.06)
  for (let i = 0; i < 7; i++) bush(m, i % 2 ? fresh : deep, [3.9 + i * 0.8, 12.05, 0], 0.42, i + 90, 380, 0.055)
  const petals = [paint(0.85, 0.65, 0.06), paint(0.8, 0.78, 0.7), paint(0.7, 0.12, 0.2)],
    r = rng(8)
  for (let i = 0; i < 130; i++) {
    const x = -8.1 + r() * 1.3,
      y = 0.8 + r() * 8
    ball(m, petals[i % 3]!, [x, y, 0.3 + r() * 0.35], [0.045, 0.045, 0.035], 6)
  }
  for (let i = 0; i < 500; i++) {
    const a = r() * 6.28,
      k = Math.sqrt(r()) * 2.6
    ball(m, pink[2]!, [2.6 + Math.cos(a) * k, 9.4 + Math.sin(a) * k, 0.015], [0.03, 0.03, 0.008], 5)
  }
  const g = [paint(0.11, 0.24, 0.05, { leaf: true, ir: 0.45 }), paint(0.16, 0.29, 0.07, { leaf: true, ir: 0.5 })]
  blades(m, g, 22000, 0.06, 9, (q) => [-8.8 + q() * 18, 2 + q() * 10.4, 0])
  for (let i = 0; i < 9; i++)
    tree(m, i % 2 ? fresh : deep, [-22 + i * 6.2, 19 + (i % 3) * 3, 0], 7 + (i % 3) * 1.4, 6.5, 60 + i, {
      leaves: 1700,
      size: 0.24,
      blobs: 8,
    })
  for (let i = 0; i < 5; i++)
    tree(m, i % 2 ? deep : fresh, [15 + (i % 2) * 3, 2 + i * 4.6, 0], 7.5 + (i % 2), 6, 160 + i, {
      leaves: 1700,
      size: 0.24,
      blobs: 8,
    })
  const b = stand([7, 26, 0], Math.PI / 2)
  house(m, b, 11, 8, 4.6, 7.6, siding([0.62, 0.57, 0.45]), shingles([0.25, 0.11, 0.08]))
  for (const x of [-3.6, 0.4, 3]) window(m, b, x, 2.9, 1.2, 1.2, { glass: x > 2 ? LIT_GLASS : undefined })
  ground(m, grass([0.11, 0.22, 0.05], [0.2, 0.26, 0.07]), -200, 12.7, 200, 120, -0.01, 5)
  hedge(m, deep, [-16, 14.4, 0], [12, 14.4, 0], 1.4, 2.9, 5200, 11, 0.2)
  hedge(m, deep, [11.2, 14.6, 0], [11.2, -4, 0], 1.3, 2.7, 4200, 12, 0.2)
  ball(m, paint(0.9, 0.8, 0.6, { nightGlow: 2 }), [6.1, 4.1, 0.5], [0.1, 0.1, 0.14], 10)
  tube(
    m,
    paint(0.06, 0.06, 0.06),
    [
      [6.1, 4.1, 0],
      [6.1, 4.1, 0.4],
    ],
    [0.02, 0.02],
    6,
  )
}

/** All still things of the place. */
export function build(): Mesh {
  const m = new Mesh()
  yard(m)
  beds(m)
  shed(m)
  furniture(m)
  plants(m)
  return m
}

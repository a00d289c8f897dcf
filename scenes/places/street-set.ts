import { LIT_GLASS, boxAt, door, ground, house, window } from '../kit/building.ts'
import { lookAt, type Camera } from '../kit/camera.ts'
import { blueSedan, greenHatch, parkedCar } from '../kit/car.ts'
import type { LightSetup } from '../kit/light.ts'
import { fbm, rng, stand, unit, type V3 } from '../kit/math.ts'
import { Mesh, box, paint, type Material } from '../kit/mesh.ts'
import { crown } from '../kit/nature.ts'
import { ball, tube } from '../kit/shapes.ts'
import { bark, brick, siding } from '../kit/textures.ts'

/** From an upper window, along a street in the snow. */
export const camera: Camera = lookAt([-9.5, -7.5, 5.4], [2.6, 6.4, 0.7], 58, 0.006)
export const centre: V3 = [4, 8, 0]
export const radius = 34

/** A cold, clear afternoon in January. */
export const day: LightSetup = {
  night: false,
  sun: { dir: unit([-0.75, -0.3, 0.37]), color: [2.1, 1.62, 1.12], soft: 0.03 },
  sky: { zenith: [0.32, 0.47, 0.78], horizon: [0.86, 0.84, 0.86], ground: [0.36, 0.38, 0.44], clouds: 0.3, seed: 33 },
  ambient: [0.03, 0.035, 0.045],
  exposure: 0.5,
  haze: { color: [0.86, 0.84, 0.9], far: 120 },
}

/** Street lamps; the infrared of the camera hardly reaches the road. */
export const night: LightSetup = {
  night: true,
  sky: { zenith: [0.018, 0.018, 0.018], horizon: [0.03, 0.03, 0.03], ground: [0.014, 0.014, 0.014], clouds: 0 },
  ambient: [0.012, 0.012, 0.012],
  ir: { power: 0.6, reach: 11, spread: 2 },
  lamps: [
    { at: [-3, 6.8, 4.6], power: 0.8, reach: 3.6 },
    { at: [11, 6.8, 4.6], power: 0.8, reach: 3.6 },
    { at: [25, 6.8, 4.6], power: 0.8, reach: 3.6 },
  ],
  exposure: 1.1,
}

const SNOW: Material = {
  color: [0.74, 0.77, 0.82],
  ir: 0.55,
  texture: (p) => {
    const k = 0.9 + 0.14 * fbm(p[0] * 0.7, p[1] * 0.7, 3)
    return [0.74 * k, 0.77 * k, 0.82 * k]
  },
}
const CLEARED: Material = {
  color: [0.42, 0.42, 0.43],
  texture: (p) => {
    const f = fbm(p[0] * 0.6, p[1] * 1.6, 3),
      k = f > 0.56 ? 1.45 : 0.95 + 0.1 * f
    return [0.42 * k, 0.42 * k, 0.44 * k]
  },
}
const ROAD: Material = {
  color: [0.16, 0.165, 0.18],
  texture: (p) => {
    const w = Math.abs(Math.sin(p[1] * 1.795 + 0.2)),
      s = fbm(p[0] * 0.35, p[1] * 2.4, 3),
      k = 0.8 + 0.3 * s,
      snow = Math.max(0, Math.min(1, (s + (1 - w) * 0.5 - 0.72) * 4))
    return [0.15 * k + snow * 0.45, 0.155 * k + snow * 0.47, 0.17 * k + snow * 0.5]
  },
}

function bank(m: Mesh, y: number, seed: number, gaps: [number, number][]): void {
  const r = rng(seed)
  for (let x = -26; x < 50; x += 0.62) {
    if (gaps.some(([a, b]) => x > a && x < b)) continue
    ball(m, SNOW, [x, y + (r() - 0.5) * 0.25, -0.08], [1 + r() * 0.5, 0.42 + r() * 0.18, 0.2 + r() * 0.16], 12)
  }
}

function road(m: Mesh): void {
  ground(m, ROAD, -70, 0, 110, 7, -0.12, 2)
  for (const y of [-0.2, 7]) box(m, paint(0.45, 0.45, 0.46), [-70, y, -0.14], [110, y + 0.2, 0.02], 8)
  ground(m, SNOW, -70, -1.2, 110, -0.2, 0.01, 2)
  ground(m, CLEARED, -70, -3.1, 110, -1.2, 0.015, 1)
  ground(m, SNOW, -70, -14, 110, -3.1, 0.03, 2)
  ground(m, SNOW, -70, 7.2, 110, 8.4, 0.01, 2)
  ground(m, CLEARED, -70, 8.4, 110, 10.1, 0.015, 1)
  ground(m, SNOW, -70, 10.1, 130, 110, 0.03, 3)
  bank(m, 7.6, 3, [
    [3, 6.2],
    [17, 20],
  ])
  bank(m, -0.75, 4, [[-2, 1]])
  for (const x of [4.6, 18.5]) ground(m, CLEARED, x - 1.4, 7.2, x + 1.4, 15, 0.04, 1)
}

function bare(m: Mesh, at: V3, h: number, seed: number): void {
  const r = rng(seed),
    b = bark([0.13, 0.1, 0.085])
  const grow = (p: V3, d: V3, len: number, w: number, n: number): void => {
    const q: V3 = [p[0] + d[0] * len, p[1] + d[1] * len, p[2] + d[2] * len]
    tube(
      m,
      b,
      [
        p,
        [(p[0] + q[0]) / 2 + (r() - 0.5) * len * 0.12, (p[1] + q[1]) / 2 + (r() - 0.5) * len * 0.12, (p[2] + q[2]) / 2],
        q,
      ],
      [w, w * 0.82, w * 0.62],
      n > 2 ? 8 : 5,
    )
    if (n === 0) {
      if (r() < 0.55) crown(m, TWIGS, q, [0.32, 0.32, 0.2], 7, 0.09, r)
      return
    }
    const k = n > 3 ? 4 : 3
    for (let i = 0; i < k; i++) {
      const a = i * (6.28 / k) + r() * 1.4,
        s = 0.5 + r() * 0.35
      grow(
        q,
        unit([d[0] * 0.6 + Math.cos(a) * s, d[1] * 0.6 + Math.sin(a) * s, d[2] * 0.75 + 0.16]),
        len * (0.62 + r() * 0.16),
        w * 0.58,
        n - 1,
      )
    }
  }
  grow(at, [0, 0, 1], h * 0.3, h * 0.028, 4)
  ball(m, SNOW, [at[0], at[1], 0.02], [0.5, 0.5, 0.16], 12)
}
const FROST = paint(0.62, 0.64, 0.68, { leaf: true, ir: 0.45 })
const TWIGS = [FROST, FROST, FROST, FROST]

function homes(m: Mesh): void {
  const walls = [
    siding([0.5, 0.2, 0.13]),
    siding([0.62, 0.6, 0.52]),
    brick([0.36, 0.15, 0.1], [0.5, 0.47, 0.44]),
    siding([0.22, 0.32, 0.36]),
    siding([0.6, 0.5, 0.3]),
  ]
  for (let i = 0; i < 6; i++) {
    const at = stand([-9.5 + i * 13.6, 15.4 + (i % 2) * 0.8, 0], Math.PI / 2),
      two = i % 2 === 0
    house(m, at, 9.4, 8, two ? 5.2 : 3.2, two ? 8.4 : 6.6, walls[i % 5]!, SNOW, paint(0.75, 0.76, 0.78))
    for (const x of [-3.6, -1, 3])
      for (const z of two ? [1, 3.6] : [1])
        window(m, at, x - 0.4, z, 1.2, 1.3, {
          glass: (i + x + z) % 2 < 1 ? LIT_GLASS : undefined,
          shutters: i % 3 === 1 ? paint(0.08, 0.13, 0.2) : undefined,
        })
    door(m, at, 0.9, 1, 2.1, paint(i % 2 ? 0.4 : 0.06, 0.07, i % 2 ? 0.05 : 0.2))
    boxAt(m, SNOW, at, [0.4, -1.3, 2.62], [2.4, 0, 2.8])
    boxAt(m, paint(0.7, 0.7, 0.7), at, [0.45, -1.25, 0], [0.55, -1.15, 2.62])
    boxAt(m, paint(0.7, 0.7, 0.7), at, [2.25, -1.25, 0], [2.35, -1.15, 2.62])
    boxAt(m, brick([0.36, 0.16, 0.11], [0.45, 0.42, 0.4]), at, [-2.9, 3.4, 5], [-2.2, 4.1, two ? 9.4 : 7.6])
    boxAt(m, SNOW, at, [-2.95, 3.35, two ? 9.4 : 7.6], [-2.15, 4.15, two ? 9.5 : 7.72])
  }
  for (let i = 0; i < 9; i++) {
    const x = -24 + i * 9
    ball(m, SNOW, [x, 34 + (i % 3) * 4, 2], [6, 4, 6 + (i % 3)], 14)
  }
}

function things(m: Mesh): void {
  for (const x of [-3, 11, 25]) {
    tube(
      m,
      paint(0.1, 0.11, 0.12),
      [
        [x, 7.9, 0],
        [x, 7.9, 4.4],
        [x, 7.7, 4.8],
        [x, 6.9, 4.85],
      ],
      [0.09, 0.06, 0.05, 0.05],
      8,
    )
    box(m, paint(0.9, 0.88, 0.8, { nightGlow: 2.2 }), [x - 0.14, 6.5, 4.76], [x + 0.14, 7, 4.86])
    box(m, SNOW, [x - 0.15, 6.48, 4.86], [x + 0.15, 7.02, 4.93])
  }
  bare(m, [-0.4, 11.6, 0], 6.4, 3)
  bare(m, [8.8, 11.8, 0], 7, 8)
  bare(m, [23.6, 11.6, 0], 6.6, 5)
  bare(m, [4.4, -5.2, 0], 5.6, 12)
  parkedCar(m, blueSedan, [14.6, 6.1, -0.12], Math.PI)
  parkedCar(m, greenHatch, [22, 6.1, -0.12], Math.PI)
  for (const [x, l] of [
    [14.2, 2.2],
    [21.6, 2],
  ] as const) {
    ball(m, SNOW, [x + 0.1, 6.1, 1.33], [l * 0.38, 0.62, 0.1], 16)
    ball(m, SNOW, [x - 1.5, 6.1, 0.8], [0.5, 0.66, 0.09], 14)
  }
  ball(m, SNOW, [1.7, 12.6, 0.42], [0.46, 0.46, 0.44], 18)
  ball(m, SNOW, [1.7, 12.6, 1.02], [0.33, 0.33, 0.32], 16)
  ball(m, SNOW, [1.7, 12.6, 1.46], [0.22, 0.22, 0.22], 14)
  tube(
    m,
    paint(0.75, 0.25, 0.03),
    [
      [1.7, 12.4, 1.46],
      [1.7, 12.1, 1.44],
    ],
    [0.035, 0.008],
    7,
  )
  tube(
    m,
    paint(0.6, 0.05, 0.05),
    [
      [1.48, 12.5, 1.26],
      [1.7, 12.34, 1.24],
      [1.92, 12.5, 1.26],
    ],
    [0.05, 0.05, 0.05],
    7,
  )
  box(m, paint(0.5, 0.06, 0.05), [-1.2, -3.3, 0], [-0.85, -3, 1.05])
}

/** All still things of the place. */
export function build(): Mesh {
  const m = new Mesh()
  road(m)
  homes(m)
  things(m)
  return m
}

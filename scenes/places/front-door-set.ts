import { LIT_GLASS, boxAt, door, ground, house, window } from '../kit/building.ts'
import { lookAt, type Camera } from '../kit/camera.ts'
import type { LightSetup } from '../kit/light.ts'
import { rng, smooth, stand, unit, type V3 } from '../kit/math.ts'
import { Mesh, box, paint, type Material } from '../kit/mesh.ts'
import { bush, hedge, leaves, tree } from '../kit/nature.ts'
import { ball, loft, tube } from '../kit/shapes.ts'
import { asphalt, boards, brick, concrete, grass, shingles, siding } from '../kit/textures.ts'

/** Beside the door at shoulder height, looking out over the porch. */
export const camera: Camera = lookAt([-0.2, 0, 1.72], [0.12, 4, 0.72], 92, 0.012)
export const centre: V3 = [0, 12, 0]
export const radius = 26
/** Ground level below the porch floor (floor = 0). */
export const LOW = -0.54

/** Height of the floor, steps and path. */
export const floor = (_x: number, y: number): number =>
  y < 2.5
    ? 0.005
    : LOW + 0.012 - (LOW + 0.012) * (1 - (smooth(2.45, 2.6, y) + smooth(2.75, 2.9, y) + smooth(3.05, 3.2, y)) / 3)

/** A golden afternoon in October. */
export const day: LightSetup = {
  night: false,
  sun: { dir: unit([-0.66, -0.36, 0.46]), color: [2.7, 2.05, 1.3], soft: 0.04 },
  sky: { zenith: [0.36, 0.5, 0.78], horizon: [0.95, 0.86, 0.72], ground: [0.24, 0.19, 0.13], clouds: 0.35, seed: 11 },
  ambient: [0.05, 0.045, 0.04],
  exposure: 0.66,
  haze: { color: [0.95, 0.82, 0.62], far: 170 },
}

/** Infrared of the doorbell and a lantern at the gate. */
export const night: LightSetup = {
  night: true,
  sky: { zenith: [0.015, 0.015, 0.015], horizon: [0.03, 0.03, 0.03], ground: [0.006, 0.006, 0.006], clouds: 0 },
  ambient: [0.01, 0.01, 0.01],
  ir: { power: 1.25, reach: 4.2, spread: 3.2 },
  lamps: [
    { at: [-1.35, 9.3, 0.95], power: 0.9, reach: 1.3 },
    { at: [1.75, 9.3, 0.95], power: 0.9, reach: 1.3 },
  ],
  exposure: 1.15,
}

const WHITE = paint(0.72, 0.7, 0.66),
  TERRA = paint(0.42, 0.17, 0.08),
  FALLEN = [paint(0.55, 0.2, 0.03), paint(0.62, 0.36, 0.05), paint(0.4, 0.1, 0.03)]

function porch(m: Mesh): void {
  const deck = boards([0.3, 0.24, 0.19], 0.145)
  const plank: Material = { ...deck, texture: (p) => deck.texture!([p[1], p[0], p[0]], [0, 1, 0]) }
  ground(m, plank, -3.4, 0.25, 3.4, 2.5, 0, 0.25)
  box(m, WHITE, [-3.4, 2.44, LOW], [3.4, 2.5, -0.005])
  for (let i = 0; i < 3; i++) box(m, plank, [-0.95, 2.5 + i * 0.3, LOW], [1.15, 2.8 + i * 0.3, -0.135 * (i + 1)], 0.4)
  for (const x of [-3.05, -1.2, 1.4, 3.05]) {
    box(m, WHITE, [x - 0.09, 2.25, 0], [x + 0.09, 2.43, 2.75])
    box(m, WHITE, [x - 0.13, 2.21, 0], [x + 0.13, 2.47, 0.16])
    box(m, WHITE, [x - 0.13, 2.21, 2.5], [x + 0.13, 2.47, 2.6])
  }
  for (const [a, b] of [
    [-3.05, -1.2],
    [1.4, 3.05],
  ] as const) {
    box(m, WHITE, [a, 2.29, 0.86], [b, 2.39, 0.92])
    box(m, WHITE, [a, 2.31, 0.14], [b, 2.37, 0.19])
    for (let x = a + 0.2; x < b - 0.1; x += 0.14) box(m, WHITE, [x - 0.018, 2.32, 0.19], [x + 0.018, 2.36, 0.86])
  }
  box(m, WHITE, [-3.6, 2.2, 2.62], [3.6, 2.5, 2.95])
  ground(m, paint(0.6, 0.62, 0.6), -3.6, 1.65, 3.6, 2.4, 2.75, 0.5)
  box(m, paint(0.09, 0.07, 0.05), [-0.5, 1.68, 0.0], [0.72, 2.32, 0.022])
  box(m, paint(0.28, 0.18, 0.09), [-0.45, 1.73, 0.012], [0.67, 2.27, 0.026])
  tube(
    m,
    paint(0.08, 0.08, 0.08),
    [
      [0.1, 2.2, 2.7],
      [0.1, 2.2, 2.52],
    ],
    [0.012, 0.012],
    6,
  )
  boxAt(
    m,
    paint(0.8, 0.65, 0.35, { nightGlow: 0.9 }),
    stand([0.1, 2.2, 2.36], 1.57),
    [-0.07, -0.07, -0.1],
    [0.07, 0.07, 0.12],
  )
}

function pot(m: Mesh, x: number, y: number, r: number, flower: Material, seed: number): void {
  loft(
    m,
    TERRA,
    [
      { c: [x, y, 0], x: [r * 0.68, 0, 0], y: [0, r * 0.68, 0] },
      { c: [x, y, r * 1.5], x: [r, 0, 0], y: [0, r, 0] },
      { c: [x, y, r * 1.75], x: [r * 1.08, 0, 0], y: [0, r * 1.08, 0] },
    ],
    18,
  )
  bush(m, leaves([0.07, 0.14, 0.04], 0.4), [x, y, r * 1.5], r * 1.25, seed, 420, 0.035)
  const q = rng(seed)
  for (let i = 0; i < 40; i++) {
    const a = q() * 6.28,
      k = Math.sqrt(q()) * r * 1.25
    ball(
      m,
      flower,
      [x + Math.cos(a) * k, y + Math.sin(a) * k, r * 2.75 - k * 0.35 + q() * 0.05],
      [0.028, 0.028, 0.02],
      6,
    )
  }
}

function pumpkin(m: Mesh, x: number, y: number, z: number, r: number): void {
  const c: Material = {
    color: [0.68, 0.24, 0.02],
    texture: (p) => {
      const k = 0.75 + 0.25 * Math.abs(Math.cos(Math.atan2(p[1] - y, p[0] - x) * 5))
      return [0.68 * k, 0.24 * k, 0.02 * k]
    },
  }
  ball(m, c, [x, y, z + r * 0.78], [r, r, r * 0.8], 22)
  tube(
    m,
    paint(0.2, 0.2, 0.06),
    [
      [x, y, z + r * 1.5],
      [x + 0.02, y, z + r * 1.85],
    ],
    [0.022, 0.014],
    6,
  )
}

function garden(m: Mesh): void {
  const lawn = grass([0.13, 0.18, 0.045], [0.27, 0.23, 0.08])
  ground(m, lawn, -40, 2.5, -0.75, 9.2, LOW)
  ground(m, lawn, 0.95, 2.5, 40, 9.2, LOW)
  ground(m, brick([0.34, 0.15, 0.1], [0.36, 0.32, 0.28]), -0.75, 3.3, 0.95, 9.4, LOW + 0.006, 0.5)
  const path: Material = {
    color: [0.36, 0.2, 0.14],
    texture: (p) => brick([0.36, 0.18, 0.12], [0.38, 0.34, 0.3]).texture!([p[0], 0, p[1] * 0.7], [0, 1, 0]),
  }
  ground(m, path, -0.75, 3.3, 0.95, 9.4, LOW + 0.012, 0.5)
  for (const [a, b] of [
    [-14, -1.2],
    [1.6, 14],
  ] as const) {
    for (let x = a; x < b; x += 0.17) {
      box(m, WHITE, [x, 9.28, LOW + 0.05], [x + 0.1, 9.31, LOW + 0.95])
    }
    for (const z of [0.25, 0.7]) box(m, WHITE, [a, 9.31, LOW + z], [b, 9.35, LOW + z + 0.07])
  }
  for (const x of [-1.35, 1.75]) {
    box(m, brick([0.4, 0.18, 0.12], [0.45, 0.4, 0.36]), [x - 0.2, 9.12, LOW], [x + 0.2, 9.5, 0.65])
    box(m, paint(0.5, 0.48, 0.45), [x - 0.25, 9.07, 0.65], [x + 0.25, 9.55, 0.72])
    ball(m, paint(0.9, 0.85, 0.7, { nightGlow: 2.4 }), [x, 9.31, 0.9], [0.14, 0.14, 0.16], 12)
  }
  hedge(m, leaves([0.07, 0.12, 0.035], 0.2), [-3.4, 2.9, LOW], [-1.5, 2.9, LOW], 0.7, 0.62, 3600, 5, 0.05)
  hedge(m, leaves([0.07, 0.12, 0.035], 0.2), [1.75, 2.9, LOW], [3.8, 2.9, LOW], 0.7, 0.62, 3600, 6, 0.05)
  const r = rng(77)
  for (let i = 0; i < 1700; i++) {
    const x = (r() - 0.5) * 22,
      y = 3 + r() * 10,
      s = 0.035 + 0.03 * r(),
      a = r() * 6.28,
      c = Math.cos(a) * s,
      d = Math.sin(a) * s,
      id = m.matId(FALLEN[i % 3]!),
      z = LOW + 0.02 + (y > 3.3 ? 0 : 0.4)
    const v = m.vertex(x - c, y - d, z, 0, 0, 1, id)
    m.vertex(x + d, y - c, z + s * 0.4, 0, 0, 1, id)
    m.vertex(x + c, y + d, z, 0, 0, 1, id)
    m.vertex(x - d, y + c, z + s * 0.3, 0, 0, 1, id)
    m.tri(v, v + 1, v + 2)
    m.tri(v, v + 2, v + 3)
  }
}

function streetAndHomes(m: Mesh): void {
  ground(m, concrete([0.42, 0.4, 0.37], 1.5, 1.5), -60, 9.4, 60, 11.6, LOW + 0.008)
  box(m, paint(0.48, 0.47, 0.44), [-60, 11.6, LOW - 0.15], [60, 11.78, LOW + 0.02], 6)
  ground(m, asphalt([0.12, 0.12, 0.122]), -60, 11.78, 60, 18.2, LOW - 0.12)
  box(m, paint(0.48, 0.47, 0.44), [-60, 18.2, LOW - 0.15], [60, 18.4, LOW + 0.02], 6)
  ground(m, concrete([0.42, 0.4, 0.37], 1.5, 1.5), -60, 18.4, 60, 90, LOW + 0.008, 2)
  const tones: [number, number, number][] = [
    [0.42, 0.16, 0.1],
    [0.5, 0.42, 0.33],
    [0.34, 0.13, 0.09],
    [0.44, 0.2, 0.14],
    [0.46, 0.4, 0.34],
    [0.38, 0.15, 0.1],
  ]
  tones.forEach((c, i) => {
    const a = stand([-23 + i * 9.2, 21.4, LOW], Math.PI / 2),
      wall = i % 3 === 1 ? siding(c) : brick(c, [0.5, 0.45, 0.4])
    house(m, a, 9, 9, 5.9 + (i % 2) * 0.5, 8.6, wall, shingles([0.14, 0.12, 0.12]))
    for (const x of [-3.3, 1.6])
      for (const z of [0.9, 3.7])
        window(m, a, x, z, 1.35, 1.6, { bars: [2, 2], glass: (i * 7 + x + z) % 3 < 0.8 ? LIT_GLASS : undefined })
    door(m, a, -0.9, 1.05, 2.3, paint(i % 2 ? 0.05 : 0.3, 0.1, i % 2 ? 0.2 : 0.05))
    boxAt(m, paint(0.5, 0.48, 0.45), a, [-1.3, -0.9, 0], [0.5, 0, 0.18])
  })
}

function trees(m: Mesh): void {
  const red = leaves([0.5, 0.1, 0.025], 1),
    gold = leaves([0.62, 0.34, 0.04], 1),
    rust = leaves([0.52, 0.2, 0.03], 0.8)
  tree(m, gold, [-5.2, 6.6, LOW], 6.4, 5, 21, { leaves: 5200, size: 0.13, blobs: 11 })
  tree(m, red, [5.4, 7.4, LOW], 5.6, 4.4, 22, { leaves: 5000, size: 0.12, blobs: 11 })
  for (const [i, x] of [-16, -7, 3.4, 11, 20].entries())
    tree(m, [rust, gold, red][i % 3]!, [x, 19.4, LOW], 6.5 + (i % 3), 4.4, 30 + i, { leaves: 2200, size: 0.17 })
}

/** All still things of the place. */
export function build(): Mesh {
  const m = new Mesh()
  porch(m)
  pot(m, -1.02, 1.95, 0.2, paint(0.6, 0.12, 0.35), 3)
  pot(m, 1.2, 1.98, 0.17, paint(0.8, 0.55, 0.1), 4)
  pumpkin(m, 1.62, 1.75, 0, 0.2)
  pumpkin(m, 1.95, 1.9, 0, 0.14)
  pumpkin(m, -1.42, 1.62, 0, 0.15)
  garden(m)
  streetAndHomes(m)
  trees(m)
  return m
}

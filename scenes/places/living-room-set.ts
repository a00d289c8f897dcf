import { boxAt, ground } from '../kit/building.ts'
import { lookAt, type Camera } from '../kit/camera.ts'
import type { LightSetup } from '../kit/light.ts'
import { chain, fbm, moved, rng, turnZ, unit, type V3 } from '../kit/math.ts'
import { Mesh, box, paint, quad, type Material } from '../kit/mesh.ts'
import { bush, crown, leaves, tree } from '../kit/nature.ts'
import { ball, loft, tube } from '../kit/shapes.ts'
import { boards, grass, planks } from '../kit/textures.ts'

/** On top of a bookcase in the corner. */
export const camera: Camera = lookAt([2.62, 0.28, 2.02], [-0.62, 3.5, 0.66], 73)
export const centre: V3 = [0, 2.5, 1.2]
export const radius = 4.8
/** Heights that a cat can jump to. */
export const SILL = 0.86,
  SEAT = 0.46

const PORTAL = { o: [-3, 1.5, 0.85] as V3, u: [0, 2.2, 0] as V3, v: [0, 0, 1.35] as V3, power: 1.5 }

/** Late morning light through a wide window. */
export const day: LightSetup = {
  night: false,
  sun: { dir: unit([-0.74, 0.24, 0.6]), color: [4.6, 3.9, 2.9], soft: 0.02 },
  sky: { zenith: [0.85, 0.95, 1.15], horizon: [1, 1.02, 1.05], ground: [0.5, 0.48, 0.4], clouds: 0 },
  ambient: [0.21, 0.195, 0.17],
  portals: [PORTAL],
  exposure: 1,
}

/** Infrared in a dark room, a little moon at the window. */
export const night: LightSetup = {
  night: true,
  sky: { zenith: [0.03, 0.03, 0.03], horizon: [0.04, 0.04, 0.04], ground: [0.01, 0.01, 0.01], clouds: 0 },
  ambient: [0.02, 0.02, 0.02],
  ir: { power: 1.05, reach: 4.2, spread: 3.4 },
  exposure: 1.1,
}

function room(m: Mesh): void {
  const wall = paint(0.56, 0.56, 0.5),
    trim = paint(0.74, 0.73, 0.7),
    paper: Material = {
      color: [0.2, 0.3, 0.29],
      texture: (p) => {
        const k = 0.92 + 0.14 * fbm(p[0] * 0.8, p[2] * 0.8, 2)
        return [0.2 * k, 0.3 * k, 0.29 * k]
      },
    }
  ground(m, planks([0.36, 0.22, 0.12]), -3, -0.5, 3.3, 5, 0, 0.25)
  quad(m, paper, [-3, 5, 0], [3.3, 5, 0], [3.3, 5, 2.6], [-3, 5, 2.6], 12, 8)
  quad(m, wall, [3.3, 5, 0], [3.3, -0.5, 0], [3.3, -0.5, 2.6], [3.3, 5, 2.6], 12, 8)
  quad(m, paint(0.8, 0.8, 0.78), [-3, 5, 2.6], [3.3, 5, 2.6], [3.3, -0.5, 2.6], [-3, -0.5, 2.6], 12, 12)
  const w = (y0: number, z0: number, y1: number, z1: number): void => box(m, wall, [-3.2, y0, z0], [-3, y1, z1], 0.4)
  w(-0.5, 0, 1.5, 2.6)
  w(3.7, 0, 5.2, 2.6)
  w(1.5, 0, 3.7, 0.85)
  w(1.5, 2.2, 3.7, 2.6)
  box(m, trim, [-3.02, 1.35, 0.78], [-2.66, 3.85, 0.85])
  for (const y of [1.42, 3.7]) box(m, trim, [-3.1, y - 0.04, 0.85], [-2.95, y + 0.08, 2.24])
  box(m, trim, [-3.1, 1.4, 2.2], [-2.95, 3.8, 2.28])
  box(m, trim, [-3.12, 2.58, 0.85], [-3.06, 2.64, 2.2])
  box(m, trim, [-3.12, 1.5, 1.72], [-3.06, 3.7, 1.76])
  box(m, trim, [-3, 4.97, 0], [3.3, 5, 0.1])
  box(m, trim, [-3, -0.5, 0], [-2.98, 5, 0.1])
  const cloth: Material = { color: [0.66, 0.58, 0.45], sway: 0.5, ir: 0.6 }
  for (const [a, b] of [
    [1.05, 1.6],
    [3.6, 4.2],
  ] as const) {
    const rings = [2.36, 1.8, 1.2, 0.6, 0.1].map((z, k) => ({
      c: [-2.86, (a + b) / 2, z] as V3,
      x: [0, (b - a) * (0.5 - 0.05 * (k === 2 ? 1 : 0)), 0] as V3,
      y: [0.05, 0, 0] as V3,
      e: 4,
    }))
    loft(m, cloth, rings, 30)
    for (let y = a + 0.04; y < b; y += 0.1)
      tube(
        m,
        cloth,
        [
          [-2.82, y, 2.34],
          [-2.81, y + 0.01, 1.2],
          [-2.82, y, 0.08],
        ],
        [0.035, 0.03, 0.04],
        7,
      )
  }
  tube(
    m,
    paint(0.1, 0.09, 0.08),
    [
      [-2.86, 0.9, 2.38],
      [-2.86, 4.35, 2.38],
    ],
    [0.016, 0.016],
    7,
  )
}

function sofa(m: Mesh): void {
  const c: Material = {
    color: [0.16, 0.2, 0.29],
    ir: 0.42,
    texture: (p) => {
      const k = 0.9 + 0.2 * fbm(p[0] * 22, (p[1] + p[2]) * 22, 2)
      return [0.16 * k, 0.2 * k, 0.29 * k]
    },
  }
  const pad = (x0: number, y0: number, z0: number, x1: number, y1: number, z1: number, mat: Material = c): void =>
    loft(
      m,
      mat,
      [0, 0.12, 0.5, 0.88, 1].map((u) => {
        const k = u === 0 || u === 1 ? 0.93 : 1
        return {
          c: [(x0 + x1) / 2, (y0 + y1) / 2, z0 + (z1 - z0) * u] as V3,
          x: [((x1 - x0) / 2) * k, 0, 0] as V3,
          y: [0, ((y1 - y0) / 2) * k, 0] as V3,
          e: 7,
        }
      }),
      28,
    )
  pad(-1.75, 4, 0.1, 0.85, 4.95, 0.3)
  pad(-1.5, 3.95, 0.28, -0.46, 4.75, SEAT)
  pad(-0.44, 3.95, 0.28, 0.6, 4.75, SEAT)
  pad(-1.5, 4.62, 0.4, -0.46, 4.93, 0.9)
  pad(-0.44, 4.62, 0.4, 0.6, 4.93, 0.9)
  pad(-1.78, 3.95, 0.1, -1.52, 4.95, 0.64)
  pad(0.62, 3.95, 0.1, 0.88, 4.95, 0.64)
  const cushion = (x: number, z: number, a: number, mat: Material): void => {
    m.at = chain(moved([x, 4.5, z]), turnZ(a))
    loft(
      m,
      mat,
      [-0.09, -0.05, 0, 0.05, 0.09].map((y) => ({
        c: [0, y, 0] as V3,
        x: [0.22 * (1 - Math.abs(y) * 2.4), 0, 0] as V3,
        y: [0, 0.06, 0.2 * (1 - Math.abs(y) * 2.4)] as V3,
        e: 3.4,
      })),
      24,
    )
    m.at = null
  }
  cushion(-1.28, 0.66, 0.25, paint(0.62, 0.38, 0.08))
  cushion(0.36, 0.66, -0.3, paint(0.6, 0.57, 0.5))
}

function furniture(m: Mesh): void {
  const oak = boards([0.4, 0.26, 0.14], 0.3),
    rug: Material = {
      color: [0.5, 0.44, 0.36],
      texture: (p) => {
        const r = Math.abs((((p[0] + 0.5) * 2.2) % 1) - 0.5) + Math.abs(((p[1] * 2.2) % 1) - 0.5),
          e = Math.max(Math.abs(p[0] + 0.5) / 1.5, Math.abs(p[1] - 2.75) / 1)
        return e > 0.92 ? [0.42, 0.2, 0.14] : r < 0.28 ? [0.42, 0.22, 0.16] : [0.52, 0.46, 0.38]
      },
    }
  box(m, rug, [-2, 1.75, 0], [1, 3.75, 0.015], 0.12)
  loft(
    m,
    oak,
    [
      { c: [-0.45, 2.95, 0.36], x: [0.62, 0, 0], y: [0, 0.34, 0], e: 3 },
      { c: [-0.45, 2.95, 0.41], x: [0.62, 0, 0], y: [0, 0.34, 0], e: 3 },
    ],
    30,
  )
  for (const [x, y] of [
    [-0.9, 2.75],
    [0, 2.75],
    [-0.9, 3.15],
    [0, 3.15],
  ] as const)
    tube(
      m,
      oak,
      [
        [x, y, 0.02],
        [x, y, 0.36],
      ],
      [0.018, 0.025],
      7,
    )
  box(m, paint(0.5, 0.1, 0.08), [-0.72, 2.85, 0.41], [-0.45, 3.05, 0.44])
  box(m, paint(0.75, 0.72, 0.65), [-0.7, 2.86, 0.44], [-0.47, 3.03, 0.465])
  const r = rng(12),
    spines = [
      paint(0.5, 0.1, 0.07),
      paint(0.08, 0.2, 0.34),
      paint(0.6, 0.45, 0.12),
      paint(0.12, 0.3, 0.2),
      paint(0.6, 0.58, 0.52),
      paint(0.3, 0.14, 0.22),
    ]
  box(m, oak, [1.35, 4.62, 0], [1.4, 4.98, 2.1])
  box(m, oak, [2.75, 4.62, 0], [2.8, 4.98, 2.1])
  box(m, paint(0.22, 0.14, 0.08), [1.4, 4.94, 0], [2.75, 4.98, 2.1])
  for (let k = 0; k < 6; k++) {
    const z = 0.08 + k * 0.4
    box(m, oak, [1.4, 4.62, z], [2.75, 4.96, z + 0.03])
    if (k === 5) continue
    for (let x = 1.43; x < 2.68;) {
      const w = 0.03 + r() * 0.035,
        h = 0.22 + r() * 0.1
      if (r() < 0.86) box(m, spines[Math.floor(r() * 6)]!, [x, 4.68, z + 0.03], [x + w - 0.004, 4.93, z + 0.03 + h])
      else x += 0.08
      x += w
    }
  }
  for (const [x, z, w, h, c] of [
    [-1.1, 1.5, 0.5, 0.66, [0.6, 0.32, 0.16]],
    [-0.42, 1.66, 0.36, 0.36, [0.2, 0.36, 0.44]],
    [0.1, 1.48, 0.42, 0.56, [0.66, 0.56, 0.24]],
  ] as [number, number, number, number, V3][]) {
    box(m, paint(0.1, 0.08, 0.06), [x, 4.955, z], [x + w, 4.995, z + h])
    box(m, paint(0.75, 0.73, 0.68), [x + 0.03, 4.95, z + 0.03], [x + w - 0.03, 4.99, z + h - 0.03])
    box(
      m,
      {
        color: c,
        texture: (p) => {
          const f = fbm(p[0] * 5, p[2] * 7, 3)
          return f > 0.52 ? c : [c[2], c[0] * 0.8, c[1]]
        },
      },
      [x + 0.08, 4.945, z + 0.08],
      [x + w - 0.08, 4.985, z + h - 0.08],
    )
  }
  tube(
    m,
    paint(0.08, 0.07, 0.06),
    [
      [-2.3, 4.6, 0],
      [-2.3, 4.6, 1.5],
    ],
    [0.02, 0.014],
    8,
  )
  loft(
    m,
    paint(0.7, 0.62, 0.48, { glow: 0.12 }),
    [
      { c: [-2.3, 4.6, 1.42], x: [0.24, 0, 0], y: [0, 0.24, 0] },
      { c: [-2.3, 4.6, 1.74], x: [0.15, 0, 0], y: [0, 0.15, 0] },
    ],
    24,
  )
  ball(m, paint(0.08, 0.07, 0.06), [-2.3, 4.6, 0.0], [0.15, 0.15, 0.03], 14)
}

function plants(m: Mesh): void {
  const pot = paint(0.62, 0.6, 0.56),
    g = leaves([0.09, 0.24, 0.07], 0.35),
    r = rng(6)
  loft(
    m,
    pot,
    [
      { c: [-2.55, 0.75, 0], x: [0.17, 0, 0], y: [0, 0.17, 0] },
      { c: [-2.55, 0.75, 0.4], x: [0.22, 0, 0], y: [0, 0.22, 0] },
    ],
    20,
  )
  for (let i = 0; i < 9; i++) {
    const a = i * 2.4,
      k = 0.25 + 0.1 * (i % 3),
      p: V3 = [-2.55 + Math.cos(a) * k, 0.75 + Math.sin(a) * k, 0.95 + 0.14 * (i % 4)]
    tube(
      m,
      paint(0.1, 0.2, 0.06),
      [[-2.55, 0.75, 0.4], [-2.55 + Math.cos(a) * k * 0.4, 0.75 + Math.sin(a) * k * 0.4, 0.85], p],
      [0.012, 0.01, 0.008],
      5,
    )
    crown(m, g, p, [0.16, 0.16, 0.1], 46, 0.12, r)
  }
  loft(
    m,
    paint(0.5, 0.25, 0.16),
    [
      { c: [-2.84, 3.5, SILL], x: [0.07, 0, 0], y: [0, 0.07, 0] },
      { c: [-2.84, 3.5, SILL + 0.13], x: [0.09, 0, 0], y: [0, 0.09, 0] },
    ],
    16,
  )
  bush(m, leaves([0.16, 0.32, 0.1], 0.3), [-2.84, 3.5, SILL + 0.1], 0.11, 3, 160, 0.04)
  quad(
    m,
    grass([0.2, 0.36, 0.1], [0.3, 0.38, 0.13]),
    [-40, -30, -0.6],
    [-3.3, -30, -0.6],
    [-3.3, 40, -0.6],
    [-40, 40, -0.6],
    10,
    10,
  )
  tree(m, leaves([0.25, 0.4, 0.1], 1), [-9, 6.5, -0.6], 6, 5, 4, { leaves: 2600, size: 0.17 })
  for (let i = 0; i < 10; i++)
    bush(m, leaves([0.14, 0.28, 0.08], 0.6), [-14, -4 + i * 2.3, -0.6], 1.7, i + 3, 500, 0.22)
  boxAt(m, paint(0.7, 0.66, 0.6), moved([-17, 3, -0.6]), [0, 0, 0], [3, 12, 4])
}

/** All still things of the place. */
export function build(): Mesh {
  const m = new Mesh()
  room(m)
  sofa(m)
  furniture(m)
  plants(m)
  return m
}

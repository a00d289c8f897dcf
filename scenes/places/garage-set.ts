import { LIT_GLASS, boxAt, ground, house, window } from '../kit/building.ts'
import { lookAt, type Camera } from '../kit/camera.ts'
import type { LightSetup } from '../kit/light.ts'
import { chain, fbm, moved, rng, smooth, stand, turnX, type V3 } from '../kit/math.ts'
import { Mesh, box, paint, quad, type Material } from '../kit/mesh.ts'
import { bush, leaves, tree } from '../kit/nature.ts'
import { ball, loft, tube } from '../kit/shapes.ts'
import { asphalt, boards, brick, concrete, grass, shingles, siding } from '../kit/textures.ts'

/** High in the back corner, towards the big door. */
export const camera: Camera = lookAt([2.8, 6.15, 2.42], [-0.75, 1.1, 0.62], 78, -0.008)
export const centre: V3 = [0, 2.4, 1.3]
export const radius = 5.2
/** Door opening: half width and height. */
export const DOOR = { half: 2.4, top: 2.2 }

const WINDOW = { o: [-3.1, 2.3, 1.25] as V3, u: [0, 1.5, 0] as V3, v: [0, 0, 0.8] as V3, power: 1.5 }
const BIG = { o: [DOOR.half, 0, 0] as V3, u: [-2 * DOOR.half, 0, 0] as V3, v: [0, 0, DOOR.top] as V3, power: 1.5 }
const outside = (_x: number, y: number): boolean => y < -0.25

/** A grey, wet day in September, a tube on the ceiling. */
export const day: LightSetup = {
  night: false,
  sky: { zenith: [0.75, 0.82, 0.92], horizon: [0.92, 0.95, 0.98], ground: [0.3, 0.3, 0.3], clouds: 0.9, seed: 5 },
  ambient: [0.06, 0.06, 0.062],
  portals: [WINDOW],
  outside,
  lamps: [{ at: [-0.4, 3.2, 2.55], power: 0.17, reach: 2.6 }],
  exposure: 0.9,
  haze: { color: [0.8, 0.84, 0.88], far: 170 },
}
/** The same with the big door up. */
export const openDay: LightSetup = { ...day, portals: [WINDOW, BIG] }

/** Infrared only. */
export const night: LightSetup = {
  night: true,
  sky: { zenith: [0.016, 0.016, 0.016], horizon: [0.024, 0.024, 0.024], ground: [0.006, 0.006, 0.006], clouds: 0 },
  ambient: [0.018, 0.018, 0.018],
  ir: { power: 1.1, reach: 4.4, spread: 3 },
  lamps: [{ at: [-6, -17, 5], power: 0.5, reach: 3 }],
  exposure: 1.1,
}

const WALL = paint(0.52, 0.52, 0.5),
  WOOD = boards([0.42, 0.3, 0.17], 0.4),
  STEEL = paint(0.35, 0.36, 0.38, { gloss: 0.2 }),
  RED = paint(0.5, 0.04, 0.03, { gloss: 0.2 }),
  BLACK = paint(0.03, 0.03, 0.032)

function shell(m: Mesh): void {
  const floor: Material = {
    color: [0.34, 0.34, 0.33],
    gloss: 0.06,
    texture: (p) => {
      const stain =
          smooth(0.7, 0.1, Math.hypot((p[0] - 0.2) / 1, (p[1] - 3) / 1.3)) * 0.35 * fbm(p[0] * 3, p[1] * 3, 3),
        k = 0.88 + 0.2 * fbm(p[0] * 1.2, p[1] * 1.2, 4) - stain
      return [0.34 * k, 0.34 * k, 0.33 * k]
    },
  }
  ground(m, floor, -3.1, 0, 3.4, 6.6, 0, 0.25)
  const wall = (lo: V3, hi: V3): void => box(m, WALL, lo, hi, 0.4)
  wall([-3.4, -0.2, 0], [-DOOR.half, 0, 2.7])
  wall([DOOR.half, -0.2, 0], [3.4, 0, 2.7])
  wall([-DOOR.half, -0.2, DOOR.top], [DOOR.half, 0, 2.7])
  wall([-3.3, 0, 0], [-3.1, 2.3, 2.7])
  wall([-3.3, 3.8, 0], [-3.1, 6.6, 2.7])
  wall([-3.3, 2.3, 0], [-3.1, 3.8, 1.25])
  wall([-3.3, 2.3, 2.05], [-3.1, 3.8, 2.7])
  quad(m, WALL, [3.4, 6.6, 0], [3.4, 0, 0], [3.4, 0, 2.7], [3.4, 6.6, 2.7], 12, 8)
  quad(m, paint(0.62, 0.62, 0.6), [-3.1, 6.6, 2.7], [3.4, 6.6, 2.7], [3.4, 0, 2.7], [-3.1, 0, 2.7], 12, 12)
  for (const [a, b, c, d] of [
    [2.26, 1.21, 2.3, 2.09],
    [3.8, 1.21, 3.84, 2.09],
    [2.26, 2.05, 3.84, 2.09],
    [2.26, 1.21, 3.84, 1.25],
    [3.03, 1.25, 3.07, 2.05],
  ] as const)
    box(m, paint(0.75, 0.75, 0.73), [-3.2, a, b], [-3.06, c, d])
  for (const x of [-2.5, 2.5]) {
    tube(
      m,
      STEEL,
      [
        [x, 0.08, 0],
        [x, 0.08, 2.1],
        [x, 0.35, 2.36],
        [x, 2.7, 2.4],
      ],
      [0.03, 0.03, 0.03, 0.03],
      6,
    )
  }
  box(m, STEEL, [-0.06, 0.2, 2.44], [0.06, 3.4, 2.5])
  box(m, paint(0.6, 0.6, 0.6), [-0.2, 3.2, 2.36], [0.2, 3.7, 2.6])
  for (const x of [-1.6, 1.4])
    box(m, paint(0.95, 0.95, 0.92, { glow: 1.3, nightGlow: 0 }), [x - 0.06, 2, 2.62], [x + 0.06, 3.5, 2.68])
}

function bench(m: Mesh): void {
  box(m, WOOD, [-3.1, 1.5, 0.86], [-2.45, 4.3, 0.93], 0.3)
  for (const y of [1.55, 2.9, 4.2]) for (const x of [-3.05, -2.55]) box(m, WOOD, [x, y, 0], [x + 0.08, y + 0.08, 0.86])
  box(m, WOOD, [-3.1, 1.55, 0.25], [-2.5, 4.25, 0.29])
  for (const [y, w, h, c] of [
    [1.7, 0.4, 0.3, [0.42, 0.28, 0.14]],
    [2.2, 0.5, 0.36, [0.12, 0.22, 0.35]],
    [3.2, 0.42, 0.28, [0.42, 0.28, 0.14]],
    [3.7, 0.4, 0.34, [0.25, 0.3, 0.2]],
  ] as [number, number, number, V3][])
    box(m, paint(c[0], c[1], c[2]), [-3, y, 0.29], [-2.6, y + w, 0.29 + h])
  box(m, RED, [-2.95, 1.6, 0.93], [-2.6, 2.1, 1.15])
  box(m, STEEL, [-2.8, 1.75, 1.15], [-2.76, 1.95, 1.2])
  loft(
    m,
    STEEL,
    [
      { c: [-2.58, 4, 0.93], x: [0.1, 0, 0], y: [0, 0.07, 0], e: 4 },
      { c: [-2.58, 4, 1.1], x: [0.08, 0, 0], y: [0, 0.05, 0], e: 4 },
    ],
    12,
  )
  for (const [y, c] of [
    [2.5, [0.6, 0.4, 0.05]],
    [2.68, [0.1, 0.3, 0.45]],
    [3.4, [0.5, 0.5, 0.48]],
  ] as [number, V3][])
    loft(
      m,
      paint(c[0], c[1], c[2]),
      [
        { c: [-2.92, y, 0.93], x: [0.07, 0, 0], y: [0, 0.07, 0] },
        { c: [-2.92, y, 1.1], x: [0.07, 0, 0], y: [0, 0.07, 0] },
      ],
      14,
    )
  box(m, paint(0.4, 0.3, 0.18), [-3.1, 0.55, 1.2], [-3.07, 2.1, 2.1])
  const r = rng(9)
  for (let i = 0; i < 7; i++) {
    const y = 0.68 + i * 0.2,
      l = 0.25 + r() * 0.2
    tube(
      m,
      i % 2 ? RED : WOOD,
      [
        [-3.05, y, 1.95],
        [-3.05, y, 1.95 - l],
      ],
      [0.016, 0.02],
      6,
    )
    box(m, STEEL, [-3.07, y - 0.05, 1.92], [-3.03, y + 0.05, 1.98])
  }
}

function clutter(m: Mesh): void {
  for (let i = 0; i < 3; i++) {
    const c: V3 = [-2.68, 0.62, 0.12 + i * 0.22]
    loft(
      m,
      BLACK,
      [-0.11, -0.08, 0.08, 0.11].map((z, k) => ({
        c: [c[0] + i * 0.02, c[1], c[2] + z] as V3,
        x: [k % 3 ? 0.33 : 0.29, 0, 0] as V3,
        y: [0, k % 3 ? 0.33 : 0.29, 0] as V3,
      })),
      24,
    )
  }
  box(m, STEEL, [-3.1, 4.7, 0], [-2.6, 4.74, 2.1])
  box(m, STEEL, [-3.1, 6.2, 0], [-2.6, 6.24, 2.1])
  for (const z of [0.2, 0.85, 1.5, 2.08]) box(m, STEEL, [-3.1, 4.7, z], [-2.6, 6.24, z + 0.03])
  const r = rng(3),
    cs = [
      paint(0.42, 0.28, 0.14),
      paint(0.14, 0.24, 0.4),
      paint(0.5, 0.5, 0.48),
      paint(0.36, 0.1, 0.08),
      paint(0.16, 0.3, 0.2),
    ]
  for (const z of [0.23, 0.88, 1.53])
    for (let y = 4.8; y < 6;) {
      const w = 0.26 + r() * 0.24
      box(m, cs[Math.floor(r() * 5)]!, [-3.04, y, z], [-2.64, Math.min(6.16, y + w - 0.04), z + 0.26 + r() * 0.26])
      y += w
    }
  for (const x of [-3.02, -2.99])
    for (const y of [0.25, 0.42])
      tube(
        m,
        paint(0.6, 0.5, 0.08),
        [
          [x, y, 0.05],
          [x, y, 2.3],
        ],
        [0.025, 0.025],
        6,
      )
  for (let z = 0.3; z < 2.3; z += 0.28)
    tube(
      m,
      paint(0.6, 0.5, 0.08),
      [
        [-3, 0.25, z],
        [-3, 0.42, z],
      ],
      [0.018, 0.018],
      5,
    )
  box(m, paint(0.62, 0.62, 0.6), [2.62, 0.15, 0], [3.2, 0.95, 1.5])
  box(m, STEEL, [2.6, 0.2, 0.75], [2.63, 0.24, 1.2])
  tube(
    m,
    WOOD,
    [
      [2.75, 0.12, 1.5],
      [2.7, 0.06, 2.2],
    ],
    [0.015, 0.015],
    5,
  )
  for (const [x, c] of [
    [-2.75, [0.1, 0.35, 0.12]],
    [2.58, [0.05, 0.2, 0.4]],
  ] as [number, V3][]) {
    tube(
      m,
      WOOD,
      [
        [x, 0.06, 0.5],
        [x, 0.06, 1.7],
      ],
      [0.015, 0.015],
      6,
    )
    box(m, paint(c[0], c[1], c[2]), [x - 0.1, 0.04, 0.25], [x + 0.1, 0.08, 0.52])
  }
}

function beyond(m: Mesh): void {
  ground(m, concrete([0.27, 0.27, 0.27], 2.4, 2.4), -2.9, -13, 2.9, 0, -0.02, 0.8)
  const lawn = grass([0.12, 0.2, 0.06], [0.2, 0.22, 0.09])
  ground(m, lawn, -60, -13, -2.9, -0.2, -0.03, 2)
  ground(m, lawn, 2.9, -13, 60, -0.2, -0.03, 2)
  ground(m, concrete([0.4, 0.4, 0.39], 1.5, 1.5), -60, -14.6, 60, -13, -0.02, 2)
  ground(m, asphalt([0.085, 0.088, 0.095]), -60, -21, 60, -14.6, -0.1, 2)
  ground(m, lawn, -90, -90, 90, -21, -0.03, 4)
  for (const [x, i] of [
    [-13, 0],
    [3, 1],
    [18, 2],
  ] as const) {
    const at = stand([x, -29, 0], -Math.PI / 2)
    house(
      m,
      at,
      11,
      8,
      3.1 + i * 0.9,
      6 + i,
      [siding([0.34, 0.42, 0.36]), brick([0.4, 0.2, 0.13], [0.5, 0.46, 0.42]), siding([0.58, 0.54, 0.46])][i]!,
      shingles([0.13, 0.13, 0.14]),
    )
    for (const k of [-3.6, -0.6, 3]) window(m, at, k, 1, 1.4, 1.2, { glass: k > 2 ? LIT_GLASS : undefined })
  }
  for (let i = 0; i < 7; i++)
    tree(
      m,
      leaves(i % 2 ? [0.09, 0.17, 0.05] : [0.14, 0.2, 0.05], 0),
      [-24 + i * 7.4, -25 - (i % 3) * 8, 0],
      8 + (i % 3),
      6,
      i + 4,
      { leaves: 1500, size: 0.26, blobs: 7 },
    )
  for (const x of [-3.8, 3.8])
    for (let i = 0; i < 4; i++) bush(m, leaves([0.07, 0.15, 0.05], 0), [x, -2 - i * 2.6, 0], 0.6, i + 9, 320, 0.09)
  boxAt(m, paint(0.2, 0.2, 0.2), moved([-6, -14.2, 0]), [-0.06, -0.06, 0], [0.06, 0.06, 5])
  ball(m, paint(0.9, 0.88, 0.8, { nightGlow: 2 }), [-6, -14.2, 5.05], [0.25, 0.25, 0.15], 10)
}

const PANEL = paint(0.56, 0.57, 0.56),
  GROOVE = paint(0.4, 0.41, 0.41)
/** The sectional door, `u` = 0 closed .. 1 open. */
export function bigDoor(m: Mesh, u: number): void {
  for (let k = 0; k < 4; k++) {
    const s = k * 0.55 + 0.275 + u * 2.3,
      bend = smooth(DOOR.top - 0.2, DOOR.top + 0.25, s),
      y = 0.06 + Math.max(0, s - DOOR.top) * 0.98,
      z = s < DOOR.top ? s : DOOR.top + 0.16
    m.at = chain(moved([0, y, Math.min(z, DOOR.top + 0.16)]), turnX(-bend * 1.53))
    box(m, PANEL, [-2.44, -0.02, -0.272], [2.44, 0.02, 0.272], 0.4)
    for (let i = 0; i < 6; i++) {
      const x = -2.2 + i * 0.8
      box(m, GROOVE, [x - 0.32, 0.02, -0.18], [x + 0.32, 0.024, 0.18])
      box(m, PANEL, [x - 0.29, 0.022, -0.15], [x + 0.29, 0.03, 0.15])
    }
    box(m, STEEL, [-2.44, 0.02, -0.274], [2.44, 0.032, -0.25])
  }
  m.at = null
}

/** All still things of the place. */
export function build(): Mesh {
  const m = new Mesh()
  shell(m)
  bench(m)
  clutter(m)
  beyond(m)
  return m
}

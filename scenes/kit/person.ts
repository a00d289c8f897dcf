import type { V3 } from './math.ts'
import { add, apply, chain, clamp, moved, mul, stand, turnX, turnY, turnZ, smooth, unit } from './math.ts'
import type { Mat } from './math.ts'
import type { Material, Mesh } from './mesh.ts'
import { paint } from './mesh.ts'
import { ball, bend, loft, tube } from './shapes.ts'

/** How somebody looks. */
export interface Look {
  height: number
  build: number
  skin: Material
  hair: Material
  style: 'short' | 'bob' | 'long' | 'bun' | 'cap' | 'helmet'
  top: Material
  sleeve: Material
  trousers: Material
  shoes: Material
  cap?: Material
  skirt?: boolean
  beard?: boolean
  stripe?: Material
  trim?: Material
  glasses?: boolean
}

/** Where somebody is and what the body does. Hands are local points (x right, y ahead, z up). */
export interface Pose {
  at: V3
  heading: number
  /** Metres walked so far: feet stay planted. */
  walked?: number
  /** 0 standing .. 1 full stride. */
  stride?: number
  lean?: number
  crouch?: number
  look?: number
  nod?: number
  hands?: [V3 | null, V3 | null] | undefined
  /** Feet given directly (cycling). */
  feet?: [V3, V3]
  seat?: number
  /** Seconds, for breathing. */
  t?: number
}

const EYE = paint(0.85, 0.84, 0.82),
  PUPIL = paint(0.03, 0.025, 0.02),
  LIP = paint(0.42, 0.16, 0.13),
  FRAME = paint(0.03, 0.03, 0.03)

/** Foot path of one leg: ahead/back and lift for a phase 0..1. */
function footAt(ph: number, stride: number): { y: number; z: number; tip: number } {
  const p = ph - Math.floor(ph),
    S = 0.72 * stride
  if (p < 0.6) return { y: S * (0.5 - p / 0.6), z: 0, tip: p > 0.45 ? ((p - 0.45) / 0.15) * 0.45 * stride : 0 }
  const q = (p - 0.6) / 0.4
  return {
    y: S * (-0.5 + smooth(0, 1, q)),
    z: 0.13 * stride * Math.sin(Math.PI * q),
    tip: 0.5 * stride * (1 - q * 1.6),
  }
}

function leg(m: Mesh, L: Look, s: number, hip: V3, foot: V3, tip: number): void {
  const k = L.build,
    ankle: V3 = [foot[0], foot[1] - 0.02 + Math.sin(tip) * -0.05, foot[2] + 0.085 + Math.max(0, tip) * 0.09]
  const { mid, end } = bend(hip, ankle, 0.45, 0.44, [s * 0.12, 1, 0])
  const wide = L.skirt ? 0.94 : 1
  tube(
    m,
    L.trousers,
    [
      add(hip, [0, 0, 0.03]),
      add(mul(hip, 0.55), mul(mid, 0.45)),
      mid,
      add(mul(mid, 0.5), mul(end, 0.5)),
      add(end, [0, 0, 0.015]),
    ],
    [0.084 * k * wide, 0.08 * k * wide, 0.062 * k, 0.056 * k, 0.047 * k],
    10,
  )
  const base = m.at!
  m.at = chain(base, moved(end), turnX(-tip * 0.9), turnZ(-s * 0.1))
  loft(
    m,
    L.shoes,
    [
      { c: [0, -0.075, -0.03], x: [0.03, 0, 0], y: [0, 0, 0.035] },
      { c: [0, -0.03, -0.03], x: [0.044, 0, 0], y: [0, 0, 0.055] },
      { c: [0, 0.07, -0.047], x: [0.05, 0, 0], y: [0, 0, 0.04] },
      { c: [0, 0.15, -0.055], x: [0.045, 0, 0], y: [0, 0, 0.03] },
      { c: [0, 0.185, -0.06], x: [0.025, 0, 0], y: [0, 0, 0.018] },
    ],
    10,
  )
  m.at = base
}

/** Side of the hand where the thumb is. */
const bendSide = (n: V3, s: number): V3 => unit([-s * (1 - Math.abs(n[0])), 0.5, Math.abs(n[0]) * 0.8])

function arm(m: Mesh, L: Look, s: number, shoulder: V3, hand: V3): void {
  const { mid, end } = bend(shoulder, hand, 0.29, 0.27, [s * 0.7, -0.8, -0.3]),
    k = L.build
  tube(
    m,
    L.top,
    [add(shoulder, [0, 0, 0.005]), add(mul(shoulder, 0.5), mul(mid, 0.5)), mid],
    [0.062 * k, 0.055 * k, 0.046 * k],
    9,
  )
  tube(m, L.sleeve, [mid, add(mul(mid, 0.45), mul(end, 0.55)), end], [0.046 * k, 0.042 * k, 0.034 * k], 9)
  const d = mul(add(end, mul(mid, -1)), 0.2)
  const n = unit(d),
    q = bendSide(n, s)
  tube(
    m,
    L.skin,
    [end, add(end, mul(n, 0.05)), add(end, mul(n, 0.1)), add(end, mul(n, 0.15))],
    [0.03, 0.038, 0.036, 0.02],
    9,
  )
  tube(m, L.skin, [add(end, mul(n, 0.035)), add(add(end, mul(n, 0.085)), mul(q, 0.045))], [0.016, 0.012], 6)
}

function hairOf(m: Mesh, L: Look): void {
  const h = L.hair
  if (L.style === 'cap' || L.style === 'helmet') {
    const c = L.cap ?? L.top,
      k = L.style === 'helmet' ? 1.16 : 1
    ball(m, h, [0, -0.012, 0.0], [0.08, 0.1, 0.1], 14, -0.55, 0.5)
    ball(m, c, [0, -0.005, 0.035], [0.088 * k, 0.108 * k, 0.098 * k], 16, 0, 1)
    if (L.style === 'cap')
      loft(
        m,
        c,
        [
          { c: [0, 0.07, 0.042], x: [0.075, 0, 0], y: [0, 0.015, 0.008] },
          { c: [0, 0.14, 0.034], x: [0.066, 0, 0], y: [0, 0.012, 0.008] },
          { c: [0, 0.18, 0.024], x: [0.035, 0, 0], y: [0, 0.008, 0.006] },
        ],
        12,
      )
    return
  }
  const at = m.at!
  m.at = chain(at, turnX(0.6))
  ball(m, h, [0, -0.008, 0.014], [0.09, 0.117, 0.127], 26, 0.02, 1)
  m.at = at
  ball(m, h, [0, -0.032, 0.004], [0.085, 0.086, 0.105], 16, -0.6, 0.9)
  if (L.style === 'bob') for (const s of [-1, 1]) ball(m, h, [s * 0.068, -0.012, -0.045], [0.032, 0.065, 0.1], 12)
  if (L.style === 'bob' || L.style === 'long') ball(m, h, [0, -0.06, -0.05], [0.085, 0.05, 0.11], 14)
  if (L.style === 'long') {
    tube(
      m,
      h,
      [
        [0, -0.075, 0],
        [0, -0.1, -0.16],
        [0, -0.1, -0.3],
      ],
      [0.085, 0.085, 0.045],
      12,
    )
    for (const s of [-1, 1])
      tube(
        m,
        h,
        [
          [s * 0.074, 0.01, 0.05],
          [s * 0.083, 0.005, -0.07],
          [s * 0.085, -0.01, -0.22],
        ],
        [0.02, 0.026, 0.018],
        8,
      )
  }
  if (L.style === 'bun') ball(m, h, [0, -0.1, 0.085], [0.055, 0.052, 0.052], 12)
}

function head(m: Mesh, L: Look): void {
  ball(m, L.skin, [0, 0, 0.012], [0.078, 0.096, 0.108], 18)
  ball(m, L.skin, [0, 0.028, -0.055], [0.058, 0.066, 0.058], 14)
  ball(m, L.skin, [0, 0.098, -0.012], [0.013, 0.019, 0.022], 8)
  for (const s of [-1, 1]) {
    ball(m, L.skin, [s * 0.079, -0.008, -0.006], [0.011, 0.022, 0.03], 8)
    ball(m, EYE, [s * 0.031, 0.086, 0.014], [0.014, 0.008, 0.0072], 8)
    ball(m, PUPIL, [s * 0.03, 0.093, 0.014], [0.0088, 0.004, 0.0072], 8)
    tube(
      m,
      L.hair,
      [
        [s * 0.015, 0.095, 0.037],
        [s * 0.034, 0.091, 0.041],
        [s * 0.049, 0.08, 0.035],
      ],
      [0.004, 0.005, 0.003],
      5,
    )
    if (L.glasses)
      tube(
        m,
        FRAME,
        [0, 1, 2, 3, 4, 5, 6, 7, 8].map(
          (i) =>
            [
              s * 0.033 + 0.024 * Math.cos(i * 0.785),
              0.102 - Math.abs(Math.cos(i * 0.785)) * 0.002,
              0.012 + 0.02 * Math.sin(i * 0.785),
            ] as V3,
        ),
        Array(9).fill(0.002),
        5,
      )
  }
  tube(
    m,
    LIP,
    [
      [-0.029, 0.078, -0.046],
      [-0.014, 0.09, -0.054],
      [0, 0.0935, -0.056],
      [0.014, 0.09, -0.054],
      [0.029, 0.078, -0.046],
    ],
    [0.0025, 0.005, 0.006, 0.005, 0.0025],
    6,
  )
  if (L.beard) {
    ball(m, L.hair, [0, 0.03, -0.068], [0.062, 0.067, 0.052], 14, -1, 0.25)
    ball(m, L.hair, [0, 0.09, -0.041], [0.026, 0.012, 0.007], 8)
  }
  hairOf(m, L)
}

function torso(m: Mesh, L: Look): void {
  const b = L.build,
    r = (z: number, x: number, y: number, f = 0): { c: V3; x: V3; y: V3; e: number } => ({
      c: [0, f, z],
      x: [x * b, 0, 0],
      y: [0, y * b, 0],
      e: 2.35,
    })
  const low = L.skirt ? [r(-0.28, 0.22, 0.215), r(-0.1, 0.195, 0.155)] : [r(-0.085, 0.188, 0.135)]
  loft(
    m,
    L.top,
    [
      ...low,
      r(0, 0.18, 0.13),
      r(0.12, 0.152, 0.108),
      r(0.26, 0.176, 0.122, 0.008),
      r(0.38, 0.196, 0.118, 0.004),
      r(0.44, 0.186, 0.105, -0.004),
      r(0.485, 0.13, 0.085, -0.008),
      r(0.52, 0.08, 0.07, -0.008),
      r(0.535, 0.062, 0.06, -0.004),
    ],
    18,
  )
  if (L.stripe) loft(m, L.stripe, [r(0.2, 0.168, 0.12, 0.006), r(0.255, 0.18, 0.127, 0.008)], 18, false)
  tube(
    m,
    L.top,
    [
      [0, -0.006, 0.5],
      [0, -0.002, 0.545],
    ],
    [0.066, 0.063],
    14,
  )
  if (L.trim)
    for (let i = 0; i < 6; i++)
      ball(
        m,
        L.trim,
        [0, (L.skirt ? 0.134 : 0.127) * b - Math.abs(i - 2) * 0.0035, 0.43 - i * 0.1],
        [0.013, 0.008, 0.013],
        8,
      )
  tube(
    m,
    L.skin,
    [
      [0, -0.01, 0.5],
      [0, 0.004, 0.6],
    ],
    [0.052, 0.048],
    10,
  )
}

/** Adds a person to the mesh; returns the transform of the body (for things held). */
export function person(m: Mesh, L: Look, P: Pose): Mat {
  const k = L.height / 1.76,
    st = P.stride ?? 0,
    ph = (P.walked ?? 0) / (1.2 * k),
    cr = P.crouch ?? 0
  const bob = st * 0.018 * Math.cos(ph * Math.PI * 4) + (P.t !== undefined ? 0.003 * Math.sin(P.t * 2.2) : 0)
  const hipZ = P.seat ?? 0.945 - st * 0.03 - cr * 0.42 + bob,
    twist = st * 0.12 * Math.sin(ph * Math.PI * 2)
  const root = chain(stand(P.at, P.heading), new Float64Array([k, 0, 0, 0, 0, k, 0, 0, 0, 0, k, 0]))
  m.at = root
  const sway = st * 0.012 * Math.sin(ph * Math.PI * 2)
  for (const s of [-1, 1]) {
    const f = footAt(ph + (s < 0 ? 0.5 : 0), st),
      given = P.feet?.[s < 0 ? 0 : 1]
    leg(
      m,
      L,
      s,
      [s * 0.085 * L.build + sway, -cr * 0.1, hipZ - 0.02],
      given ?? [s * 0.095, f.y + s * 0.05 * cr, f.z],
      given ? 0.1 : f.tip,
    )
  }
  const lean = (P.lean ?? 0) + st * 0.04 + cr * 0.55
  const body = chain(root, moved([sway, -cr * 0.12, hipZ]), turnX(-lean), turnZ(twist))
  m.at = body
  torso(m, L)
  for (const s of [-1, 1]) {
    const sh: V3 = [s * 0.168 * L.build, 0, 0.402],
      a = -st * 0.52 * Math.cos(ph * Math.PI * 2 + 0.3) * s,
      given = P.hands?.[s < 0 ? 0 : 1]
    let hand: V3 = [
      s * (0.245 + 0.015 * L.build),
      0.03 + Math.sin(a) * 0.46 + Math.max(0, a) * 0.06,
      0.402 - Math.cos(a) * 0.515 + Math.abs(a) * 0.06,
    ]
    if (given) {
      const inv = chain(turnZ(-twist), turnX(lean), moved([-sway, cr * 0.12, -hipZ]))
      hand = apply(inv, given)
    }
    arm(m, L, s, sh, hand)
  }
  m.at = chain(
    body,
    moved([0, 0.012, 0.655]),
    turnZ(clamp(P.look ?? 0, -1.3, 1.3) - twist),
    turnX(lean * 0.75 - (P.nod ?? 0)),
    turnY(0),
  )
  head(m, L)
  m.at = null
  return root
}

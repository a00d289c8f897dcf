import type { Mat, V3 } from './math.ts'
import { add, chain, moved, mul, stand, turnX, turnY, turnZ } from './math.ts'
import type { Material, Mesh } from './mesh.ts'
import { paint } from './mesh.ts'
import { ball, bend, loft, tube, type Ring } from './shapes.ts'

/** Where a four-legged animal is and what it does. */
export interface Gait {
  at: V3
  heading: number
  walked?: number
  /** 0 standing .. 1 trotting; 2 = bounding. */
  gait?: number
  look?: number
  nod?: number
  wag?: number
  mouth?: number
  /** 0 up .. 1 sitting; 0 .. 1 lying. */
  sit?: number
  lie?: number
  /** Whole-body tilt (jumping), radians. */
  pitch?: number
  t?: number
}

/** Measures and colours of a kind of animal. */
export interface Beast {
  size: number
  leg: number
  thick: number
  neck: number
  muzzle: number
  ears: 'floppy' | 'pointed'
  coat: Material
  belly: Material
  socks: Material
  face: Material
  nose: Material
  tail: { len: number; r: number; tip: Material; up: number }
  eye: Material
}

function beastLeg(m: Mesh, B: Beast, hip: V3, foot: V3, back: boolean): void {
  const { mid, end } = bend(hip, add(foot, [0, 0, 0.03]), B.leg * 0.54, B.leg * 0.56, back ? [0, 1, 0] : [0, -1, 0]),
    r = B.thick
  tube(m, B.coat, [hip, mul(add(hip, mid), 0.5), mid], [r * (back ? 0.5 : 0.4), r * 0.36, r * 0.24], 8)
  tube(m, B.socks, [mid, end], [r * 0.23, r * 0.17], 7)
  ball(m, B.socks, add(end, [0, 0.03, -0.008]), [r * 0.22, r * 0.34, r * 0.17], 8)
}

function beastHead(m: Mesh, B: Beast, P: Gait): void {
  const k = B.thick,
    z = B.muzzle
  ball(m, B.coat, [0, 0, 0], [k * 0.56, k * 0.62, k * 0.52], 14)
  loft(
    m,
    B.face,
    [
      { c: [0, k * 0.3, -k * 0.1], x: [k * 0.42, 0, 0], y: [0, 0, k * 0.34] },
      { c: [0, k * 0.55 + z * 0.35, -k * 0.16], x: [k * 0.26, 0, 0], y: [0, 0, k * 0.22] },
      { c: [0, k * 0.5 + z, -k * 0.16], x: [k * 0.19, 0, 0], y: [0, 0, k * 0.16] },
    ],
    12,
  )
  if (P.mouth) {
    const a = m.at!
    m.at = chain(a, moved([0, k * 0.4, -k * 0.28]), turnX(-P.mouth * 0.5))
    loft(
      m,
      B.face,
      [
        { c: [0, 0, 0], x: [k * 0.24, 0, 0], y: [0, 0, k * 0.1] },
        { c: [0, k * 0.1 + z * 0.85, 0], x: [k * 0.13, 0, 0], y: [0, 0, k * 0.06] },
      ],
      10,
    )
    ball(m, paint(0.6, 0.18, 0.2), [0, z * 0.7, k * 0.06], [k * 0.1, k * 0.24, k * 0.04], 8)
    m.at = a
  }
  ball(m, B.nose, [0, k * 0.52 + z, -k * 0.08], [k * 0.11, k * 0.09, k * 0.09], 8)
  for (const s of [-1, 1]) {
    ball(m, B.eye, [s * k * 0.27, k * 0.47, k * 0.13], [k * 0.085, k * 0.07, k * 0.085], 8)
    if (B.ears === 'pointed')
      loft(
        m,
        B.coat,
        [
          { c: [s * k * 0.32, -k * 0.05, k * 0.3], x: [k * 0.24, 0, 0], y: [0, k * 0.1, 0] },
          { c: [s * k * 0.4, -k * 0.02, k * 0.62], x: [k * 0.14, 0, 0], y: [0, k * 0.06, 0] },
          { c: [s * k * 0.43, 0, k * 0.88], x: [k * 0.02, 0, 0], y: [0, k * 0.02, 0] },
        ],
        8,
      )
    else
      loft(
        m,
        B.coat,
        [
          { c: [s * k * 0.48, -k * 0.12, k * 0.32], x: [k * 0.09, 0, 0], y: [0, k * 0.2, 0] },
          { c: [s * k * 0.62, -k * 0.06, -k * 0.08], x: [k * 0.07, 0, 0], y: [0, k * 0.26, 0] },
          { c: [s * k * 0.58, 0, -k * 0.5], x: [k * 0.05, 0, 0], y: [0, k * 0.14, 0] },
        ],
        8,
      )
  }
}

/** Adds a four-legged animal. */
export function beast(m: Mesh, B: Beast, P: Gait): Mat {
  const L = B.size,
    g = Math.min(P.gait ?? 0, 1),
    run = Math.max(0, (P.gait ?? 0) - 1),
    ph = ((P.walked ?? 0) / (L * (1.15 + run * 0.9))) * Math.PI * 2,
    sit = P.sit ?? 0,
    lie = P.lie ?? 0
  const h = B.leg * (0.97 - lie * 0.72),
    hop = run * 0.1 * Math.abs(Math.sin(ph / 2 + 0.6)),
    base = chain(stand(P.at, P.heading), moved([0, 0, hop]), turnX((P.pitch ?? 0) + run * 0.12 * Math.sin(ph)))
  m.at = base
  const rump = h - sit * B.leg * 0.62,
    breathe = 1 + 0.012 * Math.sin((P.t ?? 0) * 3),
    yb = -L * 0.42 + sit * L * 0.14,
    yf = L * 0.42 - sit * L * 0.1
  const ring = (y: number, z: number, rx: number, rz: number): Ring => ({
    c: [0, y, z],
    x: [rx * B.thick * breathe, 0, 0],
    y: [0, 0, rz * B.thick * breathe],
  })
  const zf = h + sit * B.leg * 0.06,
    mid = (rump + zf) / 2,
    up = B.thick * 0.25
  loft(
    m,
    B.coat,
    [
      ring(yb - L * 0.1, rump + up, 0.3, 0.3),
      ring(yb, rump + up, 0.66, 0.72),
      ring(yb + L * 0.22, mix(rump, mid, 0.5) + up, 0.66, 0.72),
      ring(0, mid + up, 0.68, 0.74),
      ring(yf - L * 0.2, mix(mid, zf, 0.6) + up, 0.74, 0.86),
      ring(yf, zf + up, 0.66, 0.8),
      ring(yf + L * 0.1, zf + up * 1.2, 0.38, 0.45),
    ],
    16,
  )
  ball(m, B.belly, [0, yf - L * 0.06, zf - B.thick * 0.18], [B.thick * 0.5, L * 0.2, B.thick * 0.5], 12)
  for (const [i, s, back] of [
    [0, -1, false],
    [1, 1, false],
    [2, 1, true],
    [3, -1, true],
  ] as const) {
    const off = run > 0 ? (back ? Math.PI * 0.9 : 0) + s * 0.35 : (s > 0 ? 0 : Math.PI) + (back ? Math.PI : 0),
      a = ph + off
    const y = back ? yb + 0.02 : yf - 0.02,
      x = s * B.thick * 0.42,
      reach = L * (0.24 + run * 0.16) * g
    const foot: V3 = [
      x,
      y + Math.cos(a) * reach + (back ? sit * L * 0.28 : 0) + (lie ? (back ? L * 0.16 : L * 0.22) * lie : 0),
      Math.max(0, -Math.sin(a)) * B.leg * (0.28 + run * 0.2) * g - hop,
    ]
    beastLeg(m, B, [x, y, (back ? rump : zf) + up * 0.6], foot, back)
    if (back && sit > 0.3)
      ball(m, B.coat, [x * 1.15, y + L * 0.06, rump * 0.75], [B.thick * 0.34, L * 0.2 * sit, B.thick * 0.5], 10)
    void i
  }
  tailOf(m, B, P, [0, yb - L * 0.08, rump + up * 1.6])
  const nod = P.nod ?? 0,
    n0: V3 = [0, yf + L * 0.02, zf + up * 1.4],
    n1: V3 = [0, yf + B.neck * (0.75 - 0.2 * nod), zf + up + B.neck * (0.72 + 0.5 * nod)]
  tube(m, B.coat, [n0, mul(add(n0, n1), 0.5), n1], [B.thick * 0.56, B.thick * 0.48, B.thick * 0.44], 12)
  m.at = chain(
    base,
    moved(add(n1, [0, B.thick * 0.12, B.thick * 0.12])),
    turnZ(P.look ?? 0),
    turnX(nod * 0.7 - run * 0.1),
  )
  beastHead(m, B, P)
  m.at = null
  return base
}

function tailOf(m: Mesh, B: Beast, P: Gait, at: V3): void {
  const T = B.tail,
    w = (P.wag ?? 0) * Math.sin((P.t ?? 0) * 14) * 0.6 + 0.12 * Math.sin((P.t ?? 0) * 1.7),
    pts: V3[] = [],
    rad: number[] = []
  for (let i = 0; i <= 5; i++) {
    const u = i / 5,
      a = T.up * (0.3 + u * 0.9) - (P.sit ?? 0) * 0.5
    pts.push([
      at[0] + Math.sin(w) * T.len * u * u,
      at[1] - Math.cos(a) * T.len * u * 0.9,
      Math.max(T.r, at[2] + Math.sin(a) * T.len * u),
    ])
    rad.push(T.r * (0.55 + 1.1 * Math.sin(Math.PI * (0.1 + u * 0.75))))
  }
  tube(m, B.coat, pts.slice(0, 5), rad.slice(0, 5), 9)
  tube(m, T.tip, pts.slice(4), rad.slice(4), 9)
}

const mix = (a: number, b: number, t: number): number => a + (b - a) * t
void turnY
const BLACK = paint(0.02, 0.018, 0.016, { ir: 0.06, gloss: 0.3 }),
  CREAM = paint(0.72, 0.6, 0.42, { ir: 0.85 }),
  SHINE = paint(0.05, 0.04, 0.03, { gloss: 0.4, nightGlow: 1.6 })
const GOLD = paint(0.52, 0.29, 0.1, { ir: 0.62 }),
  RUST = paint(0.5, 0.17, 0.04, { ir: 0.55 }),
  GREY = paint(0.2, 0.19, 0.18, { ir: 0.45 }),
  GINGER = paint(0.55, 0.27, 0.08, { ir: 0.62 })

export const GOLDEN: Beast = {
  size: 0.72,
  leg: 0.5,
  thick: 0.2,
  neck: 0.24,
  muzzle: 0.1,
  ears: 'floppy',
  coat: GOLD,
  belly: CREAM,
  socks: GOLD,
  face: paint(0.58, 0.36, 0.15, { ir: 0.7 }),
  nose: BLACK,
  eye: SHINE,
  tail: { len: 0.42, r: 0.045, tip: CREAM, up: 0.7 },
}
export const FOX: Beast = {
  size: 0.56,
  leg: 0.33,
  thick: 0.135,
  neck: 0.16,
  muzzle: 0.11,
  ears: 'pointed',
  coat: RUST,
  belly: CREAM,
  socks: BLACK,
  face: paint(0.6, 0.3, 0.12, { ir: 0.7 }),
  nose: BLACK,
  eye: SHINE,
  tail: { len: 0.46, r: 0.06, tip: CREAM, up: -0.25 },
}
export const TABBY: Beast = {
  size: 0.42,
  leg: 0.235,
  thick: 0.12,
  neck: 0.12,
  muzzle: 0.014,
  ears: 'pointed',
  coat: GINGER,
  belly: CREAM,
  socks: CREAM,
  face: paint(0.62, 0.42, 0.2, { ir: 0.7 }),
  nose: paint(0.5, 0.2, 0.18),
  eye: SHINE,
  tail: { len: 0.4, r: 0.026, tip: GINGER, up: 1 },
}
export const GREYCAT: Beast = {
  ...TABBY,
  coat: GREY,
  face: paint(0.28, 0.27, 0.26),
  socks: GREY,
  tail: { len: 0.34, r: 0.022, tip: GREY, up: 1 },
}

/** Fox at night. */
export const fox = (m: Mesh, P: Gait): Mat => beast(m, FOX, P)
/** Golden dog. */
export const dog = (m: Mesh, P: Gait): Mat => beast(m, GOLDEN, P)
/** Ginger cat. */
export const cat = (m: Mesh, P: Gait): Mat => beast(m, TABBY, P)

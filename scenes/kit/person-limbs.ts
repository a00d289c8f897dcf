import { add, chain, moved, mul, smooth, turnX, turnZ, unit, type V3 } from './math.ts'
import type { Mesh } from './mesh.ts'
import type { Look } from './person-types.ts'
import { bend, loft, tube } from './shapes.ts'

/** Returns the position of a foot at phase `ph` (0..1) of a step: `y` ahead or back, `z` lift, `tip` heel lift. */
export function footAt(ph: number, stride: number): { y: number; z: number; tip: number } {
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

/** Draws a leg with shoe; `s` = -1 left, 1 right; `tip` = heel lift in radians. */
export function leg(m: Mesh, L: Look, s: number, hip: V3, foot: V3, tip: number): void {
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

/** Returns the direction of the thumb's side of the hand. */
const bendSide = (n: V3, s: number): V3 => unit([-s * (1 - Math.abs(n[0])), 0.5, Math.abs(n[0]) * 0.8])

/** Draws an arm with hand; `s` = -1 left, 1 right. */
export function arm(m: Mesh, L: Look, s: number, shoulder: V3, hand: V3): void {
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

import { add, composeAll, translation, mul, smoothstep, rotationX, rotationZ, normalize, type Vec3 } from './math.ts'
import type { Mesh } from './mesh.ts'
import type { PersonLook } from './person-types.ts'
import { bendLimb, addLoft, addTube } from './shapes.ts'

/** Returns a foot's position at phase `ph` (0..1) of a step: `y` forward, `z` height, `tip` heel lift in radians. */
export function getFootPosition(ph: number, stride: number): { y: number; z: number; tip: number } {
  const p = ph - Math.floor(ph),
    S = 0.72 * stride
  if (p < 0.6) return { y: S * (0.5 - p / 0.6), z: 0, tip: p > 0.45 ? ((p - 0.45) / 0.15) * 0.45 * stride : 0 }
  const q = (p - 0.6) / 0.4
  return {
    y: S * (-0.5 + smoothstep(0, 1, q)),
    z: 0.13 * stride * Math.sin(Math.PI * q),
    tip: 0.5 * stride * (1 - q * 1.6),
  }
}

/** Adds a leg with shoe. `s`: -1 left, 1 right. `tip`: heel lift in radians. */
export function addLeg(m: Mesh, look: PersonLook, s: number, hip: Vec3, foot: Vec3, tip: number): void {
  const k = look.build,
    ankle: Vec3 = [foot[0], foot[1] - 0.02 + Math.sin(tip) * -0.05, foot[2] + 0.085 + Math.max(0, tip) * 0.09]
  const { mid, end } = bendLimb(hip, ankle, 0.45, 0.44, [s * 0.12, 1, 0])
  const wide = look.skirt ? 0.94 : 1
  addTube(
    m,
    look.trousers,
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
  const base = m.transform!
  m.transform = composeAll(base, translation(end), rotationX(-tip * 0.9), rotationZ(-s * 0.1))
  addLoft(
    m,
    look.shoes,
    [
      { c: [0, -0.075, -0.03], x: [0.03, 0, 0], y: [0, 0, 0.035] },
      { c: [0, -0.03, -0.03], x: [0.044, 0, 0], y: [0, 0, 0.055] },
      { c: [0, 0.07, -0.047], x: [0.05, 0, 0], y: [0, 0, 0.04] },
      { c: [0, 0.15, -0.055], x: [0.045, 0, 0], y: [0, 0, 0.03] },
      { c: [0, 0.185, -0.06], x: [0.025, 0, 0], y: [0, 0, 0.018] },
    ],
    10,
  )
  m.transform = base
}

/** Returns the direction in which the thumb points. `n`: direction of the forearm. `s`: -1 left, 1 right. */
const getThumbDirection = (n: Vec3, s: number): Vec3 =>
  normalize([-s * (1 - Math.abs(n[0])), 0.5, Math.abs(n[0]) * 0.8])

/** Adds an arm with hand. `s`: -1 left, 1 right. */
export function addArm(m: Mesh, look: PersonLook, s: number, shoulder: Vec3, hand: Vec3): void {
  const { mid, end } = bendLimb(shoulder, hand, 0.29, 0.27, [s * 0.7, -0.8, -0.3]),
    k = look.build
  addTube(
    m,
    look.top,
    [add(shoulder, [0, 0, 0.005]), add(mul(shoulder, 0.5), mul(mid, 0.5)), mid],
    [0.062 * k, 0.055 * k, 0.046 * k],
    9,
  )
  addTube(m, look.sleeve, [mid, add(mul(mid, 0.45), mul(end, 0.55)), end], [0.046 * k, 0.042 * k, 0.034 * k], 9)
  const d = mul(add(end, mul(mid, -1)), 0.2)
  const n = normalize(d),
    q = getThumbDirection(n, s)
  addTube(
    m,
    look.skin,
    [end, add(end, mul(n, 0.05)), add(end, mul(n, 0.1)), add(end, mul(n, 0.15))],
    [0.03, 0.038, 0.036, 0.02],
    9,
  )
  addTube(m, look.skin, [add(end, mul(n, 0.035)), add(add(end, mul(n, 0.085)), mul(q, 0.045))], [0.016, 0.012], 6)
}

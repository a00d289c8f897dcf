import { apply, chain, clamp, moved, stand, turnX, turnZ, type Mat, type V3 } from './math.ts'
import type { Mesh } from './mesh.ts'
import { head } from './person-head.ts'
import { arm, footAt, leg } from './person-limbs.ts'
import type { Look, Pose } from './person-types.ts'
import { ball, loft, tube } from './shapes.ts'

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

/** Adds a person to the mesh; returns the transform of the body (for held objects). */
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
      footPose = P.feet?.[s < 0 ? 0 : 1]
    leg(
      m,
      L,
      s,
      [s * 0.085 * L.build + sway, -cr * 0.1, hipZ - 0.02],
      footPose ?? [s * 0.095, f.y + s * 0.05 * cr, f.z],
      footPose ? 0.1 : f.tip,
    )
  }
  const lean = (P.lean ?? 0) + st * 0.04 + cr * 0.55
  const body = chain(root, moved([sway, -cr * 0.12, hipZ]), turnX(-lean), turnZ(twist))
  m.at = body
  torso(m, L)
  for (const s of [-1, 1]) {
    const sh: V3 = [s * 0.168 * L.build, 0, 0.402],
      a = -st * 0.52 * Math.cos(ph * Math.PI * 2 + 0.3) * s,
      handPose = P.hands?.[s < 0 ? 0 : 1]
    let hand: V3 = [
      s * (0.245 + 0.015 * L.build),
      0.03 + Math.sin(a) * 0.46 + Math.max(0, a) * 0.06,
      0.402 - Math.cos(a) * 0.515 + Math.abs(a) * 0.06,
    ]
    if (handPose) {
      const inv = chain(turnZ(-twist), turnX(lean), moved([-sway, cr * 0.12, -hipZ]))
      hand = apply(inv, handPose)
    }
    arm(m, L, s, sh, hand)
  }
  m.at = chain(
    body,
    moved([0, 0.012, 0.655]),
    turnZ(clamp(P.look ?? 0, -1.3, 1.3) - twist),
    turnX(lean * 0.75 - (P.nod ?? 0)),
  )
  head(m, L)
  m.at = null
  return root
}

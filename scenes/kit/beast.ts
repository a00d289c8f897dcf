import { beastHead, beastLeg, addTail } from './beast-parts.ts'
import type { Beast, Gait } from './beast-types.ts'
import { add, chain, mix, moved, mul, stand, turnX, turnZ, type Mat, type V3 } from './math.ts'
import type { Mesh } from './mesh.ts'
import { ball, loft, tube, type Ring } from './shapes.ts'

/**
 * Draws the body from rump to chest. `yb`, `yf`: its ends along y; `rump`, `zf`: heights of rump and shoulders;
 * `breathe`: breathing motion.
 */
function trunk(m: Mesh, B: Beast, P: { yb: number; yf: number; rump: number; zf: number; breathe: number }): void {
  const { yb, yf, rump, zf, breathe } = P,
    L = B.size
  const ring = (y: number, z: number, rx: number, rz: number): Ring => ({
    c: [0, y, z],
    x: [rx * B.thick * breathe, 0, 0],
    y: [0, 0, rz * B.thick * breathe],
  })
  const mid = (rump + zf) / 2,
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
}

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
  const zf = h + sit * B.leg * 0.06,
    up = B.thick * 0.25
  trunk(m, B, { yb, yf, rump, zf, breathe })
  for (const [s, back] of [
    [-1, false],
    [1, false],
    [1, true],
    [-1, true],
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
  }
  addTail(m, B, P, [0, yb - L * 0.08, rump + up * 1.6])
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

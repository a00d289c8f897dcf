import { getOutlineHeight, type CarStyle } from './car-styles.ts'
import { clamp, mix, type Vec3 } from './math.ts'
import { addBox, createMaterial, addQuad, type Material, type Mesh } from './mesh.ts'
import { addLoft, type Ring } from './shapes.ts'

const GLASS = createMaterial(0.02, 0.026, 0.03, { gloss: 0.75, ir: 0.05 })

/** Adds a curved windshield (`out` = 1) or rear window (-1). `u0`, `u1`: position along the car; `z0`, `z1`: height. */
function addPane(
  m: Mesh,
  half: (u: number, z: number) => number,
  y: (u: number) => number,
  u0: number,
  z0: number,
  u1: number,
  z1: number,
  out: number,
): void {
  const h0 = half(u0, z0) * 0.93,
    h1 = half(u1, z1) * 0.88,
    d = out * 0.02
  for (let i = 0; i < 6; i++) {
    const f = -1 + i / 3,
      g = -1 + (i + 1) / 3,
      c = (v: number): number => out * 0.05 * (1 - v * v)
    addQuad(
      m,
      GLASS,
      [h0 * f, y(u0) + d + c(f), z0],
      [h0 * g, y(u0) + d + c(g), z0],
      [h1 * g, y(u1) + d + c(g), z1 + 0.012],
      [h1 * f, y(u1) + d + c(f), z1 + 0.012],
    )
  }
}

/** Adds the roof, the pillars and all windows. */
export function addCabin(
  m: Mesh,
  s: CarStyle,
  roof: readonly (readonly [number, number])[],
  belt: number,
  y: (u: number) => number,
  bodyHalfWidth: (u: number) => number,
): void {
  const a = roof[0]![0],
    b = roof[roof.length - 1]![0],
    top = roof[2]![1],
    rings: Ring[] = [],
    N = 26
  const half = (u: number, z: number): number =>
    (bodyHalfWidth(u) - 0.035) * (1 - 0.2 * clamp((z - belt) / (1.45 - 0.9)) * (s.kind === 'van' ? 0.5 : 1))
  for (let i = 0; i <= N; i++) {
    const u = mix(a, b, i / N),
      z = Math.max(belt - 0.04, getOutlineHeight(roof, u))
    rings.push({ c: [0, y(u), z - 0.06], x: [half(u, z), 0, 0], y: [0, 0, 0.06], e: 3 })
  }
  addLoft(m, s.color, rings, 20)
  for (const k of [-1, 1]) {
    const addSidePane = (u0: number, u1: number, mat: Material, inset: number): void => {
      for (let i = 0; i < 10; i++) {
        const ua = mix(u0, u1, i / 10),
          ub = mix(u0, u1, (i + 1) / 10),
          za = getOutlineHeight(roof, ua) - 0.07,
          zb = getOutlineHeight(roof, ub) - 0.07
        const p = (u: number, z: number): Vec3 => [k * (half(u, z) + inset), y(u), z]
        const q: [Vec3, Vec3, Vec3, Vec3] = [
          p(ua, belt - 0.06),
          p(ub, belt - 0.06),
          p(ub, Math.max(belt - 0.05, zb)),
          p(ua, Math.max(belt - 0.05, za)),
        ]
        if (k > 0) addQuad(m, mat, ...q)
        else addQuad(m, mat, q[1], q[0], q[3], q[2])
      }
    }
    addSidePane(a, b, s.color, -0.01)
    const mid = mix(a, b, 0.46)
    if (s.kind !== 'van') addSidePane(a + 0.05, mid - 0.012, GLASS, 0.006)
    addSidePane(s.kind === 'van' ? b - 0.26 : mid + 0.012, b - 0.045, GLASS, 0.006)
  }
  const f = roof[roof.length - 2]!,
    e = roof[1]!
  addPane(m, half, y, b - 0.004, belt, mix(f[0], b, 0.1), mix(f[1], belt, 0.1) - 0.02, 1)
  if (s.kind !== 'van') addPane(m, half, y, a + 0.012, belt, mix(e[0], a, 0.12), mix(e[1], belt, 0.12), -1)
  addBox(m, s.color, [-0.3, y(0.4), top - 0.02], [0.3, y(0.41), top - 0.01])
}

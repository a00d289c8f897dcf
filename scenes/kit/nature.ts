import type { Material, Mesh } from './mesh.ts'
import type { Vec3 } from './math.ts'
import { add, mul, rng, normalize, fbm } from './math.ts'
import { addTube } from './shapes.ts'
import { createBark } from './textures.ts'

/** Returns four leaf materials of one color, from dark to bright. */
export function createLeafMaterials(base: Vec3, sway = 1): Material[] {
  return [0.6, 0.8, 1, 1.2].map((k, i) => ({
    color: [base[0] * k * (1 + 0.08 * i), base[1] * k, base[2] * k * (1 - 0.08 * i)] as Vec3,
    leaf: true,
    ir: 0.42 + 0.1 * i,
    sway,
  }))
}

/** Adds one leaf: a kite-shaped quad with a random tilt. Its normal follows the surface of the crown (`n`). */
function addLeaf(m: Mesh, id: number, p: Vec3, n: Vec3, size: number, r: () => number): void {
  const a = normalize([r() - 0.5, r() - 0.5, r() - 0.5]),
    b = normalize([r() - 0.5, r() - 0.5, r() - 0.5])
  const w = normalize(add(n, mul(a, 0.7)))
  const x = mul(a, size),
    y = mul(b, size * 0.6),
    v = m.vertexCount
  m.addVertex(p[0] - x[0], p[1] - x[1], p[2] - x[2], w[0], w[1], w[2], id)
  m.addVertex(p[0] + y[0], p[1] + y[1], p[2] + y[2], w[0], w[1], w[2], id)
  m.addVertex(p[0] + x[0], p[1] + x[1], p[2] + x[2], w[0], w[1], w[2], id)
  m.addVertex(p[0] - y[0], p[1] - y[1], p[2] - y[2], w[0], w[1], w[2], id)
  m.addTriangle(v, v + 1, v + 2)
  m.addTriangle(v, v + 2, v + 3)
}

/** Adds a cloud of leaves in an ellipsoid, denser near its surface. */
export function addCrown(
  m: Mesh,
  mats: Material[],
  c: Vec3,
  rad: Vec3,
  count: number,
  size: number,
  r: () => number,
): void {
  for (let i = 0; i < count; i++) {
    const d = normalize([r() * 2 - 1, r() * 2 - 1, r() * 2 - 1]),
      k = 0.55 + 0.5 * Math.sqrt(r())
    const p: Vec3 = [c[0] + d[0] * rad[0] * k, c[1] + d[1] * rad[1] * k, c[2] + d[2] * rad[2] * k]
    const shade = Math.min(3, Math.max(0, Math.floor(1.6 + d[2] * 1.2 + (r() - 0.5) * 2)))
    addLeaf(m, m.getMaterialId(mats[shade]!), p, d, size * (0.7 + 0.6 * r()), r)
  }
}

/** Adds a broad tree: trunk, branches and `blobs` clouds of leaves. */
export function addTree(
  m: Mesh,
  mats: Material[],
  at: Vec3,
  height: number,
  width: number,
  seed: number,
  o: { blobs?: number; leaves?: number; size?: number; bark?: Vec3 } = {},
): void {
  const r = rng(seed),
    b = createBark(o.bark ?? [0.16, 0.11, 0.075]),
    h0 = height * 0.36,
    R = width / 2
  const top: Vec3 = [at[0] + (r() - 0.5) * 0.4, at[1], at[2] + height * 0.72]
  addTube(
    m,
    b,
    [at, [at[0] + (r() - 0.5) * 0.2, at[1], at[2] + h0], top],
    [height * 0.035, height * 0.026, height * 0.01],
    8,
  )
  const blobs = o.blobs ?? 9
  for (let i = 0; i < blobs; i++) {
    const a = i * 2.4 + r(),
      k = i === 0 ? 0 : 0.35 + 0.4 * r(),
      z = i === 0 ? 0.82 : 0.48 + 0.3 * r()
    const c: Vec3 = [at[0] + Math.cos(a) * R * k, at[1] + Math.sin(a) * R * k, at[2] + height * z]
    addTube(
      m,
      b,
      [[at[0], at[1], at[2] + h0 * (0.8 + 0.3 * r())], mul(add(c, [at[0], at[1], at[2] + h0]), 0.5), c],
      [height * 0.014, height * 0.01, height * 0.005],
      5,
    )
    const s = R * (0.46 + 0.2 * r())
    addCrown(m, mats, c, [s, s, s * 0.82], Math.round((o.leaves ?? 3600) / blobs), o.size ?? 0.16, r)
  }
}

export function addHedge(
  m: Mesh,
  mats: Material[],
  a: Vec3,
  b: Vec3,
  width: number,
  height: number,
  count: number,
  seed: number,
  size = 0.07,
): void {
  const r = rng(seed),
    d = normalize([b[0] - a[0], b[1] - a[1], 0]),
    L = Math.hypot(b[0] - a[0], b[1] - a[1]),
    s: Vec3 = [-d[1], d[0], 0]
  for (let i = 0; i < count; i++) {
    const u = r() * L,
      ang = r() * Math.PI,
      cx = Math.cos(ang),
      cz = Math.sin(ang)
    const bump = 0.85 + 0.3 * fbm(u * 1.3 + seed, ang, 2),
      e = (v: number): number => Math.sign(v) * Math.abs(v) ** 0.5
    const w = e(cx) * width * 0.5 * bump,
      z = e(cz) * height * bump * (0.75 + 0.25 * r())
    const p: Vec3 = [
      a[0] + d[0] * u + s[0] * w,
      a[1] + d[1] * u + s[1] * w,
      a[2] + Math.max(0.03, z * (r() < 0.25 ? r() : 1)),
    ]
    const n = normalize([s[0] * cx, s[1] * cx, cz + 0.1])
    addLeaf(m, m.getMaterialId(mats[Math.min(3, Math.floor(r() * 2 + cz * 2))]!), p, n, size * (0.7 + 0.6 * r()), r)
  }
}

export function addBush(
  m: Mesh,
  mats: Material[],
  at: Vec3,
  rad: number,
  seed: number,
  count = 700,
  size = 0.06,
): void {
  const r = rng(seed)
  for (let i = 0; i < 5; i++) {
    const a = i * 1.9 + r(),
      k = i ? 0.5 : 0,
      s = rad * (0.55 + 0.2 * r())
    addCrown(
      m,
      mats,
      [at[0] + Math.cos(a) * rad * k, at[1] + Math.sin(a) * rad * k, at[2] + s * 0.75],
      [s, s, s * 0.8],
      count / 5,
      size,
      r,
    )
  }
}

/** Scatters grass blades. `pickPoint` returns the ground point of a blade; null skips the blade. */
export function addGrassBlades(
  m: Mesh,
  mats: Material[],
  count: number,
  height: number,
  seed: number,
  pickPoint: (r: () => number) => Vec3 | null,
): void {
  const r = rng(seed)
  for (let i = 0; i < count; i++) {
    const p = pickPoint(r)
    if (!p) continue
    const a = r() * 6.28,
      h = height * (0.5 + r()),
      w = h * 0.13,
      c = Math.cos(a),
      s = Math.sin(a),
      lean = h * 0.5 * (r() - 0.2),
      id = m.getMaterialId(mats[Math.floor(r() * mats.length)]!)
    const v = m.addVertex(p[0] - c * w, p[1] - s * w, p[2], 0, 0, 1, id)
    m.addVertex(p[0] + c * w, p[1] + s * w, p[2], 0, 0, 1, id)
    m.addVertex(p[0] + s * lean, p[1] - c * lean, p[2] + h, 0, 0, 1, id)
    m.addTriangle(v, v + 1, v + 2)
  }
}

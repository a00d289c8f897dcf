import type { Material, Mesh } from './mesh.ts'
import type { Vec3 } from './math.ts'
import { add, cross, dot, vectorLength, mul, sub, normalize } from './math.ts'

/** Closed cross-section of a lofted body: center `c`, half axes `x` and `y`. `e`: 2 = ellipse, larger = boxier. */
export interface Ring {
  c: Vec3
  x: Vec3
  y: Vec3
  e?: number
}

/** Adds a surface through a row of rings. `n`: vertices per ring. `capped`: closes both ends. */
export function addLoft(m: Mesh, mat: Material, rings: Ring[], n = 12, capped = true): void {
  const id = m.getMaterialId(mat),
    v0 = m.vertexCount,
    t0 = m.triangleCount
  for (const r of rings) {
    const k = 2 / (r.e ?? 2)
    for (let i = 0; i < n; i++) {
      const a = (i / n) * Math.PI * 2,
        ca = Math.cos(a),
        sa = Math.sin(a)
      const u = Math.sign(ca) * Math.abs(ca) ** k,
        v = Math.sign(sa) * Math.abs(sa) ** k
      m.addVertex(
        r.c[0] + r.x[0] * u + r.y[0] * v,
        r.c[1] + r.x[1] * u + r.y[1] * v,
        r.c[2] + r.x[2] * u + r.y[2] * v,
        0,
        0,
        1,
        id,
      )
    }
  }
  const last = rings.length - 1
  const f = sub(rings[last]!.c, rings[0]!.c)
  const flip = dot(cross(rings[0]!.x, rings[0]!.y), f) < 0
  const t3 = (a: number, b: number, c: number): void => (flip ? m.addTriangle(a, c, b) : m.addTriangle(a, b, c))
  for (let j = 0; j < last; j++) {
    for (let i = 0; i < n; i++) {
      const a = v0 + j * n + i,
        b = v0 + j * n + ((i + 1) % n)
      t3(a, b, b + n)
      t3(a, b + n, a + n)
    }
  }
  if (capped) {
    for (const [j, s] of [
      [0, 1],
      [last, 0],
    ] as const) {
      const c = rings[j]!.c,
        k = m.addVertex(c[0], c[1], c[2], 0, 0, 1, id),
        b = v0 + j * n
      for (let i = 0; i < n; i++) {
        const p = b + i,
          q = b + ((i + 1) % n)
        if (s) t3(k, q, p)
        else t3(k, p, q)
      }
    }
  }
  m.recomputeNormals(v0, t0)
}

/** Adds a round tube through points with a radius at each; ends are rounded. */
export function addTube(m: Mesh, mat: Material, pts: Vec3[], radii: number[], n = 10): void {
  const rings: Ring[] = []
  const dir = (i: number): Vec3 => normalize(sub(pts[Math.min(i + 1, pts.length - 1)]!, pts[Math.max(i - 1, 0)]!))
  const first = dir(0)
  let side = Math.abs(first[2]) > 0.9 ? ([1, 0, 0] as Vec3) : normalize(cross(first, [0, 0, 1]))
  const put = (p: Vec3, d: Vec3, r: number): void => {
    side = normalize(sub(side, mul(d, dot(side, d))))
    rings.push({ c: p, x: mul(side, r), y: mul(cross(d, side), r) })
  }
  const last = pts.length - 1
  put(sub(pts[0]!, mul(first, radii[0]! * 0.75)), first, radii[0]! * 0.5)
  for (let i = 0; i <= last; i++) put(pts[i]!, dir(i), radii[i]!)
  put(add(pts[last]!, mul(dir(last), radii[last]! * 0.75)), dir(last), radii[last]! * 0.5)
  addLoft(m, mat, rings, n)
}

/** Adds an ellipsoid. `from`, `to`: lowest and highest part that is drawn (-1 bottom .. 1 top). */
export function addBall(m: Mesh, mat: Material, c: Vec3, r: Vec3, n = 12, from = -1, to = 1): void {
  const id = m.getMaterialId(mat),
    rows = Math.max(4, Math.round(n * 0.6)),
    v0 = m.vertexCount
  const a0 = Math.asin(from),
    a1 = Math.asin(to)
  for (let j = 0; j <= rows; j++) {
    const a = a0 + ((a1 - a0) * j) / rows,
      cz = Math.sin(a),
      cr = Math.cos(a)
    for (let i = 0; i < n; i++) {
      const b = (i / n) * Math.PI * 2,
        x = cr * Math.cos(b),
        y = cr * Math.sin(b)
      const nn = normalize([x / r[0], y / r[1], cz / r[2]])
      m.addVertex(c[0] + x * r[0], c[1] + y * r[1], c[2] + cz * r[2], nn[0], nn[1], nn[2], id)
    }
  }
  for (let j = 0; j < rows; j++) {
    for (let i = 0; i < n; i++) {
      const p = v0 + j * n + i,
        q = v0 + j * n + ((i + 1) % n)
      m.addTriangle(p, q, q + n)
      m.addTriangle(p, q + n, p + n)
    }
  }
}

export function addDisc(m: Mesh, mat: Material, c: Vec3, n: Vec3, r: number, k = 20): void {
  const x = Math.abs(n[2]) > 0.9 ? ([1, 0, 0] as Vec3) : normalize(cross(n, [0, 0, 1])),
    y = cross(n, x),
    id = m.getMaterialId(mat)
  const o = m.addVertex(c[0], c[1], c[2], n[0], n[1], n[2], id)
  for (let i = 0; i < k; i++) {
    const a = (i / k) * Math.PI * 2,
      p = add(c, add(mul(x, Math.cos(a) * r), mul(y, Math.sin(a) * r)))
    m.addVertex(p[0], p[1], p[2], n[0], n[1], n[2], id)
  }
  for (let i = 0; i < k; i++) m.addTriangle(o, o + 1 + i, o + 1 + ((i + 1) % k))
}

/** Returns the middle joint of a two-bone limb from `a` to `b`, bent toward `pole`, and the end that it can reach. */
export function bendLimb(a: Vec3, b: Vec3, l1: number, l2: number, pole: Vec3): { mid: Vec3; end: Vec3 } {
  const d0 = sub(b, a),
    d = Math.min(vectorLength(d0), (l1 + l2) * 0.999),
    u = normalize(d0)
  const x = (d * d + l1 * l1 - l2 * l2) / (2 * d),
    h = Math.sqrt(Math.max(0, l1 * l1 - x * x))
  const side = normalize(sub(pole, mul(u, dot(pole, u))))
  return { mid: add(add(a, mul(u, x)), mul(side, h)), end: add(a, mul(u, d)) }
}

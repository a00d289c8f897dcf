import type { Mesh } from './mesh.ts'
import type { Vec3 } from './math.ts'
import { cross, dot, normalize } from './math.ts'

/** Depth map of a distant light: largest distance toward the light at each texel. */
export interface ShadowMap {
  n: number
  k: number
  ox: number
  oy: number
  x: Vec3
  y: Vec3
  d: Vec3
  map: Float32Array
}

/** Returns an empty map of n x n texels around a center, for a light in direction `d`. */
export function createShadowMap(n: number, d: Vec3, center: Vec3, radius: number): ShadowMap {
  const x = normalize(cross(Math.abs(d[2]) > 0.95 ? [0, 1, 0] : [0, 0, 1], d)),
    y = cross(d, x)
  const k = n / (2 * radius)
  return {
    n,
    k,
    x,
    y,
    d,
    ox: n / 2 - dot(center, x) * k,
    oy: n / 2 - dot(center, y) * k,
    map: new Float32Array(n * n).fill(-1e9),
  }
}

let projectedVertices = new Float32Array(0)

export function drawIntoShadowMap(s: ShadowMap, m: Mesh, t0 = 0, t1 = m.triangleCount): void {
  if (projectedVertices.length < m.vertexCount * 3) projectedVertices = new Float32Array(m.vertexCount * 3)
  const q = projectedVertices,
    p = m.positions,
    { x: X, y: Y, d: D, n, map } = s
  for (let i = 0; i < m.vertexCount * 3; i += 3) {
    const a = p[i]!,
      b = p[i + 1]!,
      c = p[i + 2]!
    q[i] = (a * X[0] + b * X[1] + c * X[2]) * s.k + s.ox
    q[i + 1] = (a * Y[0] + b * Y[1] + c * Y[2]) * s.k + s.oy
    q[i + 2] = a * D[0] + b * D[1] + c * D[2]
  }
  for (let t = t0; t < t1; t++) {
    const a = m.indices[t * 3]! * 3,
      b = m.indices[t * 3 + 1]! * 3,
      c = m.indices[t * 3 + 2]! * 3
    const x0 = q[a]!,
      y0 = q[a + 1]!,
      x1 = q[b]!,
      y1 = q[b + 1]!,
      x2 = q[c]!,
      y2 = q[c + 1]!
    const lx = Math.max(0, Math.floor(Math.min(x0, x1, x2))),
      hx = Math.min(n - 1, Math.ceil(Math.max(x0, x1, x2)))
    const ly = Math.max(0, Math.floor(Math.min(y0, y1, y2))),
      hy = Math.min(n - 1, Math.ceil(Math.max(y0, y1, y2)))
    const area = (x1 - x0) * (y2 - y0) - (x2 - x0) * (y1 - y0)
    if (lx > hx || ly > hy || Math.abs(area) < 1e-9) continue
    const k = 1 / area,
      z0 = q[a + 2]!,
      e1 = q[b + 2]! - z0,
      e2 = q[c + 2]! - z0
    const dx1 = (y2 - y0) * k,
      dx2 = -(y1 - y0) * k
    for (let y = ly; y <= hy; y++) {
      const py = y + 0.5 - y0,
        px = lx + 0.5 - x0
      let u = px * dx1 - py * (x2 - x0) * k,
        v = px * dx2 + py * (x1 - x0) * k
      for (let x = lx, o = y * n + lx; x <= hx; x++, o++, u += dx1, v += dx2) {
        if (u < 0 || v < 0 || u + v > 1) continue
        const z = z0 + u * e1 + v * e2
        if (z > map[o]!) map[o] = z
      }
    }
  }
}

/** Returns the fraction of light (0..1) that reaches a point, averaged over 2x2 texels; 1 outside of the map. */
export function getLitFraction(s: ShadowMap, x: number, y: number, z: number, bias: number): number {
  const fx = (x * s.x[0] + y * s.x[1] + z * s.x[2]) * s.k + s.ox - 0.5
  const fy = (x * s.y[0] + y * s.y[1] + z * s.y[2]) * s.k + s.oy - 0.5
  const xi = Math.floor(fx),
    yi = Math.floor(fy)
  if (xi < 0 || yi < 0 || xi >= s.n - 1 || yi >= s.n - 1) return 1
  const d = x * s.d[0] + y * s.d[1] + z * s.d[2] + bias,
    o = yi * s.n + xi,
    M = s.map,
    u = fx - xi,
    v = fy - yi
  const a = M[o]! > d ? 0 : 1,
    b = M[o + 1]! > d ? 0 : 1,
    c = M[o + s.n]! > d ? 0 : 1,
    e = M[o + s.n + 1]! > d ? 0 : 1
  return (a * (1 - u) + b * u) * (1 - v) + (c * (1 - u) + e * u) * v
}

import type { Mesh } from './mesh.ts'
import type { Camera } from './camera.ts'
import { FRAME_WIDTH } from './camera.ts'

/**
 * Depth-tested render target. Each pixel has z = 1/depth (0 = empty), three interpolated values, and the first vertex
 * of its triangle.
 */
export interface RenderTarget {
  w: number
  h: number
  scale: number
  z: Float32Array
  id: Int32Array
  a: Float32Array
  b: Float32Array
  c: Float32Array
}

/** Returns an empty target of `w` x `h` pixels. `scale`: its size relative to the frame. */
export function createTarget(w: number, h: number, scale: number): RenderTarget {
  const n = w * h
  return {
    w,
    h,
    scale,
    z: new Float32Array(n),
    id: new Int32Array(n).fill(-1),
    a: new Float32Array(n),
    b: new Float32Array(n),
    c: new Float32Array(n),
  }
}

/**
 * Projects all vertices: writes x, y (pixels of the target) and 1/depth of each vertex to `out`. If the depth is less
 * than 5 cm, writes -1 instead of 1/depth.
 */
export function projectVertices(m: Mesh, cam: Camera, scale: number, out: Float32Array): void {
  const p = m.positions,
    { eye: e, right: r, up: u, fwd: f } = cam,
    cx = FRAME_WIDTH / 2
  for (let i = 0, o = 0; i < m.vertexCount; i++, o += 3) {
    const x = p[o]! - e[0],
      y = p[o + 1]! - e[1],
      z = p[o + 2]! - e[2]
    const d = x * f[0] + y * f[1] + z * f[2]
    if (d < 0.05) {
      out[o + 2] = -1
      continue
    }
    const k = cam.f / d
    out[o] = (cx + k * (x * r[0] + y * r[1] + z * r[2])) * scale
    out[o + 1] = (cam.cy - k * (x * u[0] + y * u[1] + z * u[2])) * scale
    out[o + 2] = 1 / d
  }
}

/**
 * Draws the triangles from `t0` to `t1` (exclusive) with three values per vertex; at each pixel, the nearest triangle
 * wins. Omits triangles that have a vertex with a depth of less than 5 cm.
 */
export function fillTriangles(
  m: Mesh,
  screen: Float32Array,
  values: Float32Array,
  renderTarget: RenderTarget,
  t0 = 0,
  t1 = m.triangleCount,
): void {
  const idx = m.indices
  for (let t = t0; t < t1; t++)
    fillTriangle(screen, values, renderTarget, idx[t * 3]!, idx[t * 3 + 1]!, idx[t * 3 + 2]!)
}

function fillTriangle(
  screen: Float32Array,
  values: Float32Array,
  renderTarget: RenderTarget,
  i0: number,
  i1: number,
  i2: number,
): void {
  const { w, h, z: Z, id: ID, a: A, b: B, c: C } = renderTarget
  const a = i0 * 3,
    b = i1 * 3,
    c = i2 * 3
  const z0 = screen[a + 2]!,
    z1 = screen[b + 2]!,
    z2 = screen[c + 2]!
  if (z0 <= 0 || z1 <= 0 || z2 <= 0) return
  const x0 = screen[a]!,
    y0 = screen[a + 1]!,
    x1 = screen[b]!,
    y1 = screen[b + 1]!,
    x2 = screen[c]!,
    y2 = screen[c + 1]!
  const area = (x1 - x0) * (y2 - y0) - (x2 - x0) * (y1 - y0)
  if (area === 0) return
  const lx = Math.max(0, Math.ceil(Math.min(x0, x1, x2) - 0.5)),
    hx = Math.min(w - 1, Math.floor(Math.max(x0, x1, x2) - 0.5))
  const ly = Math.max(0, Math.ceil(Math.min(y0, y1, y2) - 0.5)),
    hy = Math.min(h - 1, Math.floor(Math.max(y0, y1, y2) - 0.5))
  if (lx > hx || ly > hy) return
  const k = 1 / area,
    dx1 = (y2 - y0) * k,
    dy1 = -(x2 - x0) * k,
    dx2 = -(y1 - y0) * k,
    dy2 = (x1 - x0) * k
  const va = values[a]!,
    vb = values[a + 1]!,
    vc = values[a + 2]!
  const ea = values[b]! - va,
    eb = values[b + 1]! - vb,
    ec = values[b + 2]! - vc
  const ga = values[c]! - va,
    gb = values[c + 1]! - vb,
    gc = values[c + 2]! - vc
  for (let y = ly; y <= hy; y++) {
    const py = y + 0.5 - y0
    let u = (lx + 0.5 - x0) * dx1 + py * dy1,
      v = (lx + 0.5 - x0) * dx2 + py * dy2,
      o = y * w + lx
    for (let x = lx; x <= hx; x++, o++, u += dx1, v += dx2) {
      if (u < -1e-6 || v < -1e-6 || u + v > 1.000001) continue
      const z = z0 + u * (z1 - z0) + v * (z2 - z0)
      if (z <= Z[o]!) continue
      Z[o] = z
      ID[o] = i0
      A[o] = va + u * ea + v * ga
      B[o] = vb + u * eb + v * gb
      C[o] = vc + u * ec + v * gc
    }
  }
}

import type { Mat, V3 } from './math.ts'
import { add, cross, mul, sub, unit } from './math.ts'

/** Surface properties. Colors are linear reflectances 0..1. */
export interface Material {
  color: V3
  /** Color per point for static surfaces (world point, normal). */
  texture?: (p: V3, n: V3) => V3
  /** 0 matte .. 1 mirror-like sky reflection. */
  gloss?: number
  /** Reflectance under infrared light; default follows the luminance. */
  ir?: number
  /** Movement in the wind, 0..1. */
  sway?: number
  /** Emitted light by day and at night (1 = as bright as white paper in the sun). */
  glow?: number
  nightGlow?: number
  duskGlow?: number
  /** True for leaves and blades, which are lit from both sides. */
  leaf?: boolean
}

/** Returns a matte material. */
export const paint = (r: number, g: number, b: number, more: Partial<Material> = {}): Material => ({
  color: [r, g, b],
  ...more,
})

/** Growing triangle mesh with per-vertex normals and a material per vertex. */
export class Mesh {
  pos = new Float32Array(3 * 4096)
  nrm = new Float32Array(3 * 4096)
  vmat = new Uint16Array(4096)
  idx = new Uint32Array(3 * 8192)
  nv = 0
  nt = 0
  materials: Material[] = []
  private ids = new Map<Material, number>()
  /** Transform that is applied to every added vertex; null = none. */
  at: Mat | null = null

  clear(): void {
    this.nv = 0
    this.nt = 0
    this.at = null
  }

  matId(m: Material): number {
    let i = this.ids.get(m)
    if (i === undefined) {
      i = this.materials.push(m) - 1
      this.ids.set(m, i)
    }
    return i
  }

  vertex(x: number, y: number, z: number, nx: number, ny: number, nz: number, mat: number): number {
    if (this.nv + 1 > this.vmat.length) this.growVertices()
    const i = this.nv++,
      m = this.at,
      o = i * 3
    if (m) {
      const p = this.pos,
        n = this.nrm
      p[o] = m[0]! * x + m[1]! * y + m[2]! * z + m[3]!
      p[o + 1] = m[4]! * x + m[5]! * y + m[6]! * z + m[7]!
      p[o + 2] = m[8]! * x + m[9]! * y + m[10]! * z + m[11]!
      n[o] = m[0]! * nx + m[1]! * ny + m[2]! * nz
      n[o + 1] = m[4]! * nx + m[5]! * ny + m[6]! * nz
      n[o + 2] = m[8]! * nx + m[9]! * ny + m[10]! * nz
    } else {
      this.pos[o] = x
      this.pos[o + 1] = y
      this.pos[o + 2] = z
      this.nrm[o] = nx
      this.nrm[o + 1] = ny
      this.nrm[o + 2] = nz
    }
    this.vmat[i] = mat
    return i
  }

  tri(a: number, b: number, c: number): void {
    if ((this.nt + 1) * 3 > this.idx.length) {
      const n = new Uint32Array(this.idx.length * 2)
      n.set(this.idx)
      this.idx = n
    }
    const o = this.nt++ * 3
    this.idx[o] = a
    this.idx[o + 1] = b
    this.idx[o + 2] = c
  }

  /** Appends a copy of another mesh, transformed by `m`. */
  append(o: Mesh, m: Mat): void {
    const v0 = this.nv
    this.at = m
    const map = o.materials.map((x) => this.matId(x))
    for (let i = 0; i < o.nv; i++) {
      const k = i * 3
      this.vertex(o.pos[k]!, o.pos[k + 1]!, o.pos[k + 2]!, o.nrm[k]!, o.nrm[k + 1]!, o.nrm[k + 2]!, map[o.vmat[i]!]!)
    }
    this.at = null
    for (let i = 0; i < o.nt; i++) this.tri(v0 + o.idx[i * 3]!, v0 + o.idx[i * 3 + 1]!, v0 + o.idx[i * 3 + 2]!)
  }

  /** Recomputes the normals of vertices from `v0` on, using the triangles from `t0` on. */
  smoothFrom(v0: number, t0: number): void {
    const p = this.pos,
      n = this.nrm
    n.fill(0, v0 * 3, this.nv * 3)
    for (let t = t0; t < this.nt; t++) {
      const a = this.idx[t * 3]! * 3,
        b = this.idx[t * 3 + 1]! * 3,
        c = this.idx[t * 3 + 2]! * 3
      const ux = p[b]! - p[a]!,
        uy = p[b + 1]! - p[a + 1]!,
        uz = p[b + 2]! - p[a + 2]!
      const wx = p[c]! - p[a]!,
        wy = p[c + 1]! - p[a + 1]!,
        wz = p[c + 2]! - p[a + 2]!
      const x = uy * wz - uz * wy,
        y = uz * wx - ux * wz,
        z = ux * wy - uy * wx
      for (const k of [a, b, c]) {
        n[k]! += x
        n[k + 1]! += y
        n[k + 2]! += z
      }
    }
    for (let k = v0 * 3; k < this.nv * 3; k += 3) {
      const l = Math.hypot(n[k]!, n[k + 1]!, n[k + 2]!) || 1
      n[k]! /= l
      n[k + 1]! /= l
      n[k + 2]! /= l
    }
  }

  private growVertices(): void {
    const g = (a: Float32Array): Float32Array<ArrayBuffer> => {
      const n = new Float32Array(a.length * 2)
      n.set(a)
      return n
    }
    this.pos = g(this.pos)
    this.nrm = g(this.nrm)
    const m = new Uint16Array(this.vmat.length * 2)
    m.set(this.vmat)
    this.vmat = m
  }
}

/** Adds a flat quad a-b-c-d (counterclockwise seen from outside), cut into nu x nv pieces. */
export function quad(m: Mesh, mat: Material, a: V3, b: V3, c: V3, d: V3, nu = 1, nv = 1): void {
  const n = unit(cross(sub(b, a), sub(d, a))),
    id = m.matId(mat),
    v0 = m.nv
  for (let j = 0; j <= nv; j++) {
    for (let i = 0; i <= nu; i++) {
      const u = i / nu,
        v = j / nv
      const p = add(add(mul(a, (1 - u) * (1 - v)), mul(b, u * (1 - v))), add(mul(c, u * v), mul(d, (1 - u) * v)))
      m.vertex(p[0], p[1], p[2], n[0], n[1], n[2], id)
    }
  }
  for (let j = 0; j < nv; j++) {
    for (let i = 0; i < nu; i++) {
      const k = v0 + j * (nu + 1) + i
      m.tri(k, k + 1, k + nu + 2)
      m.tri(k, k + nu + 2, k + nu + 1)
    }
  }
}

/** Adds an axis-aligned box from corner to corner; `step` is the largest facet size in meters. */
export function box(m: Mesh, mat: Material, lo: V3, hi: V3, step = 1e9): void {
  const [x0, y0, z0] = lo,
    [x1, y1, z1] = hi
  const k = (d: number): number => Math.max(1, Math.min(200, Math.ceil(Math.abs(d) / step)))
  const nx = k(x1 - x0),
    ny = k(y1 - y0),
    nz = k(z1 - z0)
  quad(m, mat, [x0, y0, z0], [x1, y0, z0], [x1, y0, z1], [x0, y0, z1], nx, nz)
  quad(m, mat, [x1, y1, z0], [x0, y1, z0], [x0, y1, z1], [x1, y1, z1], nx, nz)
  quad(m, mat, [x0, y1, z0], [x0, y0, z0], [x0, y0, z1], [x0, y1, z1], ny, nz)
  quad(m, mat, [x1, y0, z0], [x1, y1, z0], [x1, y1, z1], [x1, y0, z1], ny, nz)
  quad(m, mat, [x0, y0, z1], [x1, y0, z1], [x1, y1, z1], [x0, y1, z1], nx, ny)
  quad(m, mat, [x0, y1, z0], [x1, y1, z0], [x1, y0, z0], [x0, y0, z0], nx, ny)
}

import type { Mat, Vec3 } from './math.ts'
import { add, cross, mul, sub, normalize } from './math.ts'

/** Surface properties. Colors are linear reflectances 0..1. */
export interface Material {
  color: Vec3
  /**
   * Returns the color at a world point with a normal. Only for static surfaces, because the pattern would not move with
   * an actor.
   */
  texture?: (p: Vec3, n: Vec3) => Vec3
  /** 0 matte .. 1 mirror-like sky reflection. */
  gloss?: number
  /** Reflectance under infrared light; by default derived from the color. */
  ir?: number
  /** Movement in the wind, 0..1. */
  sway?: number
  /** Emitted light by day, at night and at dusk (1 = as bright as white paper in the sun). */
  glow?: number
  nightGlow?: number
  duskGlow?: number
  /** Color of the emitted light on nights in color, largest component 1; by default the color of the material. */
  glowColor?: Vec3
  /** True for leaves and blades, which are lit from both sides. */
  leaf?: boolean
}

/** Returns a material of one color; matte unless `properties` sets `gloss`. */
export const createMaterial = (r: number, g: number, b: number, properties: Partial<Material> = {}): Material => ({
  color: [r, g, b],
  ...properties,
})

/** Growing triangle mesh with per-vertex normals and a material per vertex. */
export class Mesh {
  positions = new Float32Array(3 * 4096)
  normals = new Float32Array(3 * 4096)
  materialIds = new Uint16Array(4096)
  indices = new Uint32Array(3 * 8192)
  vertexCount = 0
  triangleCount = 0
  materials: Material[] = []
  #ids = new Map<Material, number>()
  /** Transform that is applied to every added vertex; null = none. */
  transform: Mat | null = null

  clear(): void {
    this.vertexCount = 0
    this.triangleCount = 0
    this.transform = null
  }

  getMaterialId(m: Material): number {
    let i = this.#ids.get(m)
    if (i === undefined) {
      i = this.materials.push(m) - 1
      this.#ids.set(m, i)
    }
    return i
  }

  addVertex(x: number, y: number, z: number, nx: number, ny: number, nz: number, mat: number): number {
    if (this.vertexCount + 1 > this.materialIds.length) this.#growVertices()
    const i = this.vertexCount++,
      m = this.transform,
      o = i * 3
    if (m) {
      const p = this.positions,
        n = this.normals
      p[o] = m[0]! * x + m[1]! * y + m[2]! * z + m[3]!
      p[o + 1] = m[4]! * x + m[5]! * y + m[6]! * z + m[7]!
      p[o + 2] = m[8]! * x + m[9]! * y + m[10]! * z + m[11]!
      n[o] = m[0]! * nx + m[1]! * ny + m[2]! * nz
      n[o + 1] = m[4]! * nx + m[5]! * ny + m[6]! * nz
      n[o + 2] = m[8]! * nx + m[9]! * ny + m[10]! * nz
    } else {
      this.positions[o] = x
      this.positions[o + 1] = y
      this.positions[o + 2] = z
      this.normals[o] = nx
      this.normals[o + 1] = ny
      this.normals[o + 2] = nz
    }
    this.materialIds[i] = mat
    return i
  }

  addTriangle(a: number, b: number, c: number): void {
    if ((this.triangleCount + 1) * 3 > this.indices.length) {
      const n = new Uint32Array(this.indices.length * 2)
      n.set(this.indices)
      this.indices = n
    }
    const o = this.triangleCount++ * 3
    this.indices[o] = a
    this.indices[o + 1] = b
    this.indices[o + 2] = c
  }

  append(o: Mesh, m: Mat): void {
    const v0 = this.vertexCount
    this.transform = m
    const map = o.materials.map((x) => this.getMaterialId(x))
    for (let i = 0; i < o.vertexCount; i++) {
      const k = i * 3
      this.addVertex(
        o.positions[k]!,
        o.positions[k + 1]!,
        o.positions[k + 2]!,
        o.normals[k]!,
        o.normals[k + 1]!,
        o.normals[k + 2]!,
        map[o.materialIds[i]!]!,
      )
    }
    this.transform = null
    for (let i = 0; i < o.triangleCount; i++)
      this.addTriangle(v0 + o.indices[i * 3]!, v0 + o.indices[i * 3 + 1]!, v0 + o.indices[i * 3 + 2]!)
  }

  /** Recomputes the normals of vertices from `v0` on, using the triangles from `t0` on. */
  recomputeNormals(v0: number, t0: number): void {
    const p = this.positions,
      n = this.normals
    n.fill(0, v0 * 3, this.vertexCount * 3)
    for (let t = t0; t < this.triangleCount; t++) {
      const a = this.indices[t * 3]! * 3,
        b = this.indices[t * 3 + 1]! * 3,
        c = this.indices[t * 3 + 2]! * 3
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
    for (let k = v0 * 3; k < this.vertexCount * 3; k += 3) {
      const l = Math.hypot(n[k]!, n[k + 1]!, n[k + 2]!) || 1
      n[k]! /= l
      n[k + 1]! /= l
      n[k + 2]! /= l
    }
  }

  #growVertices(): void {
    const g = (a: Float32Array): Float32Array<ArrayBuffer> => {
      const n = new Float32Array(a.length * 2)
      n.set(a)
      return n
    }
    this.positions = g(this.positions)
    this.normals = g(this.normals)
    const m = new Uint16Array(this.materialIds.length * 2)
    m.set(this.materialIds)
    this.materialIds = m
  }
}

/** Adds a flat quad a-b-c-d (counterclockwise seen from outside), divided into nu x nv smaller quads. */
export function addQuad(m: Mesh, mat: Material, a: Vec3, b: Vec3, c: Vec3, d: Vec3, nu = 1, nv = 1): void {
  const n = normalize(cross(sub(b, a), sub(d, a))),
    id = m.getMaterialId(mat),
    v0 = m.vertexCount
  for (let j = 0; j <= nv; j++) {
    for (let i = 0; i <= nu; i++) {
      const u = i / nu,
        v = j / nv
      const p = add(add(mul(a, (1 - u) * (1 - v)), mul(b, u * (1 - v))), add(mul(c, u * v), mul(d, (1 - u) * v)))
      m.addVertex(p[0], p[1], p[2], n[0], n[1], n[2], id)
    }
  }
  for (let j = 0; j < nv; j++) {
    for (let i = 0; i < nu; i++) {
      const k = v0 + j * (nu + 1) + i
      m.addTriangle(k, k + 1, k + nu + 2)
      m.addTriangle(k, k + nu + 2, k + nu + 1)
    }
  }
}

/** Adds an axis-aligned box between two opposite corners. `step`: maximum facet size in meters. */
export function addBox(m: Mesh, mat: Material, lo: Vec3, hi: Vec3, step = 1e9): void {
  const [x0, y0, z0] = lo,
    [x1, y1, z1] = hi
  const k = (d: number): number => Math.max(1, Math.min(200, Math.ceil(Math.abs(d) / step)))
  const nx = k(x1 - x0),
    ny = k(y1 - y0),
    nz = k(z1 - z0)
  addQuad(m, mat, [x0, y0, z0], [x1, y0, z0], [x1, y0, z1], [x0, y0, z1], nx, nz)
  addQuad(m, mat, [x1, y1, z0], [x0, y1, z0], [x0, y1, z1], [x1, y1, z1], nx, nz)
  addQuad(m, mat, [x0, y1, z0], [x0, y0, z0], [x0, y0, z1], [x0, y1, z1], ny, nz)
  addQuad(m, mat, [x1, y0, z0], [x1, y1, z0], [x1, y1, z1], [x1, y0, z1], ny, nz)
  addQuad(m, mat, [x0, y0, z1], [x1, y0, z1], [x1, y1, z1], [x0, y1, z1], nx, ny)
  addQuad(m, mat, [x0, y1, z0], [x1, y1, z0], [x1, y0, z0], [x0, y0, z0], nx, ny)
}

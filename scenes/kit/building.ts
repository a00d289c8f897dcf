import type { Material, Mesh } from './mesh.ts'
import { addBox, createMaterial, addQuad } from './mesh.ts'
import type { Mat, Vec3 } from './math.ts'

export const GLASS = createMaterial(0.035, 0.05, 0.065, { gloss: 0.85, ir: 0.06 })
export const LIT_GLASS = createMaterial(0.16, 0.12, 0.07, {
  gloss: 0.7,
  ir: 0.2,
  nightGlow: 0.7,
  glowColor: [1, 0.6, 0.25],
})
export const WHITE_PAINT = createMaterial(0.78, 0.77, 0.74)

/** Adds a box with the local corners `lo` and `hi`, placed by the transform `at`. */
export function addBoxAt(m: Mesh, mat: Material, at: Mat, lo: Vec3, hi: Vec3, step?: number): void {
  m.transform = at
  addBox(m, mat, lo, hi, step)
  m.transform = null
}

/** Adds a window to a wall. In local axes, x runs along the wall and -y points outward. `x`, `z`: lower left corner. */
export function addWindow(
  m: Mesh,
  at: Mat,
  x: number,
  z: number,
  w: number,
  h: number,
  options: {
    frame?: Material
    glass?: Material | undefined
    bars?: [number, number]
    shutters?: Material | undefined
  } = {},
): void {
  const f = options.frame ?? WHITE_PAINT,
    e = 0.08
  const b = (mat: Material, lo: Vec3, hi: Vec3): void => addBoxAt(m, mat, at, lo, hi)
  b(options.glass ?? GLASS, [x, -0.02, z], [x + w, 0.02, z + h])
  b(f, [x - e, -0.07, z - e], [x, 0, z + h + e])
  b(f, [x + w, -0.07, z - e], [x + w + e, 0, z + h + e])
  b(f, [x - e, -0.07, z + h], [x + w + e, 0, z + h + e])
  b(f, [x - e * 1.6, -0.13, z - e], [x + w + e * 1.6, 0, z])
  const [nx, nz] = options.bars ?? [2, 2]
  for (let i = 1; i < nx; i++) b(f, [x + (w * i) / nx - 0.022, -0.045, z], [x + (w * i) / nx + 0.022, 0, z + h])
  for (let i = 1; i < nz; i++) b(f, [x, -0.045, z + (h * i) / nz - 0.022], [x + w, 0, z + (h * i) / nz + 0.022])
  if (options.shutters) {
    b(options.shutters, [x - e - w * 0.36, -0.05, z], [x - e - 0.02, 0, z + h])
    b(options.shutters, [x + w + e + 0.02, -0.05, z], [x + w + e + w * 0.36, 0, z + h])
  }
}

/** Adds a paneled door with a frame. `x`: left edge of the door along the wall. */
export function addDoor(
  m: Mesh,
  at: Mat,
  x: number,
  w: number,
  h: number,
  mat: Material,
  frame: Material = WHITE_PAINT,
): void {
  const b = (q: Material, lo: Vec3, hi: Vec3): void => addBoxAt(m, q, at, lo, hi)
  b(frame, [x - 0.12, -0.08, 0], [x, 0, h + 0.12])
  b(frame, [x + w, -0.08, 0], [x + w + 0.12, 0, h + 0.12])
  b(frame, [x - 0.12, -0.08, h], [x + w + 0.12, 0, h + 0.12])
  b(mat, [x, -0.03, 0], [x + w, 0, h])
  for (const [u, v, k, l] of [
    [0.12, 0.08, 0.46, 0.42],
    [0.54, 0.08, 0.88, 0.42],
    [0.12, 0.5, 0.46, 0.93],
    [0.54, 0.5, 0.88, 0.93],
  ] as const) {
    b(mat, [x + w * u, -0.05, h * v], [x + w * k, -0.03, h * l])
  }
  b(createMaterial(0.7, 0.55, 0.2, { gloss: 0.6 }), [x + w * 0.89, -0.11, h * 0.46], [x + w * 0.93, -0.03, h * 0.5])
}

/**
 * Adds a house with a gable roof. `sx`: length along the ridge; `sy`: depth; `eave`, `ridge`: heights. The local origin
 * is the middle of the front wall.
 */
export function addHouse(
  m: Mesh,
  at: Mat,
  sx: number,
  sy: number,
  eave: number,
  ridge: number,
  wall: Material,
  roof: Material,
  trim: Material = WHITE_PAINT,
): void {
  const x = sx / 2,
    o = 0.45,
    g = eave - (o * (ridge - eave)) / (sy / 2)
  addBoxAt(m, wall, at, [-x, 0, 0], [x, sy, eave])
  m.transform = at
  const s = Math.ceil(sx)
  addQuad(m, roof, [-x - o, -o, g], [x + o, -o, g], [x + o, sy / 2, ridge], [-x - o, sy / 2, ridge], s, 4)
  addQuad(m, roof, [x + o, sy + o, g], [-x - o, sy + o, g], [-x - o, sy / 2, ridge], [x + o, sy / 2, ridge], s, 4)
  for (const k of [-x, x]) {
    addQuad(m, wall, [k, 0, eave], [k, sy, eave], [k, sy / 2, ridge - 0.05], [k, sy / 2, ridge - 0.05])
  }
  addBox(m, trim, [-x - o, -o - 0.04, g - 0.16], [x + o, -o, g + 0.04])
  for (const k of [-x - o, x + o]) {
    addQuad(m, trim, [k, -o, g - 0.16], [k, sy / 2, ridge - 0.16], [k, sy / 2, ridge + 0.03], [k, -o, g + 0.04])
    addQuad(m, trim, [k, sy + o, g - 0.16], [k, sy / 2, ridge - 0.16], [k, sy / 2, ridge + 0.03], [k, sy + o, g + 0.04])
  }
  m.transform = null
}

/**
 * Adds a flat ground patch at height `z`, divided into quads of at most `step` x `step` meters, because the rasterizer
 * omits each triangle that reaches behind the lens.
 */
export function addGround(
  m: Mesh,
  mat: Material,
  x0: number,
  y0: number,
  x1: number,
  y1: number,
  z = 0,
  step = 1,
): void {
  addQuad(
    m,
    mat,
    [x0, y0, z],
    [x1, y0, z],
    [x1, y1, z],
    [x0, y1, z],
    Math.max(1, Math.ceil((x1 - x0) / step)),
    Math.max(1, Math.ceil((y1 - y0) / step)),
  )
}

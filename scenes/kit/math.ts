/** Vector, matrix and noise helpers. World axes in meters: x right, y away from the camera, z up. */

export type Vec3 = [number, number, number]
/** Affine transform, row major 3x4. */
export type Mat = Float64Array

export const clamp = (x: number, a = 0, b = 1): number => (x < a ? a : x > b ? b : x)
export const mix = (a: number, b: number, t: number): number => a + (b - a) * t
export const mix3 = (a: Vec3, b: Vec3, t: number): Vec3 => [mix(a[0], b[0], t), mix(a[1], b[1], t), mix(a[2], b[2], t)]
/** Smooth step from 0 at `a` to 1 at `b`. */
export const smoothstep = (a: number, b: number, x: number): number => {
  const t = clamp((x - a) / (b - a))
  return t * t * (3 - 2 * t)
}
export const add = (a: Vec3, b: Vec3): Vec3 => [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
export const sub = (a: Vec3, b: Vec3): Vec3 => [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
export const mul = (a: Vec3, s: number): Vec3 => [a[0] * s, a[1] * s, a[2] * s]
export const dot = (a: Vec3, b: Vec3): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
export const cross = (a: Vec3, b: Vec3): Vec3 => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
]
export const vectorLength = (a: Vec3): number => Math.hypot(a[0], a[1], a[2])
export const normalize = (a: Vec3): Vec3 => mul(a, 1 / (vectorLength(a) || 1))

/** Returns the transform that applies b first, then a. */
export function compose(a: Mat, b: Mat): Mat {
  const r = new Float64Array(12)
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j < 4; j++) {
      let s = j === 3 ? a[i * 4 + 3]! : 0
      for (let k = 0; k < 3; k++) s += a[i * 4 + k]! * b[k * 4 + j]!
      r[i * 4 + j] = s
    }
  }
  return r
}

export const transformPoint = (m: Mat, p: Vec3): Vec3 => [
  m[0]! * p[0] + m[1]! * p[1] + m[2]! * p[2] + m[3]!,
  m[4]! * p[0] + m[5]! * p[1] + m[6]! * p[2] + m[7]!,
  m[8]! * p[0] + m[9]! * p[1] + m[10]! * p[2] + m[11]!,
]

export const translation = (p: Vec3): Mat => new Float64Array([1, 0, 0, p[0], 0, 1, 0, p[1], 0, 0, 1, p[2]])
/** Returns a rotation about x in radians; positive values turn +y toward +z. */
export const rotationX = (a: number): Mat => {
  const c = Math.cos(a),
    s = Math.sin(a)
  return new Float64Array([1, 0, 0, 0, 0, c, -s, 0, 0, s, c, 0])
}
/** Returns a rotation about z in radians, counterclockwise seen from above. */
export const rotationZ = (a: number): Mat => {
  const c = Math.cos(a),
    s = Math.sin(a)
  return new Float64Array([c, -s, 0, 0, s, c, 0, 0, 0, 0, 1, 0])
}
/** Composes transforms; the last is applied first. */
export const composeAll = (...ms: Mat[]): Mat => ms.reduce(compose)

/** Returns the transform of a figure that faces local +y, at a position with a heading (0 = +x, pi/2 = +y). */
export const placeFigure = (p: Vec3, heading: number): Mat => compose(translation(p), rotationZ(heading - Math.PI / 2))

/** Returns a generator of seeded pseudo-random numbers in [0,1). */
export function rng(seed: number): () => number {
  let s = seed >>> 0
  return () => {
    s = (s + 0x6d2b79f5) >>> 0
    let t = Math.imul(s ^ (s >>> 15), 1 | s)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

const hash = (x: number, y: number): number => {
  let h = Math.imul(x, 374761393) + Math.imul(y, 668265263)
  h = Math.imul(h ^ (h >>> 13), 1274126177)
  return ((h ^ (h >>> 16)) >>> 0) / 4294967296
}

/** Returns a hash in [0,1) of the unit cell that contains a point, to vary bricks or slabs. */
export const hashCell = (x: number, y: number): number => hash(Math.floor(x), Math.floor(y))

/** Returns value noise in [0,1]. */
export function noise(x: number, y: number): number {
  const xi = Math.floor(x),
    yi = Math.floor(y)
  let u = x - xi,
    v = y - yi
  u = u * u * (3 - 2 * u)
  v = v * v * (3 - 2 * v)
  return mix(mix(hash(xi, yi), hash(xi + 1, yi), u), mix(hash(xi, yi + 1), hash(xi + 1, yi + 1), u), v)
}

/** Returns fractal noise in [0,1]: the sum of several octaves of value noise. */
export function fbm(x: number, y: number, octaves = 4): number {
  let s = 0,
    a = 0.5,
    n = 0
  for (let i = 0; i < octaves; i++) {
    s += a * noise(x, y)
    n += a
    x = x * 2.03 + 17.1
    y = y * 2.03 + 5.7
    a *= 0.5
  }
  return s / n
}

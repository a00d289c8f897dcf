import type { Vec3 } from './math.ts'
import { smoothstep } from './math.ts'

/** Smooth path through points, parameterized by distance. */
export interface Path {
  length: number
  at: (d: number) => { p: Vec3; heading: number }
}

/** Returns a Catmull-Rom path through ground points. */
export function createPath(...pts: [number, number][]): Path {
  const out: Vec3[] = [],
    dist: number[] = [0],
    g = (i: number): [number, number] => pts[Math.max(0, Math.min(pts.length - 1, i))]!
  for (let i = 0; i < pts.length - 1; i++) {
    const [a, b, c, d] = [g(i - 1), g(i), g(i + 1), g(i + 2)]
    for (let k = 0; k <= 24; k++) {
      if (k === 0 && i > 0) continue
      const t = k / 24
      const f = (j: 0 | 1): number =>
        0.5 *
        (2 * b[j] +
          (c[j] - a[j]) * t +
          (2 * a[j] - 5 * b[j] + 4 * c[j] - d[j]) * t * t +
          (3 * b[j] - a[j] - 3 * c[j] + d[j]) * t * t * t)
      out.push([f(0), f(1), 0])
    }
  }
  for (let i = 1; i < out.length; i++)
    dist.push(dist[i - 1]! + Math.hypot(out[i]![0] - out[i - 1]![0], out[i]![1] - out[i - 1]![1]))
  const length = dist[dist.length - 1]!
  const point = (d: number): Vec3 => {
    if (d <= 0 || d >= length) {
      const e = d <= 0 ? 0 : out.length - 2,
        a = out[e]!,
        b = out[e + 1]!,
        l = dist[e + 1]! - dist[e]!,
        t = (d - dist[e]!) / l
      return [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t, 0]
    }
    let lo = 0,
      hi = dist.length - 1
    while (hi - lo > 1) {
      const mid = (lo + hi) >> 1
      if (dist[mid]! <= d) lo = mid
      else hi = mid
    }
    const t = (d - dist[lo]!) / (dist[hi]! - dist[lo]!),
      a = out[lo]!,
      b = out[hi]!
    return [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t, 0]
  }
  return {
    length,
    at: (d) => {
      const p = point(d),
        a = point(d - 0.3),
        b = point(d + 0.3)
      return { p, heading: Math.atan2(b[1] - a[1], b[0] - a[0]) }
    },
  }
}

/**
 * Returns the distance covered at `t` by a move from t0 to t1 that accelerates for `easeIn` seconds and slows down for
 * `easeOut` seconds.
 */
export function getTravelDistance(
  t: number,
  t0: number,
  t1: number,
  length: number,
  easeIn = 0.6,
  easeOut = easeIn,
): number {
  const T = t1 - t0,
    v = length / (T - easeIn / 2 - easeOut / 2),
    x = Math.max(0, Math.min(T, t - t0))
  let d = x < easeIn ? (v * x * x) / (2 * easeIn) : v * (x - easeIn / 2)
  if (x > T - easeOut) {
    const r = T - x
    d = length - (v * r * r) / (2 * easeOut)
  }
  return d
}

/** Returns the stride of a person who walks from t0 to t1: 0 at rest, 1 at full stride. */
export const getStride = (t: number, t0: number, t1: number, ease = 0.5): number =>
  smoothstep(t0, t0 + ease, t) * (1 - smoothstep(t1 - ease, t1, t))

/** Interpolates between two headings in radians along the shorter turn. */
export function blendHeading(a: number, b: number, k: number): number {
  let d = (b - a) % (Math.PI * 2)
  if (d > Math.PI) d -= Math.PI * 2
  if (d < -Math.PI) d += Math.PI * 2
  return a + d * k
}

import { directions, skyColor, throughPortal, type LightSetup } from './light.ts'
import { add, dot, mul, rng, unit, type V3 } from './math.ts'
import type { Mesh } from './mesh.ts'
import type { Target } from './raster.ts'
import { cast, lit, shadowMap, type ShadowMap } from './shadow.ts'

/** Sky light (3 values per pixel), sun fraction (1 value) and the sun's shadow map. */
export interface Gathered {
  sky: Float32Array
  sun: Float32Array
  map: ShadowMap | null
}

/** Calls `put` for every drawn point that the light of a shadow map reaches, with the fraction of the light. */
function shine(
  m: Mesh,
  T: Target,
  P: Float32Array,
  L: LightSetup,
  map: ShadowMap,
  put: (i: number, k: number) => void,
  eps: number,
): void {
  const d = map.d,
    leafy = m.materials.map((x) => x.leaf === true)
  for (let i = 0; i < T.w * T.h; i++) {
    const id = T.id[i]!
    if (id < 0) continue
    const a = T.a[i]!,
      b = T.b[i]!,
      c = T.c[i]!,
      leaf = leafy[m.vmat[id]!]!
    let k = a * d[0] + b * d[1] + c * d[2]
    if (leaf) k = 0.35 + 0.65 * Math.abs(k) * (k > 0 ? 1 : 0.7)
    if (k <= 0) continue
    const x = P[i * 3]! + a * eps,
      y = P[i * 3 + 1]! + b * eps,
      z = P[i * 3 + 2]! + c * eps
    if (L.portals && map.n < 2000 && !L.outside?.(x, y) && throughPortal(L.portals, [x, y, z], d) === 0) continue
    k *= lit(map, x, y, z, eps)
    if (k > 0) put(i, k)
  }
}

/** Returns the directions of sky light; indoors only those that enter through a window. */
function skyDirections(L: LightSetup): V3[] {
  if (!L.portals) return directions(L.night ? 24 : 44)
  const outs = L.portals.map((w) =>
    mul(
      unit([w.u[1] * w.v[2] - w.u[2] * w.v[1], w.u[2] * w.v[0] - w.u[0] * w.v[2], w.u[0] * w.v[1] - w.u[1] * w.v[0]]),
      -1,
    ),
  )
  return directions(360, true)
    .filter((d) => outs.some((o) => dot(d, o) > 0.08) && d[2] > -0.35)
    .map(unit)
}

/** Sums sky light (3 values per pixel) and sun fraction (1 value) over the drawn surfaces. */
export function gather(m: Mesh, T: Target, P: Float32Array, L: LightSetup, center: V3, radius: number): Gathered {
  const n = T.w * T.h,
    sky = new Float32Array(n * 3),
    sun = new Float32Array(n)
  const dirs = skyDirections(L),
    bias = radius / 160
  for (const d of dirs) {
    const map = shadowMap(L.night ? 700 : 1000, d, center, radius),
      s = skyColor(L, d, false),
      f = L.portals ? 0.034 * L.portals[0]!.power : 2 / dirs.length
    cast(map, m)
    const put = (i: number, k: number): void => {
      sky[i * 3]! += s[0] * k * f
      sky[i * 3 + 1]! += s[1] * k * f
      sky[i * 3 + 2]! += s[2] * k * f
    }
    shine(m, T, P, L, map, put, bias * 0.35)
  }
  let map: ShadowMap | null = null
  if (L.sun) {
    const r = rng(5),
      taps = 6,
      put = (i: number, k: number): void => {
        sun[i]! += k / taps
      }
    for (let t = 0; t < taps; t++) {
      const j: V3 = [r() - 0.5, r() - 0.5, r() - 0.5]
      map = shadowMap(2600, unit(add(L.sun.dir, mul(j, t === taps - 1 ? 0 : L.sun.soft))), center, radius)
      cast(map, m)
      shine(m, T, P, L, map, put, bias * 0.3)
    }
  }
  return { sky, sun, map }
}

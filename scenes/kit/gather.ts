import { createLampShadow, getLampVisibility } from './lamp-shadow.ts'
import { listSphereDirections, getLampLight, getSkyColor, getPortalPower, type Lamp, type LightSetup } from './light.ts'
import { add, dot, mul, rng, normalize, type Vec3 } from './math.ts'
import type { Mesh } from './mesh.ts'
import type { RenderTarget } from './raster.ts'
import { drawIntoShadowMap, getLitFraction, createShadowMap, type ShadowMap } from './shadow.ts'

/**
 * Light that reaches each drawn pixel: sky light (3 values) and sun fraction or light of the key lamp (1 value). `map`:
 * shadow map of the sun; null without a sun.
 */
export interface SurfaceLight {
  sky: Float32Array
  sun: Float32Array
  map: ShadowMap | null
}

/**
 * Calls `onLitPoint` for every drawn point that light from direction `map.d` reaches, with the fraction that arrives.
 */
function forEachLitPoint(
  m: Mesh,
  target: RenderTarget,
  points: Float32Array,
  light: LightSetup,
  map: ShadowMap,
  onLitPoint: (i: number, k: number) => void,
  eps: number,
): void {
  const d = map.d,
    leafy = m.materials.map((x) => x.leaf === true)
  for (let i = 0; i < target.w * target.h; i++) {
    const id = target.id[i]!
    if (id < 0) continue
    const a = target.a[i]!,
      b = target.b[i]!,
      c = target.c[i]!,
      leaf = leafy[m.materialIds[id]!]!
    let k = a * d[0] + b * d[1] + c * d[2]
    if (leaf) k = 0.35 + 0.65 * Math.abs(k) * (k > 0 ? 1 : 0.7)
    if (k <= 0) continue
    const x = points[i * 3]! + a * eps,
      y = points[i * 3 + 1]! + b * eps,
      z = points[i * 3 + 2]! + c * eps
    if (light.portals && map.n < 2000 && !light.outside?.(x, y) && getPortalPower(light.portals, [x, y, z], d) === 0)
      continue
    k *= getLitFraction(map, x, y, z, eps)
    if (k > 0) onLitPoint(i, k)
  }
}

/** Returns the directions of sky light. Indoors, returns only those from which light can enter through a window. */
function listSkyDirections(L: LightSetup): Vec3[] {
  if (!L.portals) return listSphereDirections(L.night ? 24 : 44)
  const outs = L.portals.map((w) =>
    mul(
      normalize([
        w.u[1] * w.v[2] - w.u[2] * w.v[1],
        w.u[2] * w.v[0] - w.u[0] * w.v[2],
        w.u[0] * w.v[1] - w.u[1] * w.v[0],
      ]),
      -1,
    ),
  )
  return listSphereDirections(360, true)
    .filter((d) => outs.some((o) => dot(d, o) > 0.08) && d[2] > -0.35)
    .map(normalize)
}

/** Writes the light of the key lamp on each drawn point to `out`. */
function gatherKeyLight(m: Mesh, target: RenderTarget, points: Float32Array, lamp: Lamp, out: Float32Array): void {
  const shadow = createLampShadow(m, lamp.at),
    leafy = m.materials.map((x) => x.leaf === true)
  for (let i = 0; i < out.length; i++) {
    const id = target.id[i]!
    if (id < 0) continue
    const p: Vec3 = [points[i * 3]!, points[i * 3 + 1]!, points[i * 3 + 2]!],
      n: Vec3 = [target.a[i]!, target.b[i]!, target.c[i]!],
      e = getLampLight(lamp, p, n, leafy[m.materialIds[id]!]!)
    if (e > 0) out[i] = e * getLampVisibility(shadow, add(p, mul(n, 0.015)))
  }
}

/** Computes the light on the drawn surfaces from one shadow map per sky direction and per jittered sun direction. */
export function gatherSurfaceLight(
  m: Mesh,
  target: RenderTarget,
  points: Float32Array,
  light: LightSetup,
  center: Vec3,
  radius: number,
): SurfaceLight {
  const n = target.w * target.h,
    sky = new Float32Array(n * 3),
    sun = new Float32Array(n)
  const dirs = listSkyDirections(light),
    bias = radius / 160
  for (const d of dirs) {
    const map = createShadowMap(light.night ? 700 : 1000, d, center, radius),
      s = getSkyColor(light, d, false),
      f = light.portals ? 0.034 * light.portals[0]!.power : 2 / dirs.length
    drawIntoShadowMap(map, m)
    const put = (i: number, k: number): void => {
      sky[i * 3]! += s[0] * k * f
      sky[i * 3 + 1]! += s[1] * k * f
      sky[i * 3 + 2]! += s[2] * k * f
    }
    forEachLitPoint(m, target, points, light, map, put, bias * 0.35)
  }
  let map: ShadowMap | null = null
  if (light.sun) {
    const r = rng(5),
      taps = 6,
      put = (i: number, k: number): void => {
        sun[i]! += k / taps
      }
    for (let t = 0; t < taps; t++) {
      const j: Vec3 = [r() - 0.5, r() - 0.5, r() - 0.5]
      map = createShadowMap(
        2600,
        normalize(add(light.sun.dir, mul(j, t === taps - 1 ? 0 : light.sun.soft))),
        center,
        radius,
      )
      drawIntoShadowMap(map, m)
      forEachLitPoint(m, target, points, light, map, put, bias * 0.3)
    }
  }
  if (light.keyLamp) gatherKeyLight(m, target, points, light.keyLamp, sun)
  return { sky, sun, map }
}

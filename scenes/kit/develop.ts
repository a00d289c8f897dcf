import { rayAt, type Camera } from './camera.ts'
import type { Gathered } from './gather.ts'
import { getGlow, infrared, irAt, lampColor, lampsAt, skyColor, tone, type LightSetup } from './light.ts'
import { clamp, dot, unit, type V3 } from './math.ts'
import type { Mesh } from './mesh.ts'
import type { Target } from './raster.ts'
import type { ShadowMap } from './shadow.ts'

/** Static image of a scene, ready for actors. */
export interface Stage {
  cam: Camera
  light: LightSetup
  /** RGBA pixels with and without the sun. */
  sunny: Uint8ClampedArray
  shady: Uint8ClampedArray
  /** World point of each pixel (3 floats), 1e6 = sky. */
  pos: Float32Array
  nrm: Float32Array
  /** 1/depth at twice the frame size; used to hide actors behind objects. */
  z2: Float32Array
  /** Wind weight, gray light and gray reflectance of each pixel. */
  sway: Float32Array
  grey: Float32Array
  albedo: Float32Array
  vig: Float32Array
  sunMap: ShadowMap | null
  /** Center and radius of the region that the shadow maps cover. */
  centre: V3
  radius: number
}

/** Returns the light of a drawn point without the sun, and the sun's contribution. */
function surface(
  S: Stage,
  i: number,
  o: number,
  m: Mesh,
  T: Target,
  P: Float32Array,
  g: Gathered,
): { base: V3; sun: V3 } {
  const L = S.light,
    sc = L.sun?.color ?? [0, 0, 0],
    p: V3 = [P[o * 3]!, P[o * 3 + 1]!, P[o * 3 + 2]!],
    mat = m.materials[m.vmat[T.id[o]!]!]!,
    n: V3 = [T.a[o]!, T.b[o]!, T.c[o]!]
  let a = mat.texture ? mat.texture(p, n) : mat.color
  const up = 0.5 - 0.5 * n[2],
    gr = L.sky.ground,
    glow = getGlow(L, mat)
  if (L.night) {
    const k = infrared(mat, a[0], a[1], a[2])
    a = [k, k, k]
    S.albedo[i]! += k / 4
  }
  const extra = L.night ? irAt(L, S.cam, p, n, mat.leaf === true) : 0,
    lamp = lampsAt(L.lamps, p, n, mat.leaf === true) + extra,
    warm = lampColor(L)
  let base = [0, 1, 2].map(
    (c) =>
      a[c]! * (g.sky[o * 3 + c]! + L.ambient[c]! + gr[c]! * up * 0.8 + lamp * warm[c]!) +
      glow * (L.night ? 0.5 : mat.color[c]!),
  ) as V3
  if (mat.gloss && !L.night) base = gloss(S, p, n, mat.gloss, base)
  const sun: V3 = [a[0] * sc[0] * g.sun[o]!, a[1] * sc[1] * g.sun[o]!, a[2] * sc[2] * g.sun[o]!]
  if (L.haze) {
    const h = 1 - Math.exp(-1 / (T.z[o]! * L.haze.far))
    for (let c = 0; c < 3; c++) {
      base[c] = base[c]! * (1 - h) + L.haze.color[c]! * h
      sun[c]! *= 1 - h
    }
  }
  S.sway[i]! += (mat.sway ?? 0) / 4
  return { base, sun }
}

/** Lights the four subpixels of one pixel and stores their mean. */
export function develop(
  S: Stage,
  i: number,
  x: number,
  y: number,
  m: Mesh,
  T: Target,
  P: Float32Array,
  g: Gathered,
): void {
  const L = S.light,
    sum = [0, 0, 0, 0, 0, 0],
    ex = L.exposure * S.vig[i]!
  for (let q = 0; q < 4; q++) {
    const o = (y * 2 + (q >> 1)) * T.w + x * 2 + (q & 1)
    const { base, sun } =
      T.id[o]! < 0
        ? { base: skyColor(L, rayAt(S.cam, x + 0.5, y + 0.5), true), sun: [0, 0, 0] as V3 }
        : surface(S, i, o, m, T, P, g)
    for (let c = 0; c < 3; c++) {
      sum[c]! += tone(base[c]! * ex)
      sum[c + 3]! += tone((base[c]! + sun[c]!) * ex)
    }
    S.grey[i]! += (base[0] * ex) / 4
  }
  const o0 = y * 2 * T.w + x * 2
  for (let c = 0; c < 3; c++) {
    S.shady[i * 4 + c] = sum[c]! / 4
    S.sunny[i * 4 + c] = sum[c + 3]! / 4
    S.pos[i * 3 + c] = P[o0 * 3 + c]!
  }
  S.nrm[i * 3] = T.a[o0]!
  S.nrm[i * 3 + 1] = T.b[o0]!
  S.nrm[i * 3 + 2] = T.c[o0]!
  S.shady[i * 4 + 3] = 255
  S.sunny[i * 4 + 3] = 255
}

/** Adds the sky's reflection on smooth surfaces such as panes. */
function gloss(S: Stage, p: V3, n: V3, k: number, base: V3): V3 {
  const v = unit([p[0] - S.cam.eye[0], p[1] - S.cam.eye[1], p[2] - S.cam.eye[2]]),
    d = dot(v, n)
  const r: V3 = [v[0] - 2 * d * n[0], v[1] - 2 * d * n[1], v[2] - 2 * d * n[2]]
  const f = clamp(k * (0.25 + 0.75 * (1 - Math.abs(d)) ** 3)),
    s = skyColor(S.light, r, true)
  return [base[0] * (1 - f) + s[0] * f, base[1] * (1 - f) + s[1] * f, base[2] * (1 - f) + s[2] * f]
}

import { getRayDirection, type Camera } from './camera.ts'
import type { SurfaceLight } from './gather.ts'
import {
  getColoredLampLight,
  getGlow,
  getGlowColor,
  getInfraredReflectance,
  getInfraredLight,
  getSkyColor,
  isInfrared,
  toneMap,
  type LightSetup,
} from './light.ts'
import { clamp, dot, normalize, type Vec3 } from './math.ts'
import type { Mesh } from './mesh.ts'
import type { RenderTarget } from './raster.ts'
import type { ShadowMap } from './shadow.ts'

/** Rendered static objects of a scene, and the data per pixel that drawing the actors needs. */
export interface StaticImage {
  cam: Camera
  light: LightSetup
  /** `sunny`, `shady`: RGBA pixels with and without the light of the sun or the key lamp. */
  sunny: Uint8ClampedArray
  shady: Uint8ClampedArray
  /** World point of each pixel (3 floats), 1e6 = sky. */
  pos: Float32Array
  normals: Float32Array
  /** 1/depth at twice the frame size, for hiding actors behind static objects. */
  z2: Float32Array
  /** Wind weight of each pixel. */
  sway: Float32Array
  /** Linear light of each pixel without headlights, and reflectance (at night only), 3 floats each. */
  linear: Float32Array
  albedo: Float32Array
  vignette: Float32Array
  sunMap: ShadowMap | null
  /** Center and radius of the region that the shadow maps cover. */
  center: Vec3
  radius: number
}

/** Returns the color of a surface point without sun and key lamp, and their contribution. */
function shadeSurfacePoint(
  stage: StaticImage,
  i: number,
  o: number,
  m: Mesh,
  target: RenderTarget,
  points: Float32Array,
  g: SurfaceLight,
): { base: Vec3; sun: Vec3 } {
  const light = stage.light,
    sc = (light.sun ?? light.keyLamp)?.color ?? [0, 0, 0],
    p: Vec3 = [points[o * 3]!, points[o * 3 + 1]!, points[o * 3 + 2]!],
    mat = m.materials[m.materialIds[target.id[o]!]!]!,
    n: Vec3 = [target.a[o]!, target.b[o]!, target.c[o]!]
  let a = mat.texture ? mat.texture(p, n) : mat.color
  const up = 0.5 - 0.5 * n[2],
    gr = light.sky.ground,
    glow = getGlow(light, mat),
    glowColor = getGlowColor(light, mat, mat.color)
  if (isInfrared(light)) {
    const k = getInfraredReflectance(mat, a[0], a[1], a[2])
    a = [k, k, k]
  }
  if (light.night) for (let c = 0; c < 3; c++) stage.albedo[i * 3 + c]! += a[c]! / 4
  const leaf = mat.leaf === true,
    infrared = isInfrared(light) ? getInfraredLight(light, stage.cam, p, n, leaf) : 0,
    lamp = getColoredLampLight(light, light.lamps, p, n, leaf, infrared)
  let base = [0, 1, 2].map(
    (c) => a[c]! * (g.sky[o * 3 + c]! + light.ambient[c]! + gr[c]! * up * 0.8 + lamp[c]!) + glow * glowColor[c]!,
  ) as Vec3
  if (mat.gloss && !isInfrared(light) && !(light.night && glow)) base = addReflection(stage, p, n, mat.gloss, base)
  const sun: Vec3 = [a[0] * sc[0] * g.sun[o]!, a[1] * sc[1] * g.sun[o]!, a[2] * sc[2] * g.sun[o]!]
  if (light.haze) {
    const h = 1 - Math.exp(-1 / (target.z[o]! * light.haze.far))
    for (let c = 0; c < 3; c++) {
      base[c] = base[c]! * (1 - h) + light.haze.color[c]! * h
      sun[c]! *= 1 - h
    }
  }
  stage.sway[i]! += (mat.sway ?? 0) / 4
  return { base, sun }
}

/** Shades the four subpixels of one pixel and stores their mean. */
export function shadePixel(
  stage: StaticImage,
  i: number,
  x: number,
  y: number,
  m: Mesh,
  target: RenderTarget,
  points: Float32Array,
  g: SurfaceLight,
): void {
  const light = stage.light,
    sum = [0, 0, 0, 0, 0, 0],
    ex = light.exposure * stage.vignette[i]!
  for (let q = 0; q < 4; q++) {
    const o = (y * 2 + (q >> 1)) * target.w + x * 2 + (q & 1)
    const { base, sun } =
      target.id[o]! < 0
        ? { base: getSkyColor(light, getRayDirection(stage.cam, x + 0.5, y + 0.5), true), sun: [0, 0, 0] as Vec3 }
        : shadeSurfacePoint(stage, i, o, m, target, points, g)
    for (let c = 0; c < 3; c++) {
      sum[c]! += toneMap(base[c]! * ex)
      sum[c + 3]! += toneMap((base[c]! + sun[c]!) * ex)
    }
    for (let c = 0; c < 3; c++) stage.linear[i * 3 + c]! += ((base[c]! + sun[c]!) * ex) / 4
  }
  const o0 = y * 2 * target.w + x * 2
  for (let c = 0; c < 3; c++) {
    stage.shady[i * 4 + c] = sum[c]! / 4
    stage.sunny[i * 4 + c] = sum[c + 3]! / 4
    stage.pos[i * 3 + c] = points[o0 * 3 + c]!
  }
  stage.normals[i * 3] = target.a[o0]!
  stage.normals[i * 3 + 1] = target.b[o0]!
  stage.normals[i * 3 + 2] = target.c[o0]!
  stage.shady[i * 4 + 3] = 255
  stage.sunny[i * 4 + 3] = 255
}

function addReflection(stage: StaticImage, p: Vec3, n: Vec3, k: number, base: Vec3): Vec3 {
  const v = normalize([p[0] - stage.cam.eye[0], p[1] - stage.cam.eye[1], p[2] - stage.cam.eye[2]]),
    d = dot(v, n)
  const r: Vec3 = [v[0] - 2 * d * n[0], v[1] - 2 * d * n[1], v[2] - 2 * d * n[2]]
  const f = clamp(k * (0.25 + 0.75 * (1 - Math.abs(d)) ** 3)),
    s = getSkyColor(stage.light, r, true)
  return [base[0] * (1 - f) + s[0] * f, base[1] * (1 - f) + s[1] * f, base[2] * (1 - f) + s[2] * f]
}

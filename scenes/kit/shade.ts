import type { StaticImage } from './pixel-shading.ts'
import {
  getColoredLampLight,
  getGlow,
  getGlowColor,
  getInfraredReflectance,
  getInfraredLight,
  getLampsLight,
  getPortalLight,
  getSkyColor,
  isInfrared,
  toneMap,
  type Lamp,
  type LightSetup,
} from './light.ts'
import { clamp, dot, mix, smoothstep, type Vec3 } from './math.ts'
import type { Material, Mesh } from './mesh.ts'
import { getLitFraction, type ShadowMap } from './shadow.ts'

/**
 * Vertex seen from the camera: position `p`, normal `n` (reversed if it clearly points away from the camera, except on
 * leaves), line of sight `v` from the camera and its length `d`.
 */
interface ViewedVertex {
  p: Vec3
  n: Vec3
  v: Vec3
  d: number
  /** Cosine between line of sight and normal, -1 = head-on. */
  facing: number
  mat: Material
  /** Reflectance at the vertex. */
  c: Vec3
  /** Fraction of the sky light that reaches the vertex; lower near the ground. */
  low: number
}

function viewVertex(m: Mesh, i: number, eye: Vec3): ViewedVertex {
  const o = i * 3,
    mat = m.materials[m.materialIds[i]!]!,
    p: Vec3 = [m.positions[o]!, m.positions[o + 1]!, m.positions[o + 2]!]
  let n: Vec3 = [m.normals[o]!, m.normals[o + 1]!, m.normals[o + 2]!]
  const v: Vec3 = [p[0] - eye[0], p[1] - eye[1], p[2] - eye[2]],
    d = Math.hypot(...v)
  let facing = dot(v, n) / d
  if (facing > 0.25 && !mat.leaf) {
    n = [-n[0], -n[1], -n[2]]
    facing = -facing
  }
  const c = mat.texture ? mat.texture(p, n) : mat.color
  return { p, n, v, d, facing, mat, c, low: 0.5 + 0.5 * smoothstep(0, 0.7, p[2] + n[2] * 0.25) }
}

function getNightTone(
  { p, n, facing, mat, c, low }: ViewedVertex,
  stage: StaticImage,
  light: LightSetup,
  lamps: Lamp[],
): number {
  const a = getInfraredReflectance(mat, c[0], c[1], c[2])
  return toneMap(
    light.exposure *
      (a *
        (getInfraredLight(light, stage.cam, p, n, false) * (0.45 + 0.55 * Math.max(0, -facing)) +
          getLampsLight(light.lamps, p, n, false) +
          getLampsLight(lamps, p, n, false) +
          light.ambient[0] +
          light.sky.zenith[0] * (0.6 + 0.4 * n[2]) * low) +
        (mat.nightGlow ?? 0) +
        (mat.gloss ?? 0) * 0.02),
  )
}

function getSunFraction(p: Vec3, n: Vec3, sun: Vec3, S: StaticImage, self: ShadowMap | null): number {
  let k = dot(n, sun)
  k = k > 0 ? k * 0.92 + 0.06 : Math.max(0, 0.06 + k * 0.3)
  if (k > 0 && S.sunMap) k *= getLitFraction(S.sunMap, p[0], p[1], p[2], 0.12)
  if (k > 0 && self) k *= 0.15 + 0.85 * getLitFraction(self, p[0], p[1], p[2], 0.05)
  return k
}

/** Returns the reflection of sky and sun in a glossy vertex that receives fraction `k` of the sunlight. */
function getReflection({ p, n, v, d, facing }: ViewedVertex, L: LightSetup, k: number): Vec3 {
  const t = 2 * facing * d
  let r = getSkyColor(L, [v[0] - t * n[0], v[1] - t * n[1], v[2] - t * n[2]], false)
  if (L.sun) {
    const q = clamp((dot(v, L.sun.dir) - t * dot(n, L.sun.dir)) / d) ** 60 * 4 * clamp(k * 3)
    r = [r[0] + q, r[1] + q, r[2] + q]
  }
  return L.portals && !L.outside?.(p[0], p[1]) ? [r[0] * 0.25, r[1] * 0.25, r[2] * 0.25] : r
}

function writeColor(
  q: ViewedVertex,
  S: StaticImage,
  L: LightSetup,
  self: ShadowMap | null,
  lamps: Lamp[],
  indoor: number,
  out: Float32Array,
  o: number,
): void {
  const { p, n, mat, c, low } = q,
    sun = L.sun,
    k = sun ? getSunFraction(p, n, sun.dir, S, self) : 0,
    w = 0.55 + 0.45 * n[2],
    port = L.portals ? getPortalLight(L.portals, p, n) : 0,
    glow = getGlow(L, mat),
    lamp = getColoredLampLight(L, lamps, p, n, false),
    glowColor = getGlowColor(L, mat, c)
  const z = L.sky.zenith,
    h = L.sky.horizon,
    g = L.sky.ground
  const f = clamp((mat.gloss ?? 0) * (0.2 + 0.8 * (1 + Math.min(0, q.facing)) ** 3)),
    r = f > 0.01 ? getReflection(q, L, k) : null
  for (let j = 0; j < 3; j++) {
    const amb =
      L.ambient[j]! + low * indoor * ((z[j]! * 0.5 + h[j]! * 0.5) * w + g[j]! * (1 - w) * 0.9) + port * h[j]! + lamp[j]!
    let x = c[j]! * (amb + (sun ? sun.color[j]! * k : 0)) + glow * glowColor[j]!
    if (r) x = x * (1 - f) + r[j]! * f
    if (L.inColor && L.haze) x = mix(L.haze.color[j]!, x, Math.exp(-q.d / L.haze.far))
    out[o + j] = toneMap(x * L.exposure)
  }
}

/**
 * Computes the display color (0..255, three floats) of every vertex of the actors. `self`: shadow map with which a
 * single actor casts shadows on itself; null without a sun or with several actors.
 */
export function shadeVertices(
  m: Mesh,
  S: StaticImage,
  L: LightSetup,
  self: ShadowMap | null,
  lamps: Lamp[],
  out: Float32Array,
  skyShare: number | ((p: Vec3) => number),
): void {
  const colorLamps = [...(L.lamps ?? []), ...(L.keyLamp ? [L.keyLamp] : []), ...(L.inColor ? lamps : [])]
  for (let i = 0; i < m.vertexCount; i++) {
    const q = viewVertex(m, i, S.cam.eye),
      o = i * 3
    if (isInfrared(L)) out[o] = out[o + 1] = out[o + 2] = getNightTone(q, S, L, lamps)
    else writeColor(q, S, L, self, colorLamps, typeof skyShare === 'number' ? skyShare : skyShare(q.p), out, o)
  }
}

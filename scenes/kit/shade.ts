import type { Stage } from './develop.ts'
import {
  getGlow,
  infrared,
  irAt,
  lampColor,
  lampsAt,
  portalsAt,
  skyColor,
  tone,
  type Lamp,
  type LightSetup,
} from './light.ts'
import { clamp, dot, smooth, type V3 } from './math.ts'
import type { Material, Mesh } from './mesh.ts'
import { lit, type ShadowMap } from './shadow.ts'

/** Vertex as seen by the camera: position, normal toward the camera, line of sight with length, material. */
interface Seen {
  p: V3
  n: V3
  v: V3
  d: number
  /** Cosine between line of sight and normal, -1 = head-on. */
  facing: number
  mat: Material
  /** Reflectance at the vertex. */
  c: V3
  /** Fraction of the sky light that reaches the vertex; lower near the ground. */
  low: number
}

function see(m: Mesh, i: number, eye: V3): Seen {
  const o = i * 3,
    mat = m.materials[m.vmat[i]!]!,
    p: V3 = [m.pos[o]!, m.pos[o + 1]!, m.pos[o + 2]!]
  let n: V3 = [m.nrm[o]!, m.nrm[o + 1]!, m.nrm[o + 2]!]
  const v: V3 = [p[0] - eye[0], p[1] - eye[1], p[2] - eye[2]],
    d = Math.hypot(...v)
  let facing = dot(v, n) / d
  if (facing > 0.25 && !mat.leaf) {
    n = [-n[0], -n[1], -n[2]]
    facing = -facing
  }
  const c = mat.texture ? mat.texture(p, n) : mat.color
  return { p, n, v, d, facing, mat, c, low: 0.5 + 0.5 * smooth(0, 0.7, p[2] + n[2] * 0.25) }
}

function nightTone({ p, n, facing, mat, c, low }: Seen, S: Stage, L: LightSetup, lamps: Lamp[]): number {
  const a = infrared(mat, c[0], c[1], c[2])
  return tone(
    L.exposure *
      (a *
        (irAt(L, S.cam, p, n, false) * (0.45 + 0.55 * Math.max(0, -facing)) +
          lampsAt(L.lamps, p, n, false) +
          lampsAt(lamps, p, n, false) +
          L.ambient[0] +
          L.sky.zenith[0] * (0.6 + 0.4 * n[2]) * low) +
        (mat.nightGlow ?? 0) +
        (mat.gloss ?? 0) * 0.02),
  )
}

function sunShare(p: V3, n: V3, sun: V3, S: Stage, self: ShadowMap | null): number {
  let k = dot(n, sun)
  k = k > 0 ? k * 0.92 + 0.06 : Math.max(0, 0.06 + k * 0.3)
  if (k > 0 && S.sunMap) k *= lit(S.sunMap, p[0], p[1], p[2], 0.12)
  if (k > 0 && self) k *= 0.15 + 0.85 * lit(self, p[0], p[1], p[2], 0.05)
  return k
}

/** Returns sky and sun mirrored in a glossy vertex that receives fraction `k` of the sun. */
function mirrored({ p, n, v, d, facing }: Seen, L: LightSetup, k: number): V3 {
  const t = 2 * facing * d
  let r = skyColor(L, [v[0] - t * n[0], v[1] - t * n[1], v[2] - t * n[2]], false)
  if (L.sun) {
    const q = clamp((dot(v, L.sun.dir) - t * dot(n, L.sun.dir)) / d) ** 60 * 4 * clamp(k * 3)
    r = [r[0] + q, r[1] + q, r[2] + q]
  }
  return L.portals && !L.outside?.(p[0], p[1]) ? [r[0] * 0.25, r[1] * 0.25, r[2] * 0.25] : r
}

function dayColor(
  q: Seen,
  S: Stage,
  L: LightSetup,
  self: ShadowMap | null,
  indoor: number,
  out: Float32Array,
  o: number,
): void {
  const { p, n, mat, c, low } = q,
    sun = L.sun,
    lamp = L.lamps ? lampsAt(L.lamps, p, n, false) : 0,
    k = sun ? sunShare(p, n, sun.dir, S, self) : 0,
    w = 0.55 + 0.45 * n[2],
    port = L.portals ? portalsAt(L.portals, p, n) : 0,
    glow = getGlow(L, mat),
    warm = lampColor(L)
  const z = L.sky.zenith,
    h = L.sky.horizon,
    g = L.sky.ground
  const f = clamp((mat.gloss ?? 0) * (0.2 + 0.8 * (1 + Math.min(0, q.facing)) ** 3)),
    r = f > 0.01 ? mirrored(q, L, k) : null
  for (let j = 0; j < 3; j++) {
    const amb =
      L.ambient[j]! +
      low * indoor * ((z[j]! * 0.5 + h[j]! * 0.5) * w + g[j]! * (1 - w) * 0.9) +
      port * h[j]! +
      lamp * warm[j]!
    let x = c[j]! * (amb + (sun ? sun.color[j]! * k : 0)) + glow * c[j]!
    if (r) x = x * (1 - f) + r[j]! * f
    out[o + j] = tone(x * L.exposure)
  }
}

/**
 * Computes the display color (0..255, three floats) of every vertex of the actors. `self` is the actors' own shadow
 * map.
 */
export function shade(
  m: Mesh,
  S: Stage,
  L: LightSetup,
  self: ShadowMap | null,
  lamps: Lamp[],
  out: Float32Array,
  share: number | ((p: V3) => number),
): void {
  for (let i = 0; i < m.nv; i++) {
    const q = see(m, i, S.cam.eye),
      o = i * 3
    if (L.night) out[o] = out[o + 1] = out[o + 2] = nightTone(q, S, L, lamps)
    else dayColor(q, S, L, self, typeof share === 'number' ? share : share(q.p), out, o)
  }
}

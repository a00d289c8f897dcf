import type { Stage } from './stage.ts'
import { infrared, irAt, lampsAt, portalsAt, skyColor, tone, type Lamp, type LightSetup } from './light.ts'
import { clamp, dot, smooth, type V3 } from './math.ts'
import type { Mesh } from './mesh.ts'
import { lit, type ShadowMap } from './shadow.ts'

/** Display colour (0..255, three floats) of every vertex of the actors. `self` is the actors' own shadow map. */
export function shade(
  m: Mesh,
  S: Stage,
  L: LightSetup,
  self: ShadowMap | null,
  lamps: Lamp[],
  out: Float32Array,
  share: number | ((p: V3) => number),
): void {
  const sun = L.sun,
    eye = S.cam.eye
  for (let i = 0; i < m.nv; i++) {
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
    const c = mat.texture ? mat.texture(p, n) : mat.color,
      ex = L.exposure
    const low = 0.5 + 0.5 * smooth(0, 0.7, p[2] + n[2] * 0.25)
    const glow = (L.night ? mat.nightGlow : mat.glow) ?? 0
    if (L.night) {
      const a = infrared(mat, c[0], c[1], c[2])
      const g = tone(
        ex *
          (a *
            (irAt(L, S.cam, p, n, false) * (0.45 + 0.55 * Math.max(0, -facing)) +
              lampsAt(L.lamps, p, n, false) +
              lampsAt(lamps, p, n, false) +
              L.ambient[0] +
              L.sky.zenith[0] * (0.6 + 0.4 * n[2]) * low) +
            glow +
            (mat.gloss ?? 0) * 0.02),
      )
      out[o] = out[o + 1] = out[o + 2] = g
      continue
    }
    const indoor = typeof share === 'number' ? share : share(p),
      lamp = L.lamps ? lampsAt(L.lamps, p, n, false) : 0
    let k = 0
    if (sun) {
      k = dot(n, sun.dir)
      k = k > 0 ? k * 0.92 + 0.06 : Math.max(0, 0.06 + k * 0.3)
      if (k > 0 && S.sunMap) k *= lit(S.sunMap, p[0], p[1], p[2], 0.12)
      if (k > 0 && self) k *= 0.15 + 0.85 * lit(self, p[0], p[1], p[2], 0.05)
    }
    const w = 0.55 + 0.45 * n[2],
      port = L.portals ? portalsAt(L.portals, p, n) : 0
    const z = L.sky.zenith,
      h = L.sky.horizon,
      g = L.sky.ground
    const f = clamp((mat.gloss ?? 0) * (0.2 + 0.8 * (1 + Math.min(0, facing)) ** 3))
    let r: V3 | null = null
    if (f > 0.01) {
      const t = 2 * facing * d
      r = skyColor(L, [v[0] - t * n[0], v[1] - t * n[1], v[2] - t * n[2]], false)
      if (sun) {
        const q = clamp((dot(v, sun.dir) - t * dot(n, sun.dir)) / d) ** 60 * 4 * clamp(k * 3)
        r = [r[0] + q, r[1] + q, r[2] + q]
      }
      if (L.portals && !L.outside?.(p[0], p[1])) r = [r[0] * 0.25, r[1] * 0.25, r[2] * 0.25]
    }
    for (let j = 0; j < 3; j++) {
      const amb =
        L.ambient[j]! + low * indoor * ((z[j]! * 0.5 + h[j]! * 0.5) * w + g[j]! * (1 - w) * 0.9) + port * h[j]! + lamp
      let q = c[j]! * (amb + (sun ? sun.color[j]! * k : 0)) + glow * c[j]!
      if (r) q = q * (1 - f) + r[j]! * f
      out[o + j] = tone(q * ex)
    }
  }
}

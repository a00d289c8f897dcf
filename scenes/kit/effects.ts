import { H, W, project } from './camera.ts'
import { lampsAt, tone, type Lamp } from './light.ts'
import { clamp, type V3 } from './math.ts'
import type { Stage } from './develop.ts'

export interface Glow {
  at: V3
  size: number
  power: number
}
export interface Spot {
  p: V3
  rx: number
  ry: number
  heading: number
  strength: number
}

/** Darkens the ground in a soft ellipse (rx along the heading). */
export function darken(F: Uint8ClampedArray, S: Stage, s: Spot): void {
  const c = project(S.cam, s.p)
  if (c[2] <= 0) return
  const r = Math.max(s.rx, s.ry) * S.cam.f * c[2] * 1.1,
    ch = Math.cos(s.heading),
    sh = Math.sin(s.heading)
  const x0 = Math.max(0, Math.floor(c[0] - r)),
    x1 = Math.min(W - 1, Math.ceil(c[0] + r)),
    y1 = Math.min(H - 1, Math.ceil(c[1] + r))
  for (let y = Math.max(0, Math.floor(c[1] - r)); y <= y1; y++) {
    for (let x = x0; x <= x1; x++) {
      const i = y * W + x,
        dx = S.pos[i * 3]! - s.p[0],
        dy = S.pos[i * 3 + 1]! - s.p[1],
        dz = S.pos[i * 3 + 2]! - s.p[2]
      if (Math.abs(dz) > 0.25) continue
      const u = (dx * ch + dy * sh) / s.rx,
        v = (-dx * sh + dy * ch) / s.ry,
        d = u * u + v * v
      if (d >= 1) continue
      const k = 1 - s.strength * (1 - d) ** 1.3,
        o = i * 4
      F[o] = F[o]! * k
      F[o + 1] = F[o + 1]! * k
      F[o + 2] = F[o + 2]! * k
    }
  }
}

/** Lights surfaces with headlamps at night; works in blocks, so that dark parts cost nothing. */
export function addBeams(F: Uint8ClampedArray, S: Stage, lamps: Lamp[]): void {
  const B = 8,
    P = S.pos,
    ex = S.light.exposure
  for (let by = 0; by < H; by += B) {
    for (let bx = 0; bx < W; bx += B) {
      const c = ((by + B / 2) * W + bx + B / 2) * 3
      if (P[c]! > 9e5 || lampsAt(lamps, [P[c]!, P[c + 1]!, P[c + 2]!], [0, 0, 1], true) < 0.004) continue
      for (let y = by; y < by + B; y++) {
        for (let x = bx; x < bx + B; x++) {
          const i = y * W + x,
            o = i * 4,
            q = i * 3
          if (P[q]! > 9e5) continue
          const e = lampsAt(lamps, [P[q]!, P[q + 1]!, P[q + 2]!], [S.nrm[q]!, S.nrm[q + 1]!, S.nrm[q + 2]!], false)
          if (e < 0.003) continue
          const g = tone(S.grey[i]! + e * S.albedo[i]! * ex * S.vig[i]!),
            k = g - tone(S.grey[i]!)
          F[o] = F[o]! + k
          F[o + 1] = F[o + 1]! + k
          F[o + 2] = F[o + 2]! + k
        }
      }
    }
  }
}

/** Draws the bloom of a light in the lens: bright core, wide halo, faint cross. */
export function addGlow(F: Uint8ClampedArray, S: Stage, g: Glow): void {
  const c = project(S.cam, g.at)
  if (c[2] <= 0) return
  const o = Math.round(clamp(c[1], 0, H - 1)) * 2 * W * 2 + Math.round(clamp(c[0], 0, W - 1)) * 2
  if (S.z2[o]! > c[2] * 1.12) return
  const r = Math.max(6, g.size * S.cam.f * c[2]),
    R = r * 2.2
  const x0 = Math.max(0, Math.floor(c[0] - R)),
    x1 = Math.min(W - 1, Math.ceil(c[0] + R)),
    y1 = Math.min(H - 1, Math.ceil(c[1] + R))
  for (let y = Math.max(0, Math.floor(c[1] - R)); y <= y1; y++) {
    for (let x = x0; x <= x1; x++) {
      const d = Math.hypot(x - c[0], y - c[1]) / r
      if (d > 2.2) continue
      const k = g.power * (Math.exp(-d * d * 14) + 0.3 * Math.exp(-d * 2.6) * (1 - d / 2.2)),
        i = (y * W + x) * 4
      F[i] = F[i]! + k
      F[i + 1] = F[i + 1]! + k
      F[i + 2] = F[i + 2]! + k
    }
  }
}

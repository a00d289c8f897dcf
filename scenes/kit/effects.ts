import { FRAME_HEIGHT, FRAME_WIDTH, project } from './camera.ts'
import { getLampsLight, toneMap, type Lamp } from './light.ts'
import { clamp, type Vec3 } from './math.ts'
import type { StaticImage } from './pixel-shading.ts'

const WHITE: Vec3 = [1, 1, 1]

export interface Glow {
  at: Vec3
  size: number
  power: number
  /** Largest component 1; white by default. */
  color?: Vec3
}
export interface GroundShadow {
  p: Vec3
  rx: number
  ry: number
  heading: number
  strength: number
}

/** Darkens the ground in a soft ellipse; its half axis `rx` points along the heading. */
export function darkenGround(frame: Uint8ClampedArray, stage: StaticImage, s: GroundShadow): void {
  const c = project(stage.cam, s.p)
  if (c[2] <= 0) return
  const r = Math.max(s.rx, s.ry) * stage.cam.f * c[2] * 1.1,
    ch = Math.cos(s.heading),
    sh = Math.sin(s.heading)
  const x0 = Math.max(0, Math.floor(c[0] - r)),
    x1 = Math.min(FRAME_WIDTH - 1, Math.ceil(c[0] + r)),
    y1 = Math.min(FRAME_HEIGHT - 1, Math.ceil(c[1] + r))
  for (let y = Math.max(0, Math.floor(c[1] - r)); y <= y1; y++) {
    for (let x = x0; x <= x1; x++) {
      const i = y * FRAME_WIDTH + x,
        dx = stage.pos[i * 3]! - s.p[0],
        dy = stage.pos[i * 3 + 1]! - s.p[1],
        dz = stage.pos[i * 3 + 2]! - s.p[2]
      if (Math.abs(dz) > 0.25) continue
      const u = (dx * ch + dy * sh) / s.rx,
        v = (-dx * sh + dy * ch) / s.ry,
        d = u * u + v * v
      if (d >= 1) continue
      const k = 1 - s.strength * (1 - d) ** 1.3,
        o = i * 4
      frame[o] = frame[o]! * k
      frame[o + 1] = frame[o + 1]! * k
      frame[o + 2] = frame[o + 2]! * k
    }
  }
}

/** Lights surfaces with headlamps of one color at night. Tests one point per 8x8 block first, to skip unlit blocks. */
export function drawBeams(frame: Uint8ClampedArray, stage: StaticImage, lamps: Lamp[]): void {
  const blockSize = 8,
    positions = stage.pos,
    ex = stage.light.exposure,
    color = lamps[0]?.color ?? WHITE
  for (let by = 0; by < FRAME_HEIGHT; by += blockSize) {
    for (let bx = 0; bx < FRAME_WIDTH; bx += blockSize) {
      const c = ((by + blockSize / 2) * FRAME_WIDTH + bx + blockSize / 2) * 3
      if (
        positions[c]! > 9e5 ||
        getLampsLight(lamps, [positions[c]!, positions[c + 1]!, positions[c + 2]!], [0, 0, 1], true) < 0.004
      )
        continue
      for (let y = by; y < by + blockSize; y++) {
        for (let x = bx; x < bx + blockSize; x++) {
          const i = y * FRAME_WIDTH + x,
            o = i * 4,
            q = i * 3
          if (positions[q]! > 9e5) continue
          const e = getLampsLight(
            lamps,
            [positions[q]!, positions[q + 1]!, positions[q + 2]!],
            [stage.normals[q]!, stage.normals[q + 1]!, stage.normals[q + 2]!],
            false,
          )
          if (e < 0.003) continue
          for (let c = 0; c < 3; c++) {
            const before = stage.linear[q + c]!,
              more = e * color[c]! * stage.albedo[q + c]! * ex * stage.vignette[i]!
            frame[o + c] = frame[o + c]! + toneMap(before + more) - toneMap(before)
          }
        }
      }
    }
  }
}

/** Draws the bloom of a light in the lens: a bright core and a wide halo. */
export function drawGlow(frame: Uint8ClampedArray, stage: StaticImage, g: Glow): void {
  const c = project(stage.cam, g.at)
  if (c[2] <= 0) return
  const o =
    Math.round(clamp(c[1], 0, FRAME_HEIGHT - 1)) * 2 * FRAME_WIDTH * 2 + Math.round(clamp(c[0], 0, FRAME_WIDTH - 1)) * 2
  if (stage.z2[o]! > c[2] * 1.12) return
  const r = Math.max(6, g.size * stage.cam.f * c[2]),
    R = r * 2.2,
    color = g.color ?? WHITE
  const x0 = Math.max(0, Math.floor(c[0] - R)),
    x1 = Math.min(FRAME_WIDTH - 1, Math.ceil(c[0] + R)),
    y1 = Math.min(FRAME_HEIGHT - 1, Math.ceil(c[1] + R))
  for (let y = Math.max(0, Math.floor(c[1] - R)); y <= y1; y++) {
    for (let x = x0; x <= x1; x++) {
      const d = Math.hypot(x - c[0], y - c[1]) / r
      if (d > 2.2) continue
      const k = g.power * (Math.exp(-d * d * 14) + 0.3 * Math.exp(-d * 2.6) * (1 - d / 2.2)),
        i = (y * FRAME_WIDTH + x) * 4
      for (let c = 0; c < 3; c++) frame[i + c] = frame[i + c]! + k * color[c]!
    }
  }
}

import type { Material } from './mesh.ts'
import type { Vec3 } from './math.ts'
import { hashCell, fbm, mix, mix3, mul, noise, smoothstep } from './math.ts'

/** Returns a lawn with patches of the color `dry`. `stripes`: angular frequency of mowing stripes, 0 = none. */
export function createGrass(base: Vec3, dry: Vec3, stripes = 0): Material {
  return {
    color: base,
    ir: 0.5,
    texture: (p) => {
      const big = fbm(p[0] * 0.35, p[1] * 0.35, 3),
        fine = noise(p[0] * 14, p[1] * 7),
        mid = fbm(p[0] * 2.1, p[1] * 1.4, 2)
      const s = stripes ? 0.06 * Math.sign(Math.sin(p[0] * stripes)) : 0
      return mul(mix3(base, dry, smoothstep(0.35, 0.8, big) * 0.8), 0.72 + 0.3 * mid + 0.24 * fine + s)
    },
  }
}

/** Returns poured concrete with joints every `sx` meters along x and every `sy` meters along y. */
export function createConcrete(base: Vec3, sx: number, sy: number, ox = 0, oy = 0): Material {
  return {
    color: base,
    texture: (p) => {
      const u = (p[0] - ox) / sx,
        v = (p[1] - oy) / sy
      const j = Math.min(Math.abs(u - Math.round(u)) * sx, Math.abs(v - Math.round(v)) * sy)
      const k =
        0.9 + 0.12 * hashCell(u, v) + 0.2 * (fbm(p[0] * 1.1, p[1] * 1.1, 4) - 0.5) + 0.05 * noise(p[0] * 30, p[1] * 30)
      return mul(base, k * mix(0.55, 1, smoothstep(0.008, 0.03, j)))
    },
  }
}

export const createAsphalt = (base: Vec3): Material => ({
  color: base,
  texture: (p) => mul(base, 0.85 + 0.3 * fbm(p[0] * 0.5, p[1] * 0.9, 3) + 0.08 * noise(p[0] * 20, p[1] * 20)),
})

export function createBrick(base: Vec3, mortar: Vec3): Material {
  return {
    color: base,
    texture: (p, n) => {
      const u = (Math.abs(n[0]) > 0.7 ? p[1] : p[0]) / 0.24,
        v = p[2] / 0.085,
        row = Math.floor(v),
        uu = u + (row & 1) * 0.5
      const e = Math.min(Math.abs(uu - Math.round(uu)) * 0.24, Math.abs(v - Math.round(v)) * 0.085)
      const c = mul(base, 0.68 + 0.55 * hashCell(uu, row) + 0.15 * noise(u * 9, v * 9))
      return mix3(mortar, c, smoothstep(0.004, 0.012, e))
    },
  }
}

export const createSiding = (base: Vec3, step = 0.16): Material => ({
  color: base,
  texture: (p) => {
    const f = p[2] / step - Math.floor(p[2] / step)
    return mul(base, (f < 0.1 ? 0.62 : 0.94 + 0.08 * f) * (0.96 + 0.08 * hashCell(0, p[2] / step)))
  },
})

export const createBoards = (base: Vec3, step = 0.14): Material => ({
  color: base,
  texture: (p, n) => {
    const s = Math.abs(n[0]) > 0.7 ? p[1] : p[0],
      f = s / step - Math.floor(s / step)
    return mul(
      base,
      (f < 0.08 ? 0.45 : 1) * (0.8 + 0.3 * hashCell(s / step, 3) + 0.2 * (noise(s * 30, p[2] * 1.6) - 0.5)),
    )
  },
})

export const createShingles = (base: Vec3): Material => ({
  color: base,
  texture: (p) => {
    const v = p[2] / 0.17,
      u = (p[0] + p[1]) / 0.4 + (Math.floor(v) & 1) * 0.5
    return mul(base, (v - Math.floor(v) < 0.18 ? 0.7 : 1) * (0.8 + 0.35 * hashCell(u, v)))
  },
})

/** Returns a floor of planks along y, `w` meters wide and `l` meters long. */
export const createPlanks = (base: Vec3, w = 0.13, l = 1.6): Material => ({
  color: base,
  gloss: 0.1,
  texture: (p) => {
    const u = p[0] / w,
      k = Math.floor(u),
      v = p[1] / l + hashCell(k, 9) * 3,
      f = u - k
    return mul(
      base,
      (f < 0.04 || v - Math.floor(v) < 0.006 ? 0.6 : 1) *
        (0.78 + 0.32 * hashCell(k, v) + 0.14 * (noise(p[0] * 40, p[1] * 2.5) - 0.5)),
    )
  },
})

export const createBark = (base: Vec3): Material => ({
  color: base,
  texture: (p) => mul(base, 0.6 + 0.8 * fbm(p[0] * 9 + p[1] * 9, p[2] * 1.8, 3)),
})

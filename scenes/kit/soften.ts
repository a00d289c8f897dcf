import { H, W } from './camera.ts'

const R = 4

/**
 * Smooths an RGBA frame but keeps edges, like the noise filter of a small camera: leaves and grass smear, outlines
 * stay.
 */
export function soften(src: Uint8ClampedArray, reach: number, range: number): Uint8ClampedArray {
  const out = new Uint8ClampedArray(src),
    near: number[] = [],
    tone = new Float32Array(766)
  for (let y = -R; y <= R; y++)
    for (let x = -R; x <= R; x++) near.push(Math.exp(-(x * x + y * y) / (2 * reach * reach)))
  for (let i = 0; i < 766; i++) tone[i] = Math.exp(-((i / 3) ** 2) / (2 * range * range))
  for (let y = 0; y < H; y++) {
    for (let x = 0; x < W; x++) {
      const o = (y * W + x) * 4,
        r = src[o]!,
        g = src[o + 1]!,
        b = src[o + 2]!
      let sr = 0,
        sg = 0,
        sb = 0,
        sw = 0
      for (let j = -R, k = 0; j <= R; j++) {
        const yy = y + j < 0 ? 0 : y + j >= H ? H - 1 : y + j
        for (let i = -R; i <= R; i++, k++) {
          const xx = x + i < 0 ? 0 : x + i >= W ? W - 1 : x + i,
            q = (yy * W + xx) * 4
          const dr = src[q]! - r,
            dg = src[q + 1]! - g,
            db = src[q + 2]! - b
          const w = near[k]! * tone[(dr < 0 ? -dr : dr) + (dg < 0 ? -dg : dg) + (db < 0 ? -db : db)]!
          sr += src[q]! * w
          sg += src[q + 1]! * w
          sb += src[q + 2]! * w
          sw += w
        }
      }
      out[o] = sr / sw
      out[o + 1] = sg / sw
      out[o + 2] = sb / sw
    }
  }
  return out
}

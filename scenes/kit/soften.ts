import { FRAME_HEIGHT, FRAME_WIDTH } from './camera.ts'
import { rng } from './math.ts'

const RADIUS_PX = 4

/**
 * Adds the same sensor noise to all frames: one value per 2x2 pixels, so that half the size still shows it. `strength`:
 * standard deviation as a fraction of white. The noise does not move, because moving noise needs many times the bytes.
 */
export function addGrain(frames: readonly Uint8ClampedArray[], strength: number): void {
  const random = rng(9)
  for (let y = 0; y < FRAME_HEIGHT; y += 2) {
    for (let x = 0; x < FRAME_WIDTH; x += 2) {
      // The sum of three uniform values has a standard deviation of 0.5.
      const k = (random() + random() + random() - 1.5) * 2 * strength * 255
      for (const i of [0, 1, FRAME_WIDTH, FRAME_WIDTH + 1])
        for (const frame of frames) for (let c = 0; c < 3; c++) frame[(y * FRAME_WIDTH + x + i) * 4 + c]! += k
    }
  }
}

/**
 * Applies a bilateral filter to an RGBA frame, like the noise filter of a small camera: leaves and grass smear,
 * outlines stay sharp. `spatialSigma` in pixels, `colorSigma` in color steps.
 */
export function applyBilateralFilter(
  src: Uint8ClampedArray,
  spatialSigma: number,
  colorSigma: number,
): Uint8ClampedArray {
  const out = new Uint8ClampedArray(src),
    spatialWeights: number[] = [],
    rangeWeights = new Float32Array(766)
  for (let y = -RADIUS_PX; y <= RADIUS_PX; y++)
    for (let x = -RADIUS_PX; x <= RADIUS_PX; x++)
      spatialWeights.push(Math.exp(-(x * x + y * y) / (2 * spatialSigma * spatialSigma)))
  for (let i = 0; i < 766; i++) rangeWeights[i] = Math.exp(-((i / 3) ** 2) / (2 * colorSigma * colorSigma))
  for (let y = 0; y < FRAME_HEIGHT; y++) {
    for (let x = 0; x < FRAME_WIDTH; x++) {
      const o = (y * FRAME_WIDTH + x) * 4,
        r = src[o]!,
        g = src[o + 1]!,
        b = src[o + 2]!
      let sr = 0,
        sg = 0,
        sb = 0,
        sw = 0
      for (let j = -RADIUS_PX, k = 0; j <= RADIUS_PX; j++) {
        const yy = y + j < 0 ? 0 : y + j >= FRAME_HEIGHT ? FRAME_HEIGHT - 1 : y + j
        for (let i = -RADIUS_PX; i <= RADIUS_PX; i++, k++) {
          const xx = x + i < 0 ? 0 : x + i >= FRAME_WIDTH ? FRAME_WIDTH - 1 : x + i,
            q = (yy * FRAME_WIDTH + xx) * 4
          const dr = src[q]! - r,
            dg = src[q + 1]! - g,
            db = src[q + 2]! - b
          const w = spatialWeights[k]! * rangeWeights[(dr < 0 ? -dr : dr) + (dg < 0 ? -dg : dg) + (db < 0 ? -db : db)]!
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

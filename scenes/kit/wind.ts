import { FRAME_HEIGHT, FRAME_WIDTH } from './camera.ts'
import { noise } from './math.ts'
import type { StaticImage } from './pixel-shading.ts'

/** Sways leaves by shifting their pixels slightly; the motion repeats every 20 s. */
export class Wind {
  #pixelIndices: Int32Array
  #weight: Float32Array
  #phase: Float32Array
  #sourcePixels: Uint8ClampedArray
  #strength: number

  constructor(S: StaticImage, strength: number) {
    const w = boxBlur(S.sway, 5),
      list: number[] = []
    for (let y = 3; y < FRAME_HEIGHT - 3; y++)
      for (let x = 3; x < FRAME_WIDTH - 3; x++) if (w[y * FRAME_WIDTH + x]! > 0.04) list.push(y * FRAME_WIDTH + x)
    this.#pixelIndices = Int32Array.from(strength > 0 ? list : [])
    this.#weight = Float32Array.from(this.#pixelIndices, (i) => Math.min(1, w[i]! * 1.2))
    this.#phase = Float32Array.from(
      this.#pixelIndices,
      (i) => noise((i % FRAME_WIDTH) / 70, Math.floor(i / FRAME_WIDTH) / 60) * 9,
    )
    this.#sourcePixels = S.sunny
    this.#strength = strength
  }

  /** Redraws the moving pixels of the frame for second `t`. */
  swayLeaves(F: Uint8ClampedArray, t: number): void {
    const a = (t / 20) * Math.PI * 2,
      S = this.#sourcePixels,
      gust = this.#strength * (0.65 + 0.35 * Math.sin(a))
    for (let j = 0; j < this.#pixelIndices.length; j++) {
      const p = this.#phase[j]!,
        w = this.#weight[j]! * gust,
        i = this.#pixelIndices[j]!
      const dx = w * 1.5 * (Math.sin(a * 4 + p) + 0.5 * Math.sin(a * 7 + p * 2.3)),
        dy = w * 0.5 * Math.sin(a * 5 + p * 1.7)
      const fx = Math.floor(dx),
        fy = Math.floor(dy),
        u = dx - fx,
        v = dy - fy,
        o = (i + fy * FRAME_WIDTH + fx) * 4,
        q = o + FRAME_WIDTH * 4,
        d = i * 4
      for (let c = 0; c < 3; c++) {
        F[d + c] = (S[o + c]! * (1 - u) + S[o + 4 + c]! * u) * (1 - v) + (S[q + c]! * (1 - u) + S[q + 4 + c]! * u) * v
      }
    }
  }
}

function boxBlur(a: Float32Array, r: number): Float32Array {
  let src = a
  for (const step of [1, FRAME_WIDTH]) {
    const out = new Float32Array(a.length),
      lim = step === 1 ? FRAME_WIDTH : FRAME_HEIGHT,
      lines = step === 1 ? FRAME_HEIGHT : FRAME_WIDTH,
      jump = step === 1 ? FRAME_WIDTH : 1
    for (let l = 0; l < lines; l++) {
      let s = 0
      for (let k = -r; k < lim; k++) {
        if (k + r < lim) s += src[l * jump + (k + r) * step]!
        if (k - r - 1 >= 0) s -= src[l * jump + (k - r - 1) * step]!
        if (k >= 0) out[l * jump + k * step] = s / (2 * r + 1)
      }
    }
    src = out
  }
  return src
}

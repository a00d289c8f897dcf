import { H, W } from './camera.ts'
import { noise } from './math.ts'
import type { Stage } from './develop.ts'

/** Sways leaves by shifting their pixels slightly; the motion repeats every 20 s. */
export class Wind {
  private at: Int32Array
  private weight: Float32Array
  private phase: Float32Array
  private src: Uint8ClampedArray
  private power: number

  constructor(S: Stage, power: number) {
    const w = blur(S.sway, 5),
      list: number[] = []
    for (let y = 3; y < H - 3; y++) for (let x = 3; x < W - 3; x++) if (w[y * W + x]! > 0.04) list.push(y * W + x)
    this.at = Int32Array.from(power > 0 ? list : [])
    this.weight = Float32Array.from(this.at, (i) => Math.min(1, w[i]! * 1.2))
    this.phase = Float32Array.from(this.at, (i) => noise((i % W) / 70, Math.floor(i / W) / 60) * 9)
    this.src = S.sunny
    this.power = power
  }

  /** Redraws the leaves of the frame at time t. */
  blow(F: Uint8ClampedArray, t: number): void {
    const a = (t / 20) * Math.PI * 2,
      S = this.src,
      gust = this.power * (0.65 + 0.35 * Math.sin(a))
    for (let j = 0; j < this.at.length; j++) {
      const p = this.phase[j]!,
        w = this.weight[j]! * gust,
        i = this.at[j]!
      const dx = w * 1.5 * (Math.sin(a * 4 + p) + 0.5 * Math.sin(a * 7 + p * 2.3)),
        dy = w * 0.5 * Math.sin(a * 5 + p * 1.7)
      const fx = Math.floor(dx),
        fy = Math.floor(dy),
        u = dx - fx,
        v = dy - fy,
        o = (i + fy * W + fx) * 4,
        q = o + W * 4,
        d = i * 4
      for (let c = 0; c < 3; c++) {
        F[d + c] = (S[o + c]! * (1 - u) + S[o + 4 + c]! * u) * (1 - v) + (S[q + c]! * (1 - u) + S[q + 4 + c]! * u) * v
      }
    }
  }
}

/** Returns a box blur of a one-channel image. */
function blur(a: Float32Array, r: number): Float32Array {
  let src = a
  for (const step of [1, W]) {
    const out = new Float32Array(a.length),
      lim = step === 1 ? W : H,
      lines = step === 1 ? H : W,
      jump = step === 1 ? W : 1
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

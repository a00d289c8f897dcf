import { rng } from '../math.ts'

/** Samples a second. */
export const RATE = 48_000
/** Mono samples, 1 = full scale. */
export type Sound = Float32Array<ArrayBuffer>

/** A sound from a function of the seconds since its beginning. */
export function sound(seconds: number, at: (t: number, i: number) => number): Sound {
  const out = new Float32Array(Math.round(seconds * RATE))
  for (let i = 0; i < out.length; i++) out[i] = at(i / RATE, i)
  return out
}

/** Adds a sound to a track from a second on; what would reach over its end begins it, so that a track can repeat. */
export function addTo(track: Sound, add: Sound, at: number, gain = 1): void {
  const from = Math.round(at * RATE)
  for (let i = 0; i < add.length; i++) track[(from + i) % track.length]! += add[i]! * gain
}

/** White noise in -1..1. */
export function hiss(seed: number): () => number {
  const random = rng(seed)
  return () => random() * 2 - 1
}

/** Up from 0 in `rise` seconds, then down with half of it gone each `half` seconds. */
export const pluck = (t: number, rise: number, half: number): number =>
  t < rise ? t / rise : 0.5 ** ((t - rise) / half)

/** Lets the tones about a frequency through: a resonance of a throat, a body, a room. `width` in Hz. */
export class Resonance {
  private a = 0
  private b = 0
  private gain = 0
  private y1 = 0
  private y2 = 0

  constructor(frequency: number, width: number) {
    this.tune(frequency, width)
  }

  tune(frequency: number, width: number): void {
    const r = Math.exp((-Math.PI * width) / RATE)
    this.b = -r * r
    this.a = 2 * r * Math.cos((2 * Math.PI * frequency) / RATE)
    this.gain = (1 - r) * 1.4
  }

  next(x: number): number {
    const y = this.gain * x + this.a * this.y1 + this.b * this.y2
    this.y2 = this.y1
    this.y1 = y
    return y
  }
}

/** Keeps what is below a frequency, gently. */
export function lowPass(frequency: number): (x: number) => number {
  const k = 1 - Math.exp((-2 * Math.PI * frequency) / RATE)
  let y = 0
  return (x) => (y += (x - y) * k)
}

/** Scales a sound so that its loudest sample is `peak`. */
export function atPeak(samples: Sound, peak: number): Sound {
  const top = samples.reduce((max, x) => Math.max(max, Math.abs(x)), 1e-9)
  return samples.map((x) => (x * peak) / top)
}

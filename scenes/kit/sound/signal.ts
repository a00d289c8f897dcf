import { rng } from '../math.ts'

/** Sample rate in Hz. */
export const RATE = 48_000
/** Mono samples, 1 = full scale. */
export type Sound = Float32Array<ArrayBuffer>

/** Returns a sound whose samples `at` computes from the seconds since the start. */
export function sound(seconds: number, at: (t: number, i: number) => number): Sound {
  const out = new Float32Array(Math.round(seconds * RATE))
  for (let i = 0; i < out.length; i++) out[i] = at(i / RATE, i)
  return out
}

/** Adds a sound to a track from second `at`; the part beyond the end wraps to the start, so that a track can repeat. */
export function addTo(track: Sound, add: Sound, at: number, gain = 1): void {
  const from = Math.round(at * RATE)
  for (let i = 0; i < add.length; i++) track[(from + i) % track.length]! += add[i]! * gain
}

/** Returns a generator of white noise in -1..1. */
export function hiss(seed: number): () => number {
  const random = rng(seed)
  return () => random() * 2 - 1
}

/** Returns an envelope that rises from 0 in `rise` seconds and then halves every `half` seconds. */
export const pluck = (t: number, rise: number, half: number): number =>
  t < rise ? t / rise : 0.5 ** ((t - rise) / half)

/** Band-pass filter around a frequency: a resonance of a throat, a body or a room. `width` in Hz. */
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

/** Returns a gentle low-pass filter. */
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

import { rng } from '../math.ts'

export const SAMPLE_RATE_HZ = 48_000
/** Mono samples, 1 = full scale. */
export type AudioSamples = Float32Array<ArrayBuffer>

/** Returns audio whose samples `at` computes from the seconds since the start (`t`) and the sample index (`i`). */
export function createSamples(seconds: number, at: (t: number, i: number) => number): AudioSamples {
  const out = new Float32Array(Math.round(seconds * SAMPLE_RATE_HZ))
  for (let i = 0; i < out.length; i++) out[i] = at(i / SAMPLE_RATE_HZ, i)
  return out
}

/** Mixes a sound into a track from second `at`. Samples past the end wrap to the start, so that the track can loop. */
export function mixInto(track: AudioSamples, addition: AudioSamples, at: number, gain = 1): void {
  const from = Math.round(at * SAMPLE_RATE_HZ)
  for (let i = 0; i < addition.length; i++) track[(from + i) % track.length]! += addition[i]! * gain
}

/** Returns a generator of white noise in -1..1. */
export function createWhiteNoise(seed: number): () => number {
  const random = rng(seed)
  return () => random() * 2 - 1
}

/**
 * Returns the value at second `t` of an envelope that rises from 0 to 1 in `rise` seconds and then halves every
 * `halfLife` seconds.
 */
export const getPluckEnvelope = (t: number, rise: number, halfLife: number): number =>
  t < rise ? t / rise : 0.5 ** ((t - rise) / halfLife)

/** Band-pass filter around a frequency, for example a formant of a voice. `width`: bandwidth in Hz. */
export class Resonator {
  #a = 0
  #b = 0
  #gain = 0
  #y1 = 0
  #y2 = 0

  constructor(frequency: number, width: number) {
    this.tune(frequency, width)
  }

  tune(frequency: number, width: number): void {
    const r = Math.exp((-Math.PI * width) / SAMPLE_RATE_HZ)
    this.#b = -r * r
    this.#a = 2 * r * Math.cos((2 * Math.PI * frequency) / SAMPLE_RATE_HZ)
    this.#gain = (1 - r) * 1.4
  }

  next(x: number): number {
    const y = this.#gain * x + this.#a * this.#y1 + this.#b * this.#y2
    this.#y2 = this.#y1
    this.#y1 = y
    return y
  }
}

/** Returns a first-order low-pass filter. `frequency`: cutoff in Hz. */
export function createLowPass(frequency: number): (x: number) => number {
  const k = 1 - Math.exp((-2 * Math.PI * frequency) / SAMPLE_RATE_HZ)
  let y = 0
  return (x) => (y += (x - y) * k)
}

/** Scales audio so that its largest absolute sample is `peak`. */
export function normalizePeak(samples: AudioSamples, peak: number): AudioSamples {
  const top = samples.reduce((max, x) => Math.max(max, Math.abs(x)), 1e-9)
  return samples.map((x) => (x * peak) / top)
}

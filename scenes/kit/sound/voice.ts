import { mix } from '../math.ts'
import {
  normalizePeak,
  createWhiteNoise,
  SAMPLE_RATE_HZ,
  Resonator,
  createSamples,
  type AudioSamples,
} from './signal.ts'

/** Settings of the voice synthesizer at one time; frequencies in Hz. */
interface VoiceKeyframe {
  /** Seconds from the start. */
  t: number
  pitch: number
  formants: [number, number, number]
  loud: number
  /** Fraction of breath noise in the voice, 0..1. */
  breath: number
}
export type VoiceKeyframes = readonly [VoiceKeyframe, ...VoiceKeyframe[]]

const UPDATE_INTERVAL_SAMPLES = 64

function interpolateKeyframes(keys: VoiceKeyframes, t: number): VoiceKeyframe {
  const i = keys.findIndex((key) => key.t > t)
  if (i === 0) return keys[0]
  const a = keys.at(i - 1)!,
    b = keys.at(i)!
  if (i < 0) return keys.at(-1)!
  const k = (t - a.t) / (b.t - a.t),
    f = (n: 0 | 1 | 2): number => mix(a.formants[n], b.formants[n], k)
  return {
    t,
    pitch: mix(a.pitch, b.pitch, k),
    formants: [f(0), f(1), f(2)],
    loud: mix(a.loud, b.loud, k),
    breath: mix(a.breath, b.breath, k),
  }
}

/**
 * Synthesizes a voice: glottal pulses and breath noise pass through three formant filters, whose settings are
 * interpolated between keyframes. The peak level is 1.
 */
export function synthesizeVoice(keys: VoiceKeyframes, seed: number): AudioSamples {
  const noise = createWhiteNoise(seed),
    formantFilters = keys[0].formants.map((f, n) => new Resonator(f, 70 + n * 50))
  let phase = 0,
    drift = 0,
    current = keys[0]
  return normalizePeak(
    createSamples(keys.at(-1)!.t, (t, i) => {
      if (i % UPDATE_INTERVAL_SAMPLES === 0) {
        current = interpolateKeyframes(keys, t)
        drift = drift * 0.9 + noise() * 0.006
        formantFilters.forEach((body, n) => body.tune(current.formants[n]!, 70 + n * 50))
      }
      phase = (phase + (current.pitch * (1 + drift)) / SAMPLE_RATE_HZ) % 1
      const pulse = phase < 0.6 ? Math.sin((Math.PI * phase) / 0.6) ** 2 - 0.45 : -0.45,
        x = current.loud * (pulse * (1 - current.breath) + noise() * current.breath)
      return formantFilters.reduce((sum, body, n) => sum + body.next(x) / (1 + n * 0.6), 0)
    }),
    1,
  )
}

import { mix } from '../math.ts'
import { atPeak, hiss, RATE, Resonance, sound, type Sound } from './signal.ts'

/** Settings of the synthetic throat at one time; frequencies in Hz. */
interface Set {
  /** Seconds from the start. */
  t: number
  pitch: number
  formants: [number, number, number]
  loud: number
  /** Fraction of breath in the voice. */
  breath: number
}
export type Keys = readonly [Set, ...Set[]]

const STEP = 64

function between(keys: Keys, t: number): Set {
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
 * Returns a voice: vocal cord pulses and breath through three resonances that glide from key to key. Loudest sample 1.
 */
export function voice(keys: Keys, seed: number): Sound {
  const noise = hiss(seed),
    bodies = keys[0].formants.map((f, n) => new Resonance(f, 70 + n * 50))
  let phase = 0,
    drift = 0,
    now = keys[0]
  return atPeak(
    sound(keys.at(-1)!.t, (t, i) => {
      if (i % STEP === 0) {
        now = between(keys, t)
        drift = drift * 0.9 + noise() * 0.006
        bodies.forEach((body, n) => body.tune(now.formants[n]!, 70 + n * 50))
      }
      phase = (phase + (now.pitch * (1 + drift)) / RATE) % 1
      const pulse = phase < 0.6 ? Math.sin((Math.PI * phase) / 0.6) ** 2 - 0.45 : -0.45,
        x = now.loud * (pulse * (1 - now.breath) + noise() * now.breath)
      return bodies.reduce((sum, body, n) => sum + body.next(x) / (1 + n * 0.6), 0)
    }),
    1,
  )
}

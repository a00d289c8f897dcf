import { rng } from '../math.ts'
import {
  mixInto,
  normalizePeak,
  createWhiteNoise,
  getPluckEnvelope,
  Resonator,
  createSamples,
  type AudioSamples,
} from './signal.ts'
import { synthesizeVoice, type VoiceKeyframes } from './voice.ts'

export function synthesizeBark(seed: number): AudioSamples {
  const pitchFactor = 1 + (rng(seed)() - 0.5) * 0.12
  return synthesizeVoice(
    [
      { t: 0, pitch: 240 * pitchFactor, formants: [480, 1000, 2300], loud: 0, breath: 0.6 },
      { t: 0.018, pitch: 430 * pitchFactor, formants: [720, 1350, 2600], loud: 1, breath: 0.34 },
      { t: 0.09, pitch: 520 * pitchFactor, formants: [850, 1500, 2700], loud: 0.9, breath: 0.3 },
      { t: 0.16, pitch: 330 * pitchFactor, formants: [600, 1150, 2400], loud: 0.35, breath: 0.45 },
      { t: 0.24, pitch: 210 * pitchFactor, formants: [480, 950, 2300], loud: 0, breath: 0.7 },
    ],
    seed,
  )
}

export function synthesizeMeow(seed: number): AudioSamples {
  const pitchFactor = 1 + (rng(seed)() - 0.5) * 0.2
  return synthesizeVoice(
    [
      { t: 0, pitch: 480 * pitchFactor, formants: [420, 2300, 3300], loud: 0, breath: 0.12 },
      { t: 0.1, pitch: 560 * pitchFactor, formants: [480, 2250, 3200], loud: 0.6, breath: 0.08 },
      { t: 0.34, pitch: 710 * pitchFactor, formants: [980, 1700, 2900], loud: 1, breath: 0.06 },
      { t: 0.62, pitch: 600 * pitchFactor, formants: [720, 1250, 2700], loud: 0.7, breath: 0.08 },
      { t: 0.86, pitch: 430 * pitchFactor, formants: [430, 900, 2500], loud: 0, breath: 0.15 },
    ],
    seed,
  )
}

/** First three formants in Hz of an adult man's vowels. */
const VOWELS: readonly [number, number, number][] = [
  [730, 1090, 2440],
  [530, 1840, 2480],
  [390, 1990, 2550],
  [570, 840, 2410],
  [440, 1020, 2240],
]

/** Returns speech without words: syllables at the pace of normal speech. `pitch` in Hz: 115 is a man, 290 a child. */
export function synthesizeTalk(seconds: number, pitch: number, seed: number): AudioSamples {
  const random = rng(seed),
    size = pitch > 200 ? 1.25 : 1,
    keys: VoiceKeyframes[number][] = [],
    silent = { formants: VOWELS[0]!, loud: 0, breath: 0.3 }
  for (let t = 0; t < seconds - 0.2;) {
    const vowel = VOWELS[Math.floor(random() * VOWELS.length)]!.map((f) => f * size) as [number, number, number],
      durationS = 0.12 + random() * 0.12,
      tune = pitch * (1.16 - (0.3 * t) / seconds + (random() - 0.5) * 0.22)
    keys.push({ ...silent, t, pitch: tune, formants: vowel, breath: 0.7 })
    keys.push({ t: t + 0.03, pitch: tune, formants: vowel, loud: 0.9, breath: 0.05 })
    keys.push({ t: t + durationS - 0.03, pitch: tune * 0.97, formants: vowel, loud: 0.75, breath: 0.06 })
    keys.push({ ...silent, t: t + durationS, pitch: tune * 0.95, formants: vowel })
    t += durationS + 0.02 + (random() < 0.16 ? 0.28 : random() * 0.05)
  }
  const [first, ...others] = keys
  return first ? synthesizeVoice([first, ...others], seed) : createSamples(seconds, () => 0)
}

/** Returns the sound of breaking glass: the impact, then splinters that ring and bounce. */
export function synthesizeBreakingGlass(seed: number): AudioSamples {
  const random = rng(seed),
    noise = createWhiteNoise(seed),
    out = createSamples(1.6, (t) => noise() * getPluckEnvelope(t, 0.001, 0.012) * 0.9)
  for (let i = 0; i < 46; i++) {
    const f = 1900 + random() ** 1.6 * 7600,
      half = 0.02 + random() * 0.09,
      at = i < 16 ? random() * 0.03 : random() ** 1.8 * 1.1
    const splinter = createSamples(0.4, (t) => Math.sin(2 * Math.PI * f * t) * getPluckEnvelope(t, 0.0008, half))
    mixInto(out, splinter, at, (0.5 * (0.3 + random())) / (1 + at * 5))
  }
  return normalizePeak(out, 1)
}

export function synthesizeBell(): AudioSamples {
  const tone = (f: number): AudioSamples =>
    createSamples(1.6, (t) =>
      [1, 2.01, 3.02].reduce(
        (sum, k, n) => sum + (Math.sin(2 * Math.PI * f * k * t) * getPluckEnvelope(t, 0.004, 0.34 / k)) / (1 + 2 * n),
        0,
      ),
    )
  const out = createSamples(2.4, () => 0)
  mixInto(out, tone(659), 0)
  mixInto(out, tone(523), 0.62)
  return normalizePeak(out, 1)
}

export function synthesizeChirps(seed: number): AudioSamples {
  const random = rng(seed),
    base = 2700 + random() * 1700,
    out = createSamples(1.3, () => 0)
  for (let n = 0, count = 3 + Math.floor(random() * 3); n < count; n++) {
    const rise = (random() - 0.4) * 9000,
      note = createSamples(
        0.09,
        (t) => Math.sin(2 * Math.PI * (base + rise * t) * t) * Math.sin((Math.PI * t) / 0.09) ** 2,
      )
    mixInto(out, note, n * 0.17 + random() * 0.03, 0.6 + random() * 0.4)
  }
  return out
}

export function synthesizeTick(seed: number): AudioSamples {
  const body = new Resonator(seed % 2 ? 1900 : 1600, 220),
    noise = createWhiteNoise(seed)
  return normalizePeak(
    createSamples(0.06, (t) => body.next(noise() * getPluckEnvelope(t, 0.0006, 0.004))),
    1,
  )
}

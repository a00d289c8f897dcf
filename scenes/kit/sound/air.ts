import { rng } from '../math.ts'
import { synthesizeChirps, synthesizeTick } from './calls.ts'
import {
  mixInto,
  normalizePeak,
  createWhiteNoise,
  createLowPass,
  SAMPLE_RATE_HZ,
  createSamples,
  type AudioSamples,
} from './signal.ts'

/** Period of the background audio, seconds. */
export const LOOP_SECONDS = 20
const loopRadiansPerSecond = (2 * Math.PI) / LOOP_SECONDS

/** Returns the sound of wind in leaves with gusts, as a seamless loop. */
function synthesizeWind(strength: number, seed: number): AudioSamples {
  const firstFilter = createLowPass(420),
    secondFilter = createLowPass(700),
    noise = createWhiteNoise(seed),
    fadeSamples = SAMPLE_RATE_HZ
  const untrimmed = createSamples(LOOP_SECONDS + 1, (t) => {
    const gust =
      0.55 + 0.25 * Math.sin(loopRadiansPerSecond * 3 * t + seed) + 0.2 * Math.sin(loopRadiansPerSecond * 7 * t)
    return secondFilter(firstFilter(noise())) * gust
  })
  const out = untrimmed.slice(0, LOOP_SECONDS * SAMPLE_RATE_HZ)
  for (let i = 0; i < fadeSamples; i++)
    out[i] = (out[i]! * i) / fadeSamples + untrimmed[LOOP_SECONDS * SAMPLE_RATE_HZ + i]! * (1 - i / fadeSamples)
  return normalizePeak(out, strength)
}

/** Returns the background audio of a garden or street: wind, with birds or crickets. */
export function synthesizeOutdoors(
  strength: number,
  animals: 'birds' | 'few birds' | 'crickets',
  seed: number,
): AudioSamples {
  const out = synthesizeWind(strength, seed),
    random = rng(seed)
  if (animals === 'crickets') {
    const cricket = createSamples(LOOP_SECONDS, (t) => {
      const pulse =
        Math.max(0, Math.sin(2 * Math.PI * 27 * t)) ** 2 * (Math.sin(loopRadiansPerSecond * 14 * t) > -0.2 ? 1 : 0)
      return Math.sin(2 * Math.PI * 4300 * t) * pulse
    })
    mixInto(out, cricket, 0, 0.012)
    return out
  }
  const count = animals === 'birds' ? 13 : 5
  for (let i = 0; i < count; i++)
    mixInto(out, synthesizeChirps(seed + i), ((i + random() * 0.7) * LOOP_SECONDS) / count, 0.03 + random() * 0.06)
  return out
}

/** Returns the background audio of a room: the hum of a fridge in the next room, and a ticking clock. */
export function synthesizeRoom(seed: number): AudioSamples {
  const low = createLowPass(260),
    noise = createWhiteNoise(seed),
    out = createSamples(LOOP_SECONDS, (t) => low(noise()) * 0.02 + 0.006 * Math.sin(2 * Math.PI * 100 * t))
  for (let s = 0; s < LOOP_SECONDS; s++) mixInto(out, synthesizeTick(s), s + 0.1, 0.035)
  return out
}

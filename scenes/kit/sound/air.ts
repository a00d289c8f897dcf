import { rng } from '../math.ts'
import { chirps, tick } from './calls.ts'
import { addTo, atPeak, hiss, lowPass, RATE, sound, type Sound } from './signal.ts'

/** Period of the background audio, seconds. */
export const PERIOD = 20
const turn = (2 * Math.PI) / PERIOD

/** Returns wind in leaves with gusts; the loop is seamless. */
function wind(strength: number, seed: number): Sound {
  const low = lowPass(420),
    lower = lowPass(700),
    noise = hiss(seed),
    edge = RATE
  const long = sound(PERIOD + 1, (t) => {
    const gust = 0.55 + 0.25 * Math.sin(turn * 3 * t + seed) + 0.2 * Math.sin(turn * 7 * t)
    return lower(low(noise())) * gust
  })
  const out = long.slice(0, PERIOD * RATE)
  for (let i = 0; i < edge; i++) out[i] = (out[i]! * i) / edge + long[PERIOD * RATE + i]! * (1 - i / edge)
  return atPeak(out, strength)
}

/** Returns the background of a garden or street: wind, and birds by day or crickets by night. */
export function outdoors(strength: number, life: 'birds' | 'few birds' | 'crickets', seed: number): Sound {
  const out = wind(strength, seed),
    random = rng(seed)
  if (life === 'crickets') {
    const cricket = sound(PERIOD, (t) => {
      const pulse = Math.max(0, Math.sin(2 * Math.PI * 27 * t)) ** 2 * (Math.sin(turn * 14 * t) > -0.2 ? 1 : 0)
      return Math.sin(2 * Math.PI * 4300 * t) * pulse
    })
    addTo(out, cricket, 0, 0.012)
    return out
  }
  const count = life === 'birds' ? 13 : 5
  for (let i = 0; i < count; i++)
    addTo(out, chirps(seed + i), ((i + random() * 0.7) * PERIOD) / count, 0.03 + random() * 0.06)
  return out
}

/** Returns the background of a room: the hum of a fridge next door and a wall clock. */
export function room(seed: number): Sound {
  const low = lowPass(260),
    noise = hiss(seed),
    out = sound(PERIOD, (t) => low(noise()) * 0.02 + 0.006 * Math.sin(2 * Math.PI * 100 * t))
  for (let s = 0; s < PERIOD; s++) addTo(out, tick(s), s + 0.1, 0.035)
  return out
}

import type { Gait } from './beast-types.ts'
import { mix, smooth, type V3 } from './math.ts'
import { turnTo } from './path.ts'

/** Keyframe of an animal's path. Between two keyframes the animal walks, or leaps if the height changes. */
export interface Key {
  t: number
  at: V3
  face?: number
  sit?: number
  lie?: number
  look?: number
  nod?: number
  run?: number
}

/** Returns the pose at `t`, interpolated between keyframes; null before the first keyframe and after the last. */
export function prowl(keys: Key[], t: number): Gait | null {
  const n = keys.length
  if (t < keys[0]!.t || t >= keys[n - 1]!.t) return null
  let i = 0,
    walked = 0,
    heading = 0
  const dir = (k: number): number | undefined => {
    const a = keys[k]!,
      b = keys[k + 1]!,
      dx = b.at[0] - a.at[0],
      dy = b.at[1] - a.at[1]
    return Math.hypot(dx, dy) > 0.05 ? Math.atan2(dy, dx) : undefined
  }
  while (i < n - 2 && t >= keys[i + 1]!.t) {
    walked += Math.hypot(keys[i + 1]!.at[0] - keys[i]!.at[0], keys[i + 1]!.at[1] - keys[i]!.at[1])
    heading = keys[i]!.face ?? dir(i) ?? heading
    i++
  }
  const a = keys[i]!,
    b = keys[i + 1]!,
    T = b.t - a.t,
    u = (t - a.t) / T,
    len = Math.hypot(b.at[0] - a.at[0], b.at[1] - a.at[1]),
    rise = b.at[2] - a.at[2],
    leap = Math.abs(rise) > 0.12
  const still = len < 0.05,
    from = i > 0 ? heading : (a.face ?? dir(i) ?? 0),
    to = a.face ?? dir(i) ?? from
  const prevStill = i === 0 ? false : Math.hypot(a.at[0] - keys[i - 1]!.at[0], a.at[1] - keys[i - 1]!.at[1]) < 0.05,
    nextStill = i + 2 < n ? Math.hypot(keys[i + 2]!.at[0] - b.at[0], keys[i + 2]!.at[1] - b.at[1]) < 0.05 : false
  const v = leap ? smooth(0, 1, u) * 0.3 + u * 0.7 : ease(u, prevStill, nextStill)
  const st = (k: 'sit' | 'lie' | 'look' | 'nod'): number =>
    mix(a[k] ?? 0, b[k] ?? 0, smooth(0, Math.min(1, 0.8 / T), still ? u : Math.max(0, u - 0)))
  const z = leap
    ? mix(a.at[2], b.at[2], v) + Math.sin(Math.PI * Math.min(1, v)) * (0.22 + Math.max(0, rise) * 0.25)
    : mix(a.at[2], b.at[2], v)
  return {
    at: [mix(a.at[0], b.at[0], v), mix(a.at[1], b.at[1], v), z],
    heading: turnTo(from, to, smooth(0, 0.45 / T, u)),
    walked: walked + len * v,
    gait: still
      ? 0
      : leap
        ? 0.3
        : (a.run ?? 1) * (prevStill ? smooth(0, 0.2, u) : 1) * (nextStill ? 1 - smooth(0.8, 1, u) : 1),
    pitch: leap ? (rise > 0 ? 0.7 * (1 - u * 1.4) : -0.6 * Math.sin(Math.PI * u)) : 0,
    sit: st('sit'),
    lie: st('lie'),
    look: st('look'),
    nod: st('nod'),
    t,
  }
}

/**
 * Returns the covered fraction of the distance between two keyframes, slower near a keyframe at which the animal rests.
 */
function ease(u: number, slowIn: boolean, slowOut: boolean): number {
  if (slowIn && slowOut) return smooth(0, 1, u)
  if (slowIn) return u * u * (2 - u) * 0.6 + u * 0.4 - 0.0 * u
  if (slowOut) {
    const w = 1 - u
    return 1 - (w * w * (2 - w) * 0.6 + w * 0.4)
  }
  return u
}

import type { AnimalPose } from './beast-types.ts'
import { mix, smoothstep, type Vec3 } from './math.ts'
import { blendHeading } from './path.ts'

/** Keyframe of an animal's path. Between two keyframes the animal walks, or leaps if the height changes. */
export interface AnimalKeyframe {
  t: number
  at: Vec3
  face?: number
  sit?: number
  lie?: number
  look?: number
  nod?: number
  run?: number
}

/** Returns the pose at `t`, interpolated between keyframes; null before the first and from the last keyframe on. */
export function getAnimalPose(keys: AnimalKeyframe[], t: number): AnimalPose | null {
  const n = keys.length
  if (t < keys[0]!.t || t >= keys[n - 1]!.t) return null
  let i = 0,
    walked = 0,
    heading = 0
  const getHeading = (k: number): number | undefined => {
    const a = keys[k]!,
      b = keys[k + 1]!,
      dx = b.at[0] - a.at[0],
      dy = b.at[1] - a.at[1]
    return Math.hypot(dx, dy) > 0.05 ? Math.atan2(dy, dx) : undefined
  }
  while (i < n - 2 && t >= keys[i + 1]!.t) {
    walked += Math.hypot(keys[i + 1]!.at[0] - keys[i]!.at[0], keys[i + 1]!.at[1] - keys[i]!.at[1])
    heading = keys[i]!.face ?? getHeading(i) ?? heading
    i++
  }
  const a = keys[i]!,
    b = keys[i + 1]!,
    durationS = b.t - a.t,
    u = (t - a.t) / durationS,
    len = Math.hypot(b.at[0] - a.at[0], b.at[1] - a.at[1]),
    rise = b.at[2] - a.at[2],
    isLeap = Math.abs(rise) > 0.12
  const isStill = len < 0.05,
    from = i > 0 ? heading : (a.face ?? getHeading(i) ?? 0),
    to = a.face ?? getHeading(i) ?? from
  const wasStill = i === 0 ? false : Math.hypot(a.at[0] - keys[i - 1]!.at[0], a.at[1] - keys[i - 1]!.at[1]) < 0.05,
    willBeStill = i + 2 < n ? Math.hypot(keys[i + 2]!.at[0] - b.at[0], keys[i + 2]!.at[1] - b.at[1]) < 0.05 : false
  const v = isLeap ? smoothstep(0, 1, u) * 0.3 + u * 0.7 : easeDistance(u, wasStill, willBeStill)
  const interpolate = (k: 'sit' | 'lie' | 'look' | 'nod'): number =>
    mix(a[k] ?? 0, b[k] ?? 0, smoothstep(0, Math.min(1, 0.8 / durationS), isStill ? u : Math.max(0, u - 0)))
  const z = isLeap
    ? mix(a.at[2], b.at[2], v) + Math.sin(Math.PI * Math.min(1, v)) * (0.22 + Math.max(0, rise) * 0.25)
    : mix(a.at[2], b.at[2], v)
  return {
    at: [mix(a.at[0], b.at[0], v), mix(a.at[1], b.at[1], v), z],
    heading: blendHeading(from, to, smoothstep(0, 0.45 / durationS, u)),
    walked: walked + len * v,
    gait: isStill
      ? 0
      : isLeap
        ? 0.3
        : (a.run ?? 1) * (wasStill ? smoothstep(0, 0.2, u) : 1) * (willBeStill ? 1 - smoothstep(0.8, 1, u) : 1),
    pitch: isLeap ? (rise > 0 ? 0.7 * (1 - u * 1.4) : -0.6 * Math.sin(Math.PI * u)) : 0,
    sit: interpolate('sit'),
    lie: interpolate('lie'),
    look: interpolate('look'),
    nod: interpolate('nod'),
    t,
  }
}

function easeDistance(u: number, slowIn: boolean, slowOut: boolean): number {
  if (slowIn && slowOut) return smoothstep(0, 1, u)
  if (slowIn) return u * u * (2 - u) * 0.6 + u * 0.4 - 0.0 * u
  if (slowOut) {
    const w = 1 - u
    return 1 - (w * w * (2 - w) * 0.6 + w * 0.4)
  }
  return u
}

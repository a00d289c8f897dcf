import { fbm } from '../../kit/math.ts'
import type { Material } from '../../kit/mesh.ts'

export const SNOW: Material = {
  color: [0.74, 0.77, 0.82],
  ir: 0.55,
  texture: (p) => {
    const k = 0.9 + 0.14 * fbm(p[0] * 0.7, p[1] * 0.7, 3)
    return [0.74 * k, 0.77 * k, 0.82 * k]
  },
}
export const CLEARED_PAVEMENT: Material = {
  color: [0.42, 0.42, 0.43],
  texture: (p) => {
    const f = fbm(p[0] * 0.6, p[1] * 1.6, 3),
      k = f > 0.56 ? 1.45 : 0.95 + 0.1 * f
    return [0.42 * k, 0.42 * k, 0.44 * k]
  },
}
/** Road with snow between the tire tracks. */
export const ROAD: Material = {
  color: [0.16, 0.165, 0.18],
  texture: (p) => {
    const w = Math.abs(Math.sin(p[1] * 1.795 + 0.2)),
      s = fbm(p[0] * 0.35, p[1] * 2.4, 3),
      k = 0.8 + 0.3 * s,
      snow = Math.max(0, Math.min(1, (s + (1 - w) * 0.5 - 0.72) * 4))
    return [0.15 * k + snow * 0.45, 0.155 * k + snow * 0.47, 0.17 * k + snow * 0.5]
  },
}

import type { Vec3 } from './math.ts'
import { clamp, dot, fbm, mix, mix3, mul, smoothstep, sub, normalize } from './math.ts'
import type { Camera } from './camera.ts'
import type { Material } from './mesh.ts'

/** Window that lets daylight into a room: corner `o`, edges `u` and `v`. Light travels along u x v (cross product). */
export interface LightPortal {
  o: Vec3
  u: Vec3
  v: Vec3
  power: number
}
/** Small lamp that shines in all directions or, with `dir`, in a cone. */
export interface Lamp {
  at: Vec3
  power: number
  reach: number
  dir?: Vec3
  /** Linear color; by default warm at dusk and on nights in color, else white. */
  color?: Vec3
  isOffAtDusk?: true
}

export interface LightSetup {
  night: boolean
  /** True on a night that is lit by lamps instead of infrared light. */
  inColor?: true
  /** Lamp that casts shadows, on nights in color. */
  keyLamp?: Lamp
  /** Standard deviation of the sensor noise, as a fraction of white. */
  grain?: number
  /** True at dusk: lamps and lit windows glow warmly, although there is still daylight. */
  dusk?: true
  sun?: { dir: Vec3; color: Vec3; soft: number }
  sky: { zenith: Vec3; horizon: Vec3; ground: Vec3; clouds: number; seed?: number }
  ambient: Vec3
  portals?: LightPortal[]
  /** Returns true if a point lies outside the room whose windows are the portals. */
  outside?: (x: number, y: number) => boolean
  /** Infrared lamp beside the lens. `reach`: meters to half brightness. `spread`: width of the hotspot. */
  ir?: { power: number; reach: number; spread: number }
  lamps?: Lamp[]
  exposure: number
  haze?: { color: Vec3; far: number }
}

export const isInfrared = (L: LightSetup): boolean => L.night && !L.inColor

export function getGlow(L: LightSetup, m: Material): number {
  if (L.night) return m.nightGlow ?? 0
  return L.dusk ? (m.duskGlow ?? Math.max(0.4 * (m.glow ?? 0), 0.5 * (m.nightGlow ?? 0))) : (m.glow ?? 0)
}
const WARM_LIGHT: Vec3 = [1, 0.66, 0.34],
  WHITE_LIGHT: Vec3 = [1, 1, 1],
  INFRARED_GLOW: Vec3 = [0.5, 0.5, 0.5]
const getLampColor = (L: LightSetup): Vec3 => (L.dusk || L.inColor ? WARM_LIGHT : WHITE_LIGHT)

/** Returns the light that a surface of material `m` emits per unit of glow. `c`: color of the surface. */
export function getGlowColor(L: LightSetup, m: Material, c: Vec3): Vec3 {
  if (!L.night) return c
  return L.inColor ? mul(m.glowColor ?? mul(c, 1 / Math.max(...c)), 0.5) : INFRARED_GLOW
}

const TONE_CURVE = new Uint8Array(4096)
for (let i = 0; i < 4096; i++) {
  const x = i / 1024,
    y = clamp((x * (2.51 * x + 0.03)) / (x * (2.43 * x + 0.59) + 0.14))
  TONE_CURVE[i] = Math.round(255 * y ** (1 / 2.05))
}
/** Returns the display value 0..255 of a linear light value. */
export const toneMap = (x: number): number => TONE_CURVE[x <= 0 ? 0 : x >= 3.999 ? 4095 : (x * 1024) | 0]!

/** Returns the gray reflectance of a color under infrared light. */
export const getInfraredReflectance = (m: Material, r: number, g: number, b: number): number =>
  m.ir !== undefined
    ? m.ir * (0.6 + (0.4 * (r + g + b)) / (m.color[0] + m.color[1] + m.color[2] + 1e-3))
    : 0.14 + 0.62 * (0.4 * r + 0.45 * g + 0.15 * b)

export function getSkyColor(s: LightSetup, d: Vec3, detailed: boolean): Vec3 {
  const up = clamp(d[2] / Math.hypot(...d), -1, 1)
  let c = up < 0 ? s.sky.ground : mix3(s.sky.horizon, s.sky.zenith, up ** 0.55)
  if (detailed && s.sky.clouds > 0 && up > 0.01) {
    const k = 1.3 / (up + 0.12),
      o = s.sky.seed ?? 0
    const f = fbm(d[0] * k * 0.8 + o, d[1] * k * 0.5 + o * 2.7, 5),
      w = smoothstep(0.62 - 0.3 * s.sky.clouds, 0.86 - 0.2 * s.sky.clouds, f)
    c = mix3(c, mix3([0.8, 0.84, 0.9], [1.25, 1.22, 1.18], smoothstep(0.5, 0.75, f)), w * 0.85)
  }
  return c
}

/** Returns the light of the infrared lamp on a surface: `p` point, `n` unit normal. */
export function getInfraredLight(s: LightSetup, cam: Camera, p: Vec3, n: Vec3, leaf: boolean): number {
  if (!s.ir) return 0
  const v = sub(cam.eye, p),
    d = Math.hypot(...v),
    c = dot(v, n) / d
  const f = leaf ? 0.3 + 0.35 * Math.abs(c) : Math.max(0, c) ** 0.6
  const side = -dot(v, cam.fwd) / d,
    spot = 0.12 + 0.88 * Math.exp(-(1 - side) * (9 / s.ir.spread))
  return (s.ir.power * f * spot * Math.min(1, d / 2)) / (1 + (d / s.ir.reach) ** 2)
}

/** Returns the light of one lamp at point `p` of a surface with unit normal `n`. */
export function getLampLight(lamp: Lamp, p: Vec3, n: Vec3, leaf: boolean): number {
  const x = lamp.at[0] - p[0],
    y = lamp.at[1] - p[1],
    z = lamp.at[2] - p[2],
    d = Math.hypot(x, y, z),
    c = leaf ? 0.5 : clamp((x * n[0] + y * n[1] + z * n[2]) / d + 0.05)
  if (c <= 0) return 0
  const cone = lamp.dir ? smoothstep(0.74, 0.985, -(x * lamp.dir[0] + y * lamp.dir[1] + z * lamp.dir[2]) / d) : 1
  return (lamp.power * c * cone) / (0.3 + (d / lamp.reach) ** 2)
}

export function getLampsLight(lamps: Lamp[] | undefined, p: Vec3, n: Vec3, leaf: boolean): number {
  let e = 0
  for (const lamp of lamps ?? []) e += getLampLight(lamp, p, n, leaf)
  return e
}

/**
 * Returns the light of lamps with their colors. `plain`: light of further lamps that have the default color, for
 * example the infrared lamp.
 */
export function getColoredLampLight(
  L: LightSetup,
  lamps: Lamp[] | undefined,
  p: Vec3,
  n: Vec3,
  leaf: boolean,
  plain = 0,
): Vec3 {
  let uncolored = 0
  const sum: Vec3 = [0, 0, 0]
  for (const lamp of lamps ?? []) {
    const e = getLampLight(lamp, p, n, leaf)
    if (!lamp.color) uncolored += e
    else for (let c = 0; e > 0 && c < 3; c++) sum[c]! += e * lamp.color[c]!
  }
  const base = getLampColor(L)
  for (let c = 0; c < 3; c++) sum[c]! += (uncolored + plain) * base[c]!
  return sum
}

/** Returns the daylight from the windows at a point of an actor's surface. */
export function getPortalLight(ports: LightPortal[], p: Vec3, n: Vec3): number {
  let e = 0
  for (const w of ports) {
    const c: Vec3 = [w.o[0] + (w.u[0] + w.v[0]) / 2, w.o[1] + (w.u[1] + w.v[1]) / 2, w.o[2] + (w.u[2] + w.v[2]) / 2]
    const v = sub(c, p),
      d2 = dot(v, v) + 0.3,
      l = normalize(v),
      area = Math.hypot(...w.u) * Math.hypot(...w.v)
    e += (w.power * area * (0.25 + 0.75 * Math.max(0, dot(l, n)))) / (d2 * 2.2)
  }
  return e
}

/** Returns the power of the window through which the ray from p along d leaves the room; 0 if there is none. */
export function getPortalPower(ports: LightPortal[], p: Vec3, d: Vec3): number {
  for (const w of ports) {
    const n: Vec3 = [
      w.u[1] * w.v[2] - w.u[2] * w.v[1],
      w.u[2] * w.v[0] - w.u[0] * w.v[2],
      w.u[0] * w.v[1] - w.u[1] * w.v[0],
    ]
    const den = dot(n, d)
    if (den > -1e-6) continue
    const t = dot(n, sub(w.o, p)) / den
    if (t <= 0) continue
    const q: Vec3 = [p[0] + d[0] * t - w.o[0], p[1] + d[1] * t - w.o[1], p[2] + d[2] * t - w.o[2]]
    const a = dot(q, w.u) / dot(w.u, w.u),
      b = dot(q, w.v) / dot(w.v, w.v)
    if (a > 0 && a < 1 && b > 0 && b < 1) return w.power
  }
  return 0
}

/** Returns evenly spread directions over the upper half (or whole) sphere. */
export function listSphereDirections(n: number, isWholeSphere = false): Vec3[] {
  const out: Vec3[] = []
  for (let i = 0; i < n; i++) {
    const z = isWholeSphere ? 1 - (2 * (i + 0.5)) / n : 1 - (i + 0.5) / n,
      r = Math.sqrt(1 - z * z),
      a = i * 2.399963
    out.push([r * Math.cos(a), r * Math.sin(a), Math.max(z, isWholeSphere ? -1 : 0.06)])
  }
  return out
}

/** Returns the vignetting factor (1 at the center), which darkens the corners. `x`, `y`: -1..1 across the frame. */
export const getVignette = (x: number, y: number): number =>
  mix(1, 0.62, smoothstep(0.35, 1.25, Math.hypot(x * 0.95, y * 0.9)))

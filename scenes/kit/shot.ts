import { castActor, type Span } from './actor-shadow.ts'
import { H, W } from './camera.ts'
import { shade } from './shade.ts'
import type { ShadowMap } from './shadow.ts'
import type { Lamp, LightSetup } from './light.ts'
import { clamp, type V3 } from './math.ts'
import { Mesh } from './mesh.ts'
import { fill, projectAll, target } from './raster.ts'
import type { Stage } from './develop.ts'
import { addBeams, addGlow, darken, type Glow, type Spot } from './effects.ts'
import { Wind } from './wind.ts'

export interface ActorBox {
  kind: string
  x: number
  y: number
  w: number
  h: number
}
interface Part extends Span {
  kind: string
}

/** View of one camera: draws frames of actors onto the static image of a stage. */
export class Shot {
  readonly stage: Stage
  /** Finished frame, RGBA 1280x720. */
  readonly frame = new Uint8ClampedArray(W * H * 4)
  readonly mesh = new Mesh()
  boxes: ActorBox[] = []
  /** Fraction of sky light that reaches the actors (below 1 under a roof or indoors). */
  skyShare: number | ((p: V3) => number) = 1
  /** Scene with the garage door open, and the fraction (0..1) by which the door is open in this frame. */
  openStage: Stage | null = null
  openness = 0
  private parts: Part[] = []
  private lamps: Lamp[] = []
  private glows: Glow[] = []
  private spots: Spot[] = []
  private T = target(W * 2, H * 2, 2)
  private scr = new Float32Array(3 * 65536)
  private val = new Float32Array(3 * 65536)
  private wind: Wind
  private touched: number[] = []
  private behind: number[] = []

  constructor(stage: Stage, windy = 1) {
    this.stage = stage
    this.wind = new Wind(stage, windy)
  }

  get night(): boolean {
    return this.stage.light.night
  }

  /** Draws an actor and records its bounding box under `kind` ('' = none). */
  actor(kind: string, draw: (m: Mesh) => void): void {
    const m = this.mesh,
      v0 = m.nv,
      t0 = m.nt
    draw(m)
    m.at = null
    this.parts.push({ kind, v0, v1: m.nv, t0, t1: m.nt })
  }
  /** Draws a soft dark spot at a point of contact with the ground. */
  contact(p: V3, rx: number, ry: number, heading: number, strength: number): void {
    this.spots.push({ p, rx, ry, heading, strength })
  }
  /** Adds a headlamp, at night only: it lights the ground and blooms in the lens. */
  headlight(at: V3, dir: V3, power: number, glow = 1): void {
    if (!this.night) return
    this.lamps.push({ at, dir, power, reach: 6 })
    const d: V3 = [this.stage.cam.eye[0] - at[0], this.stage.cam.eye[1] - at[1], this.stage.cam.eye[2] - at[2]],
      l = Math.hypot(...d)
    const facing = clamp((d[0] * dir[0] + d[1] * dir[1] + d[2] * dir[2]) / l + 0.15)
    if (facing > 0.1 && glow) this.glows.push({ at, size: 0.9 * facing * glow, power: 235 * facing })
  }
  /** Adds the bloom of a small light, radius in meters. */
  glow(at: V3, size: number, power: number): void {
    this.glows.push({ at, size, power })
  }

  /** Renders the frame at `t` (seconds; the wind repeats every 20 s) with the actors that `draw` adds. */
  render(t: number, draw: (s: Shot) => void): Uint8ClampedArray {
    this.mesh.clear()
    this.parts = []
    this.lamps = []
    this.glows = []
    this.spots = []
    this.boxes = []
    this.openness = 0
    draw(this)
    const S = this.stage,
      m = this.mesh
    this.base()
    this.wind.blow(this.frame, t)
    for (const s of this.spots) darken(this.frame, S, s)
    if (m.nv > 0) {
      this.grow()
      const self = this.shadows()
      if (this.lamps.length) addBeams(this.frame, S, this.lamps)
      projectAll(m, S.cam, 2, this.scr)
      shade(m, S, this.actorLight(), self, this.lamps, this.val, this.skyShare)
      this.paintActors()
    } else if (this.lamps.length) addBeams(this.frame, S, this.lamps)
    for (const g of this.glows) addGlow(this.frame, S, g)
    for (let i = this.touched.length - 1; i >= 0; i--) S.z2[this.touched[i]!] = this.behind[i]!
    this.touched.length = 0
    this.behind.length = 0
    return this.frame
  }

  /** Copies the static image, blended between closed and open door. */
  private base(): void {
    const a = this.stage.sunny,
      b = this.openStage?.sunny,
      k = Math.round(this.openness * 256),
      F = this.frame
    if (!b || k === 0) {
      F.set(a)
      return
    }
    for (let i = 0; i < a.length; i++) F[i] = (a[i]! * (256 - k) + b[i]! * k) >> 8
  }

  /** Returns the light on the actors: the last window of an open stage counts in proportion to `openness`. */
  private actorLight(): LightSetup {
    const o = this.openStage?.light
    if (!o?.portals) return this.stage.light
    return {
      ...o,
      portals: o.portals.map((w, i) => (i === o.portals!.length - 1 ? { ...w, power: w.power * this.openness } : w)),
    }
  }

  private grow(): void {
    if (this.scr.length < this.mesh.nv * 3) {
      this.scr = new Float32Array(this.mesh.nv * 4)
      this.val = new Float32Array(this.mesh.nv * 4)
    }
  }

  /** Draws the actors' sun shadows; returns the shadow map if there is a single actor. */
  private shadows(): ShadowMap | null {
    const sun = this.stage.light.sun
    if (!sun) return null
    let first: ShadowMap | null = null
    for (const part of this.parts) {
      if (part.v1 === part.v0) continue
      const map = castActor(this.frame, this.stage, this.mesh, part, sun.dir)
      first ??= map
    }
    return this.parts.length === 1 ? first : null
  }

  /** Rasterizes all actors at twice the frame size, blends them into the frame, and records their bounding boxes. */
  private paintActors(): void {
    const T = this.T,
      S = this.stage,
      scr = this.scr
    for (const part of this.parts) {
      let x0 = 1e9,
        x1 = -1e9,
        y0 = 1e9,
        y1 = -1e9
      for (let i = part.v0; i < part.v1; i++) {
        if (scr[i * 3 + 2]! <= 0) continue
        x0 = Math.min(x0, scr[i * 3]!)
        x1 = Math.max(x1, scr[i * 3]!)
        y0 = Math.min(y0, scr[i * 3 + 1]!)
        y1 = Math.max(y1, scr[i * 3 + 1]!)
      }
      x0 = Math.max(0, Math.floor(x0 / 2))
      y0 = Math.max(0, Math.floor(y0 / 2))
      x1 = Math.min(W - 1, Math.ceil(x1 / 2))
      y1 = Math.min(H - 1, Math.ceil(y1 / 2))
      if (x0 >= x1 || y0 >= y1) continue
      for (let y = y0 * 2; y < y1 * 2 + 2; y++) {
        const a = y * T.w + x0 * 2,
          b = y * T.w + x1 * 2 + 2
        T.z.set(S.z2.subarray(a, b), a)
        T.id.fill(-1, a, b)
      }
      fill(this.mesh, scr, this.val, T, part.t0, part.t1)
      this.blend(part.kind, x0, y0, x1, y1)
    }
  }

  private blend(kind: string, x0: number, y0: number, x1: number, y1: number): void {
    const T = this.T,
      F = this.frame,
      V = this.stage.vig,
      Z = this.stage.z2
    let bx0 = 1e9,
      bx1 = -1,
      by0 = 1e9,
      by1 = -1
    for (let y = y0; y <= y1; y++) {
      for (let x = x0; x <= x1; x++) {
        const o0 = y * 2 * T.w + x * 2
        let n = 0,
          a = 0,
          b = 0,
          c = 0
        for (let q = 0; q < 4; q++) {
          const o = o0 + (q >> 1) * T.w + (q & 1)
          if (T.id[o]! < 0) continue
          n++
          a += T.a[o]!
          b += T.b[o]!
          c += T.c[o]!
          this.touched.push(o)
          this.behind.push(Z[o]!)
          Z[o] = T.z[o]!
        }
        if (!n) continue
        const i = (y * W + x) * 4,
          v = 0.35 + 0.65 * V[y * W + x]!,
          k = n / 4
        F[i] = F[i]! * (1 - k) + (a / 4) * v
        F[i + 1] = F[i + 1]! * (1 - k) + (b / 4) * v
        F[i + 2] = F[i + 2]! * (1 - k) + (c / 4) * v
        if (x < bx0) bx0 = x
        if (x > bx1) bx1 = x
        if (y < by0) by0 = y
        if (y > by1) by1 = y
      }
    }
    if (kind && bx1 > bx0)
      this.boxes.push({ kind, x: bx0 / W, y: by0 / H, w: (bx1 - bx0 + 1) / W, h: (by1 - by0 + 1) / H })
  }
}

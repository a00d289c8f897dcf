import { castActorShadow, castLampShadow, type MeshRange } from './actor-shadow.ts'
import { FRAME_HEIGHT, FRAME_WIDTH } from './camera.ts'
import { shadeVertices } from './shade.ts'
import type { ShadowMap } from './shadow.ts'
import type { Lamp, LightSetup } from './light.ts'
import { clamp, type Vec3 } from './math.ts'
import { Mesh } from './mesh.ts'
import { fillTriangles, projectVertices, createTarget } from './raster.ts'
import type { StaticImage } from './pixel-shading.ts'
import { drawBeams, drawGlow, darkenGround, type Glow, type GroundShadow } from './effects.ts'
import { Wind } from './wind.ts'

export interface ActorBox {
  kind: string
  x: number
  y: number
  w: number
  h: number
}
const HEADLIGHT_COLOR: Vec3 = [1, 0.93, 0.8]

interface ActorRange extends MeshRange {
  kind: string
}

/** View of one camera: draws the actors of each frame onto the static image (`staticImage`). */
export class Shot {
  readonly staticImage: StaticImage
  /** Finished frame, RGBA 1280x720. */
  readonly frame = new Uint8ClampedArray(FRAME_WIDTH * FRAME_HEIGHT * 4)
  readonly mesh = new Mesh()
  boxes: ActorBox[] = []
  /** Fraction of sky light that reaches the actors (below 1 under a roof or indoors). */
  skyShare: number | ((p: Vec3) => number) = 1
  /** Static image with the garage door open. `doorOpenness`: how far the door is open in this frame, 0..1. */
  openDoorImage: StaticImage | null = null
  doorOpenness = 0
  #actors: ActorRange[] = []
  #lamps: Lamp[] = []
  #glows: Glow[] = []
  #groundShadows: GroundShadow[] = []
  #renderTarget = createTarget(FRAME_WIDTH * 2, FRAME_HEIGHT * 2, 2)
  #screenPositions = new Float32Array(3 * 65536)
  #vertexColors = new Float32Array(3 * 65536)
  #wind: Wind
  #touchedSubpixels: number[] = []
  #coveredDepths: number[] = []

  constructor(staticImage: StaticImage, windStrength = 1) {
    this.staticImage = staticImage
    this.#wind = new Wind(staticImage, windStrength)
  }

  get isNight(): boolean {
    return this.staticImage.light.night
  }

  /** Adds an actor. `kind`: label of its bounding box ('' = no box). */
  addActor(kind: string, draw: (m: Mesh) => void): void {
    const m = this.mesh,
      v0 = m.vertexCount,
      t0 = m.triangleCount
    draw(m)
    m.transform = null
    this.#actors.push({ kind, v0, v1: m.vertexCount, t0, t1: m.triangleCount })
  }
  addContactShadow(p: Vec3, rx: number, ry: number, heading: number, strength: number): void {
    this.#groundShadows.push({ p, rx, ry, heading, strength })
  }
  /** At night, adds a headlamp that lights surfaces and, if it points at the camera, blooms in the lens. */
  addHeadlight(at: Vec3, dir: Vec3, power: number, glow = 1): void {
    if (!this.isNight) return
    const color = this.staticImage.light.inColor ? HEADLIGHT_COLOR : undefined
    this.#lamps.push({ at, dir, power, reach: 6, ...(color && { color }) })
    const d: Vec3 = [
        this.staticImage.cam.eye[0] - at[0],
        this.staticImage.cam.eye[1] - at[1],
        this.staticImage.cam.eye[2] - at[2],
      ],
      l = Math.hypot(...d)
    const facing = clamp((d[0] * dir[0] + d[1] * dir[1] + d[2] * dir[2]) / l + 0.15)
    if (facing > 0.1 && glow)
      this.#glows.push({ at, size: 0.9 * facing * glow, power: 235 * facing, ...(color && { color }) })
  }
  /** Adds the bloom of a small light. `size`: radius in meters. */
  addLightGlow(at: Vec3, size: number, power: number, color?: Vec3): void {
    this.#glows.push({ at, size, power, ...(color && { color }) })
  }

  /** Renders the frame at `t` (seconds; the wind repeats every 20 s) with the actors that `draw` adds. */
  render(t: number, draw: (s: Shot) => void): Uint8ClampedArray {
    this.mesh.clear()
    this.#actors = []
    this.#lamps = []
    this.#glows = []
    this.#groundShadows = []
    this.boxes = []
    this.doorOpenness = 0
    draw(this)
    const staticImage = this.staticImage,
      m = this.mesh
    this.#copyStaticImage()
    this.#wind.swayLeaves(this.frame, t)
    for (const s of this.#groundShadows) darkenGround(this.frame, staticImage, s)
    if (m.vertexCount > 0) {
      this.#growVertexBuffers()
      const self = this.#drawActorShadows()
      if (this.#lamps.length) drawBeams(this.frame, staticImage, this.#lamps)
      projectVertices(m, staticImage.cam, 2, this.#screenPositions)
      shadeVertices(m, staticImage, this.#getActorLight(), self, this.#lamps, this.#vertexColors, this.skyShare)
      this.#paintActors()
    } else if (this.#lamps.length) drawBeams(this.frame, staticImage, this.#lamps)
    for (const g of this.#glows) drawGlow(this.frame, staticImage, g)
    for (let i = this.#touchedSubpixels.length - 1; i >= 0; i--)
      staticImage.z2[this.#touchedSubpixels[i]!] = this.#coveredDepths[i]!
    this.#touchedSubpixels.length = 0
    this.#coveredDepths.length = 0
    return this.frame
  }

  #copyStaticImage(): void {
    const a = this.staticImage.sunny,
      b = this.openDoorImage?.sunny,
      k = Math.round(this.doorOpenness * 256),
      F = this.frame
    if (!b || k === 0) {
      F.set(a)
      return
    }
    for (let i = 0; i < a.length; i++) F[i] = (a[i]! * (256 - k) + b[i]! * k) >> 8
  }

  /**
   * Returns the lighting of the actors. The last portal of the open-door lighting is the door; its power is
   * proportional to `doorOpenness`.
   */
  #getActorLight(): LightSetup {
    const o = this.openDoorImage?.light
    if (!o?.portals) return this.staticImage.light
    return {
      ...o,
      portals: o.portals.map((w, i) =>
        i === o.portals!.length - 1 ? { ...w, power: w.power * this.doorOpenness } : w,
      ),
    }
  }

  #growVertexBuffers(): void {
    if (this.#screenPositions.length < this.mesh.vertexCount * 3) {
      this.#screenPositions = new Float32Array(this.mesh.vertexCount * 4)
      this.#vertexColors = new Float32Array(this.mesh.vertexCount * 4)
    }
  }

  /**
   * Draws the actors' shadows in the light of the sun or the key lamp. Returns the shadow map of the actor if there is
   * one actor and a sun, else null.
   */
  #drawActorShadows(): ShadowMap | null {
    const { sun, keyLamp } = this.staticImage.light
    if (keyLamp)
      for (const part of this.#actors)
        if (part.v1 > part.v0) castLampShadow(this.frame, this.staticImage, this.mesh, part, keyLamp.at)
    if (!sun) return null
    let firstMap: ShadowMap | null = null
    for (const part of this.#actors) {
      if (part.v1 === part.v0) continue
      const map = castActorShadow(this.frame, this.staticImage, this.mesh, part, sun.dir)
      firstMap ??= map
    }
    return this.#actors.length === 1 ? firstMap : null
  }

  /** Rasterizes all actors at twice the frame size, blends them into the frame, and records their bounding boxes. */
  #paintActors(): void {
    const renderTarget = this.#renderTarget,
      S = this.staticImage,
      screenPositions = this.#screenPositions
    for (const actor of this.#actors) {
      let x0 = 1e9,
        x1 = -1e9,
        y0 = 1e9,
        y1 = -1e9
      for (let i = actor.v0; i < actor.v1; i++) {
        if (screenPositions[i * 3 + 2]! <= 0) continue
        x0 = Math.min(x0, screenPositions[i * 3]!)
        x1 = Math.max(x1, screenPositions[i * 3]!)
        y0 = Math.min(y0, screenPositions[i * 3 + 1]!)
        y1 = Math.max(y1, screenPositions[i * 3 + 1]!)
      }
      x0 = Math.max(0, Math.floor(x0 / 2))
      y0 = Math.max(0, Math.floor(y0 / 2))
      x1 = Math.min(FRAME_WIDTH - 1, Math.ceil(x1 / 2))
      y1 = Math.min(FRAME_HEIGHT - 1, Math.ceil(y1 / 2))
      if (x0 >= x1 || y0 >= y1) continue
      for (let y = y0 * 2; y < y1 * 2 + 2; y++) {
        const a = y * renderTarget.w + x0 * 2,
          b = y * renderTarget.w + x1 * 2 + 2
        renderTarget.z.set(S.z2.subarray(a, b), a)
        renderTarget.id.fill(-1, a, b)
      }
      fillTriangles(this.mesh, screenPositions, this.#vertexColors, renderTarget, actor.t0, actor.t1)
      this.#blendActor(actor.kind, x0, y0, x1, y1)
    }
  }

  #blendActor(kind: string, x0: number, y0: number, x1: number, y1: number): void {
    const renderTarget = this.#renderTarget,
      F = this.frame,
      V = this.staticImage.vignette,
      Z = this.staticImage.z2
    let bx0 = 1e9,
      bx1 = -1,
      by0 = 1e9,
      by1 = -1
    for (let y = y0; y <= y1; y++) {
      for (let x = x0; x <= x1; x++) {
        const o0 = y * 2 * renderTarget.w + x * 2
        let n = 0,
          a = 0,
          b = 0,
          c = 0
        for (let q = 0; q < 4; q++) {
          const o = o0 + (q >> 1) * renderTarget.w + (q & 1)
          if (renderTarget.id[o]! < 0) continue
          n++
          a += renderTarget.a[o]!
          b += renderTarget.b[o]!
          c += renderTarget.c[o]!
          this.#touchedSubpixels.push(o)
          this.#coveredDepths.push(Z[o]!)
          Z[o] = renderTarget.z[o]!
        }
        if (!n) continue
        const i = (y * FRAME_WIDTH + x) * 4,
          v = 0.35 + 0.65 * V[y * FRAME_WIDTH + x]!,
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
      this.boxes.push({
        kind,
        x: bx0 / FRAME_WIDTH,
        y: by0 / FRAME_HEIGHT,
        w: (bx1 - bx0 + 1) / FRAME_WIDTH,
        h: (by1 - by0 + 1) / FRAME_HEIGHT,
      })
  }
}

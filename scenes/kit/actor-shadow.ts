import { FRAME_HEIGHT, FRAME_WIDTH, project, type Camera } from './camera.ts'
import { createLampView, getViewVisibility, listLampPoints } from './lamp-shadow.ts'
import { mul, sub, vectorLength, type Vec3 } from './math.ts'
import type { Mesh } from './mesh.ts'
import { drawIntoShadowMap, getLitFraction, createShadowMap, type ShadowMap } from './shadow.ts'
import type { StaticImage } from './pixel-shading.ts'

/** Vertices `v0` to `v1` and triangles `t0` to `t1` of one actor; `v1` and `t1` are exclusive. */
export interface MeshRange {
  v0: number
  v1: number
  t0: number
  t1: number
}

/**
 * Returns the center and radius (meters) of an actor, and the rectangle of the frame that the actor and its shadow may
 * cover.
 */
function computeBounds(mesh: Mesh, part: MeshRange, cam: Camera, sun: Vec3): { c: Vec3; r: number; rect: number[] } {
  const p = mesh.positions,
    lo = [1e9, 1e9, 1e9],
    hi = [-1e9, -1e9, -1e9]
  let x0 = 1e9,
    x1 = -1e9,
    y0 = 1e9,
    y1 = -1e9
  for (let i = part.v0; i < part.v1; i++) {
    const q: Vec3 = [p[i * 3]!, p[i * 3 + 1]!, p[i * 3 + 2]!]
    for (let c = 0; c < 3; c++) {
      lo[c] = Math.min(lo[c]!, q[c]!)
      hi[c] = Math.max(hi[c]!, q[c]!)
    }
    if (i % 3) continue
    const k = Math.max(0, q[2] + 0.6) / Math.max(0.2, sun[2])
    for (const e of [0, k]) {
      const s = project(cam, [q[0] - sun[0] * e, q[1] - sun[1] * e, q[2] - sun[2] * e])
      if (s[2] <= 0) continue
      x0 = Math.min(x0, s[0])
      x1 = Math.max(x1, s[0])
      y0 = Math.min(y0, s[1])
      y1 = Math.max(y1, s[1])
    }
  }
  return {
    c: [(lo[0]! + hi[0]!) / 2, (lo[1]! + hi[1]!) / 2, (lo[2]! + hi[2]!) / 2],
    r: Math.hypot(hi[0]! - lo[0]!, hi[1]! - lo[1]!, hi[2]! - lo[2]!) / 2 + 0.05,
    rect: [x0 - 4, y0 - 4, x1 + 4, y1 + 4],
  }
}

/** Takes fraction `k` of the light of sun or key lamp from a pixel. */
function dimPixel(frame: Uint8ClampedArray, stage: StaticImage, o: number, k: number): void {
  for (let q = o; q < o + 3; q++) {
    const d = stage.sunny[q]! - stage.shady[q]!
    frame[q] = Math.max(frame[q]! - d * k, stage.shady[q]! * 0.55)
  }
}

function drawShadow(frame: Uint8ClampedArray, stage: StaticImage, map: ShadowMap, r: number[]): void {
  const positions = stage.pos,
    e = 1.1 / map.k
  const xa = Math.max(0, Math.floor(r[0]!)),
    xb = Math.min(FRAME_WIDTH - 1, Math.ceil(r[2]!)),
    yb = Math.min(FRAME_HEIGHT - 1, Math.ceil(r[3]!))
  for (let y = Math.max(0, Math.floor(r[1]!)); y <= yb; y++) {
    for (let x = xa; x <= xb; x++) {
      const i = y * FRAME_WIDTH + x,
        a = positions[i * 3]!,
        b = positions[i * 3 + 1]!,
        c = positions[i * 3 + 2]!
      if (a > 9e5) continue
      const k =
        1 -
        (getLitFraction(map, a + e, b, c, 0.03) +
          getLitFraction(map, a - e, b, c, 0.03) +
          getLitFraction(map, a, b + e, c, 0.03) +
          getLitFraction(map, a, b - e, c, 0.03)) /
          4
      if (k <= 0.01) continue
      dimPixel(frame, stage, i * 4, k)
    }
  }
}

/** Smaller actors (leaves, moths) cast no shadow. Radius in meters. */
const MIN_SHADOW_RADIUS = 0.12
/** Color steps of lamp light below which a shadow would not be visible. */
const MIN_SHADOW_STEPS = 3

/** Draws the soft shadow of one actor in the light of a lamp at `at` into `frame`. */
export function castLampShadow(
  frame: Uint8ClampedArray,
  stage: StaticImage,
  mesh: Mesh,
  part: MeshRange,
  at: Vec3,
): void {
  const { c, r } = computeBounds(mesh, part, stage.cam, [0, 0, 1]),
    distance = vectorLength(sub(c, at))
  if (r < MIN_SHADOW_RADIUS || distance < r * 1.1) return
  const tan = (r * 1.1) / Math.sqrt(distance * distance - r * r),
    cosine = 1 / Math.hypot(1, tan * Math.SQRT2),
    axis = mul(sub(c, at), 1 / distance),
    views = listLampPoints(at).map((eye) => createLampView(mesh, eye, c, tan, 300, part.t0, part.t1))
  for (let i = 0; i < FRAME_WIDTH * FRAME_HEIGHT; i++) {
    const o = i * 4
    if (stage.sunny[o]! - stage.shady[o]! < MIN_SHADOW_STEPS) continue
    const x = stage.pos[i * 3]!,
      y = stage.pos[i * 3 + 1]!,
      z = stage.pos[i * 3 + 2]!,
      depth = (x - at[0]) * axis[0] + (y - at[1]) * axis[1] + (z - at[2]) * axis[2]
    if (depth < distance - r || depth < cosine * Math.hypot(x - at[0], y - at[1], z - at[2])) continue
    let lit = 0
    for (const view of views) lit += getViewVisibility(view, x, y, z)
    if (lit < views.length * 0.99) dimPixel(frame, stage, o, 1 - lit / views.length)
  }
}

/** Draws the sun shadow of one actor into `frame`; returns the actor's shadow map. */
export function castActorShadow(
  frame: Uint8ClampedArray,
  stage: StaticImage,
  mesh: Mesh,
  part: MeshRange,
  sun: Vec3,
): ShadowMap {
  const { c, r, rect } = computeBounds(mesh, part, stage.cam, sun),
    map = createShadowMap(420, sun, c, r)
  drawIntoShadowMap(map, mesh, part.t0, part.t1)
  drawShadow(frame, stage, map, rect)
  return map
}

import { H, W, rayAt, type Camera } from './camera.ts'
import { develop, type Stage } from './develop.ts'
import { gather } from './gather.ts'
import { vignette, type LightSetup } from './light.ts'
import type { V3 } from './math.ts'
import type { Mesh } from './mesh.ts'
import { fill, projectAll, target, type Target } from './raster.ts'
import { soften } from './soften.ts'

/** Returns the world point of every drawn pixel of a target, 3 floats each. */
function points(cam: Camera, T: Target): Float32Array {
  const P = new Float32Array(T.w * T.h * 3)
  for (let y = 0, i = 0; y < T.h; y++) {
    for (let x = 0; x < T.w; x++, i++) {
      const r = rayAt(cam, (x + 0.5) / T.scale, (y + 0.5) / T.scale),
        z = T.z[i]!
      if (z <= 0) {
        P[i * 3] = 1e6
        P[i * 3 + 1] = r[1]
        P[i * 3 + 2] = r[2]
        continue
      }
      P[i * 3] = cam.eye[0] + r[0] / z
      P[i * 3 + 1] = cam.eye[1] + r[1] / z
      P[i * 3 + 2] = cam.eye[2] + r[2] / z
    }
  }
  return P
}

/** Renders the static objects of a scene under one lighting. */
export function bake(m: Mesh, cam: Camera, L: LightSetup, center: V3, radius: number): Stage {
  const T = target(W * 2, H * 2, 2),
    scr = new Float32Array(m.nv * 3)
  projectAll(m, cam, 2, scr)
  fill(m, scr, m.nrm, T)
  const P = points(cam, T)
  faceViewer(m, T, P, cam)
  const g = gather(m, T, P, L, center, radius),
    N = W * H
  const S: Stage = {
    cam,
    light: L,
    sunny: new Uint8ClampedArray(N * 4),
    shady: new Uint8ClampedArray(N * 4),
    pos: new Float32Array(N * 3),
    nrm: new Float32Array(N * 3),
    z2: T.z,
    sway: new Float32Array(N),
    grey: new Float32Array(N),
    albedo: new Float32Array(N),
    vig: new Float32Array(N),
    sunMap: g.map,
    centre: center,
    radius,
  }
  for (let y = 0, i = 0; y < H; y++) {
    for (let x = 0; x < W; x++, i++) {
      S.vig[i] = vignette((x / W) * 2 - 1, (y / H) * 2 - 1)
      develop(S, i, x, y, m, T, P, g)
    }
  }
  S.sunny = soften(S.sunny, 2.6, L.night ? 20 : 42)
  S.shady = L.sun ? soften(S.shady, 2.6, 42) : S.sunny
  return S
}

/** Turns normals of thin and back-facing surfaces toward the viewer. */
function faceViewer(m: Mesh, T: Target, P: Float32Array, cam: Camera): void {
  for (let i = 0; i < T.id.length; i++) {
    if (T.id[i]! < 0) continue
    const l = Math.hypot(T.a[i]!, T.b[i]!, T.c[i]!) || 1
    const leaf = m.materials[m.vmat[T.id[i]!]!]!.leaf
    const d =
      (cam.eye[0] - P[i * 3]!) * T.a[i]! +
      (cam.eye[1] - P[i * 3 + 1]!) * T.b[i]! +
      (cam.eye[2] - P[i * 3 + 2]!) * T.c[i]!
    const s = (d < 0 && !leaf ? -1 : 1) / l
    T.a[i]! *= s
    T.b[i]! *= s
    T.c[i]! *= s
  }
}

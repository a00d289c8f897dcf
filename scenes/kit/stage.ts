import { FRAME_HEIGHT, FRAME_WIDTH, getRayDirection, type Camera } from './camera.ts'
import { shadePixel, type StaticImage } from './pixel-shading.ts'
import { gatherSurfaceLight } from './gather.ts'
import { getVignette, type LightSetup } from './light.ts'
import type { Vec3 } from './math.ts'
import type { Mesh } from './mesh.ts'
import { fillTriangles, projectVertices, createTarget, type RenderTarget } from './raster.ts'
import { addGrain, applyBilateralFilter } from './soften.ts'

/** Returns the world point of every pixel of a target, 3 floats each; x = 1e6 for the sky. */
function computeWorldPoints(cam: Camera, T: RenderTarget): Float32Array {
  const P = new Float32Array(T.w * T.h * 3)
  for (let y = 0, i = 0; y < T.h; y++) {
    for (let x = 0; x < T.w; x++, i++) {
      const r = getRayDirection(cam, (x + 0.5) / T.scale, (y + 0.5) / T.scale),
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

/** Renders the static objects of a scene with one lighting. */
export function bakeStaticImage(m: Mesh, cam: Camera, light: LightSetup, center: Vec3, radius: number): StaticImage {
  const renderTarget = createTarget(FRAME_WIDTH * 2, FRAME_HEIGHT * 2, 2),
    scr = new Float32Array(m.vertexCount * 3)
  projectVertices(m, cam, 2, scr)
  fillTriangles(m, scr, m.normals, renderTarget)
  const worldPoints = computeWorldPoints(cam, renderTarget)
  turnNormalsToViewer(m, renderTarget, worldPoints, cam)
  const g = gatherSurfaceLight(m, renderTarget, worldPoints, light, center, radius),
    pixelCount = FRAME_WIDTH * FRAME_HEIGHT
  const staticImage: StaticImage = {
    cam,
    light,
    sunny: new Uint8ClampedArray(pixelCount * 4),
    shady: new Uint8ClampedArray(pixelCount * 4),
    pos: new Float32Array(pixelCount * 3),
    normals: new Float32Array(pixelCount * 3),
    z2: renderTarget.z,
    sway: new Float32Array(pixelCount),
    linear: new Float32Array(pixelCount * 3),
    albedo: new Float32Array(pixelCount * 3),
    vignette: new Float32Array(pixelCount),
    sunMap: g.map,
    center,
    radius,
  }
  for (let y = 0, i = 0; y < FRAME_HEIGHT; y++) {
    for (let x = 0; x < FRAME_WIDTH; x++, i++) {
      staticImage.vignette[i] = getVignette((x / FRAME_WIDTH) * 2 - 1, (y / FRAME_HEIGHT) * 2 - 1)
      shadePixel(staticImage, i, x, y, m, renderTarget, worldPoints, g)
    }
  }
  const colorSigma = light.night ? 20 : 42,
    castsShadows = light.sun !== undefined || light.keyLamp !== undefined
  staticImage.sunny = applyBilateralFilter(staticImage.sunny, 2.6, colorSigma)
  staticImage.shady = castsShadows ? applyBilateralFilter(staticImage.shady, 2.6, colorSigma) : staticImage.sunny
  if (light.grain) addGrain(castsShadows ? [staticImage.sunny, staticImage.shady] : [staticImage.sunny], light.grain)
  return staticImage
}

/** Normalizes all normals. Turns normals of back-facing surfaces toward the viewer, except those of leaves. */
function turnNormalsToViewer(m: Mesh, T: RenderTarget, P: Float32Array, cam: Camera): void {
  for (let i = 0; i < T.id.length; i++) {
    if (T.id[i]! < 0) continue
    const l = Math.hypot(T.a[i]!, T.b[i]!, T.c[i]!) || 1
    const leaf = m.materials[m.materialIds[T.id[i]!]!]!.leaf
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

import { FRAME_WIDTH, aimCamera, type Camera } from './camera.ts'
import { add, rng, sub, type Vec3 } from './math.ts'
import type { Mesh } from './mesh.ts'
import { createTarget, fillTriangles, projectVertices, type RenderTarget } from './raster.ts'

/** Square view from a lamp. The target has the nearest surface in each direction. */
export interface LampView {
  cam: Camera
  target: RenderTarget
}

/** Points of the lamp's surface that cast light, and the radius of the lamp in meters: the width of soft edges. */
const POINT_COUNT = 6,
  LAMP_RADIUS = 0.07
/** A surface hides another if its distance is smaller by more than this fraction. */
const BIAS = 0.02
const AXES: readonly Vec3[] = [
  [1, 0, 0],
  [-1, 0, 0],
  [0, 1, 0],
  [0, -1, 0],
  [0.001, 0, 1],
  [0.001, 0, -1],
]

/** Returns points on the lamp's surface, always the same. */
export function listLampPoints(at: Vec3): Vec3[] {
  const random = rng(3),
    offset = (): number => (random() - 0.5) * 2 * LAMP_RADIUS
  return Array.from({ length: POINT_COUNT }, () => add(at, [offset(), offset(), offset()]))
}

/** Returns a view of the triangles from `t0` to `t1`. `tan`: tangent of half the angle of view. */
export function createLampView(
  m: Mesh,
  eye: Vec3,
  lookAt: Vec3,
  tan: number,
  size: number,
  t0 = 0,
  t1 = m.triangleCount,
): LampView {
  const cam = { ...aimCamera(eye, lookAt, 90), f: FRAME_WIDTH / 2 / tan, cy: FRAME_WIDTH / 2 },
    target = createTarget(size, size, size / FRAME_WIDTH),
    screen = new Float32Array(m.vertexCount * 3)
  projectVertices(m, cam, target.scale, screen)
  fillTriangles(m, screen, m.normals, target, t0, t1)
  return { cam, target }
}

/** Returns the fraction of light (0..1) that reaches a point, averaged over 2x2 pixels; 1 outside of the view. */
export function getViewVisibility({ cam, target }: LampView, px: number, py: number, pz: number): number {
  const { eye, fwd, right, up } = cam,
    a = px - eye[0],
    b = py - eye[1],
    c = pz - eye[2],
    depth = a * fwd[0] + b * fwd[1] + c * fwd[2]
  if (depth < 0.05) return 1
  const k = (cam.f / depth) * target.scale,
    x = target.w / 2 + k * (a * right[0] + b * right[1] + c * right[2]) - 0.5,
    y = target.h / 2 - k * (a * up[0] + b * up[1] + c * up[2]) - 0.5,
    xi = Math.floor(x),
    yi = Math.floor(y)
  if (xi < 0 || yi < 0 || xi >= target.w - 1 || yi >= target.h - 1) return 1
  const hidden = (1 + BIAS) / depth,
    o = yi * target.w + xi,
    Z = target.z,
    u = x - xi,
    v = y - yi,
    top = (Z[o]! > hidden ? 0 : 1 - u) + (Z[o + 1]! > hidden ? 0 : u),
    bottom = (Z[o + target.w]! > hidden ? 0 : 1 - u) + (Z[o + target.w + 1]! > hidden ? 0 : u)
  return top * (1 - v) + bottom * v
}

/** For each point of a lamp, one view along each axis. */
export type LampShadow = LampView[][]

export const createLampShadow = (m: Mesh, at: Vec3): LampShadow =>
  listLampPoints(at).map((eye) => AXES.map((axis) => createLampView(m, eye, add(eye, axis), 1.02, 1024)))

/** Returns the fraction of the lamp's light that reaches point `p`. */
export function getLampVisibility(shadow: LampShadow, p: Vec3): number {
  let sum = 0
  for (const views of shadow) {
    const v = sub(p, views[0]!.cam.eye),
      axis = v.map(Math.abs).indexOf(Math.max(...v.map(Math.abs)))
    sum += getViewVisibility(views[axis * 2 + (v[axis]! > 0 ? 0 : 1)]!, ...p)
  }
  return sum / shadow.length
}

import type { Vec3 } from './math.ts'
import { cross, dot, sub, normalize } from './math.ts'

/** Size of every drawn frame, in pixels. */
export const FRAME_WIDTH = 1280
export const FRAME_HEIGHT = 720

/** Pinhole camera. `f`: focal length in pixels of a 1280-pixel-wide frame. `cy`: screen y of the optical axis. */
export interface Camera {
  eye: Vec3
  right: Vec3
  up: Vec3
  fwd: Vec3
  f: number
  cy: number
}

/** Returns a camera at `eye` that looks at `target`. `fov`: horizontal field of view in degrees. `roll` in radians. */
export function aimCamera(eye: Vec3, target: Vec3, fov: number, roll = 0): Camera {
  const fwd = normalize(sub(target, eye))
  const r0 = normalize(cross(fwd, [0, 0, 1])),
    u0 = cross(r0, fwd),
    c = Math.cos(roll),
    s = Math.sin(roll)
  const right: Vec3 = [r0[0] * c + u0[0] * s, r0[1] * c + u0[1] * s, r0[2] * c + u0[2] * s]
  return {
    eye,
    right,
    up: cross(right, fwd),
    fwd,
    f: FRAME_WIDTH / 2 / Math.tan((fov * Math.PI) / 360),
    cy: FRAME_HEIGHT / 2,
  }
}

/** Returns screen x, y (1280x720 pixels) and 1/depth of a world point; zeros if its depth is less than 5 cm. */
export function project(c: Camera, p: Vec3): Vec3 {
  const d = sub(p, c.eye),
    z = dot(d, c.fwd)
  if (z < 0.05) return [0, 0, 0]
  return [FRAME_WIDTH / 2 + (c.f * dot(d, c.right)) / z, c.cy - (c.f * dot(d, c.up)) / z, 1 / z]
}

/** Returns the direction (depth 1, not normalized) through a screen point. */
export function getRayDirection(c: Camera, x: number, y: number): Vec3 {
  const a = (x - FRAME_WIDTH / 2) / c.f,
    b = (c.cy - y) / c.f
  return [
    c.fwd[0] + c.right[0] * a + c.up[0] * b,
    c.fwd[1] + c.right[1] * a + c.up[1] * b,
    c.fwd[2] + c.right[2] * a + c.up[2] * b,
  ]
}

import type { V3 } from './math.ts'
import { cross, dot, sub, unit } from './math.ts'

/** Size of every drawn frame, in pixels. */
export const W = 1280
export const H = 720

/** Pinhole camera; `f` is the focal length in pixels of a 1280-pixel-wide frame. */
export interface Camera {
  eye: V3
  right: V3
  up: V3
  fwd: V3
  f: number
  cy: number
}

/** Returns a camera at `eye` that looks at `target`; `fov` is the horizontal field of view in degrees. */
export function aimCamera(eye: V3, target: V3, fov: number, roll = 0): Camera {
  const fwd = unit(sub(target, eye))
  const r0 = unit(cross(fwd, [0, 0, 1])),
    u0 = cross(r0, fwd),
    c = Math.cos(roll),
    s = Math.sin(roll)
  const right: V3 = [r0[0] * c + u0[0] * s, r0[1] * c + u0[1] * s, r0[2] * c + u0[2] * s]
  return { eye, right, up: cross(right, fwd), fwd, f: W / 2 / Math.tan((fov * Math.PI) / 360), cy: H / 2 }
}

/** Returns screen x, y (1280x720 pixels) and 1/depth of a world point; 1/depth <= 0 is behind the lens. */
export function project(c: Camera, p: V3): V3 {
  const d = sub(p, c.eye),
    z = dot(d, c.fwd)
  if (z < 0.05) return [0, 0, 0]
  return [W / 2 + (c.f * dot(d, c.right)) / z, c.cy - (c.f * dot(d, c.up)) / z, 1 / z]
}

/** Returns the direction (depth 1, not normalized) through a screen point. */
export function rayAt(c: Camera, x: number, y: number): V3 {
  const a = (x - W / 2) / c.f,
    b = (c.cy - y) / c.f
  return [
    c.fwd[0] + c.right[0] * a + c.up[0] * b,
    c.fwd[1] + c.right[1] * a + c.up[1] * b,
    c.fwd[2] + c.right[2] * a + c.up[2] * b,
  ]
}

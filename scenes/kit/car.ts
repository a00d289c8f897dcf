import { body } from './car-body.ts'
import { SHAPES, curve, type CarStyle } from './car-styles.ts'
import { wheel } from './car-wheel.ts'
import { apply, chain, moved, stand, turnX, turnZ, unit, type V3 } from './math.ts'
import { paint, type Mesh } from './mesh.ts'
import { ball } from './shapes.ts'
import type { Shot } from './shot.ts'

interface CarPose {
  at: V3
  heading: number
  /** Metres rolled. */ rolled: number
  steer?: number
  lights?: boolean
  brake?: boolean
}
const TAIL_ON = paint(0.9, 0.05, 0.03, { glow: 0.6, nightGlow: 1.2 })

/** Draws a car with wheels, contact shadow and lamps. `kind` labels its bounding box ('' = no box). */
export function car(shot: Shot, s: CarStyle, P: CarPose, kind = 'vehicle'): void {
  const r = s.kind === 'suv' || s.kind === 'van' ? 0.36 : 0.33,
    at = stand(P.at, P.heading),
    nose = s.length / 2,
    w = s.width / 2
  const fwd: V3 = [Math.cos(P.heading), Math.sin(P.heading), 0]
  shot.contact(P.at, s.length * 0.56, s.width * 0.62, P.heading, 0.62)
  shot.contact(P.at, s.length * 0.5, s.width * 0.5, P.heading, 0.5)
  shot.actor(kind, (m) => {
    m.append(body(s), at)
    for (const k of [-1, 1]) {
      for (const u of [0.19, 0.8]) {
        m.at = chain(
          at,
          moved([k * (w - 0.09), (u - 0.5) * s.length, r]),
          turnZ(u > 0.5 ? (P.steer ?? 0) : 0),
          turnX(-P.rolled / r),
        )
        wheel(m, r)
      }
    }
    m.at = at
    const h = curve(SHAPES[s.kind].belt, 0.03) - 0.17
    if (P.brake || (P.lights && shot.night))
      for (const k of [-1, 1]) ball(m, TAIL_ON, [k * w * 0.74, -nose + 0.06, h], [0.165, 0.09, 0.075], 10)
  })
  if (P.lights && shot.night) {
    for (const k of [-1, 1])
      shot.headlight(apply(at, [k * w * 0.68, nose - 0.02, 0.64]), unit([fwd[0], fwd[1], -0.1]), 1.5)
  }
}

export function parkedCar(m: Mesh, s: CarStyle, at: V3, heading: number): void {
  const base = stand(at, heading),
    r = s.kind === 'suv' || s.kind === 'van' ? 0.36 : 0.33
  m.append(body(s), base)
  for (const k of [-1, 1])
    for (const u of [0.19, 0.8]) {
      m.at = chain(base, moved([k * (s.width / 2 - 0.09), (u - 0.5) * s.length, r]))
      wheel(m, r)
    }
  m.at = null
}

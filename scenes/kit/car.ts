import { buildCarBody, DARK_PAINT } from './car-body.ts'
import { CAR_OUTLINES, getOutlineHeight, type CarStyle } from './car-styles.ts'
import {
  transformPoint,
  composeAll,
  translation,
  placeFigure,
  rotationX,
  rotationZ,
  normalize,
  type Vec3,
} from './math.ts'
import { createMaterial, type Mesh } from './mesh.ts'
import { addBall, addDisc, addLoft } from './shapes.ts'
import type { Shot } from './shot.ts'

const RUBBER = createMaterial(0.022, 0.022, 0.024, { ir: 0.12 }),
  RIM = createMaterial(0.5, 0.51, 0.53, { gloss: 0.35 })

function addWheel(m: Mesh, r: number): void {
  addLoft(
    m,
    RUBBER,
    [-0.11, -0.09, 0.09, 0.11].map((x, i) => ({
      c: [x, 0, 0] as Vec3,
      x: [0, i % 3 ? r : r - 0.03, 0] as Vec3,
      y: [0, 0, i % 3 ? r : r - 0.03] as Vec3,
    })),
    24,
  )
  for (const k of [-1, 1]) {
    addDisc(m, RIM, [k * 0.112, 0, 0], [k, 0, 0], r * 0.64, 20)
    for (let i = 0; i < 5; i++) {
      const a = i * 1.2566,
        c: Vec3 = [k * 0.116, Math.cos(a) * r * 0.42, Math.sin(a) * r * 0.42]
      addDisc(m, DARK_PAINT, c, [k, 0, 0], r * 0.135, 8)
    }
  }
}

interface CarPose {
  at: Vec3
  heading: number
  /** Distance traveled, meters. */ rolled: number
  steer?: number
  lights?: boolean
  brake?: boolean
}
const LIT_TAIL_LAMP = createMaterial(0.9, 0.05, 0.03, { glow: 0.6, nightGlow: 1.2 })

/** Draws a car with wheels, contact shadow and lamps. `kind`: label of the bounding box ('' = no box). */
export function drawCar(shot: Shot, s: CarStyle, pose: CarPose, kind = 'vehicle'): void {
  const r = s.kind === 'suv' || s.kind === 'van' ? 0.36 : 0.33,
    at = placeFigure(pose.at, pose.heading),
    nose = s.length / 2,
    w = s.width / 2
  const fwd: Vec3 = [Math.cos(pose.heading), Math.sin(pose.heading), 0]
  shot.addContactShadow(pose.at, s.length * 0.56, s.width * 0.62, pose.heading, 0.62)
  shot.addContactShadow(pose.at, s.length * 0.5, s.width * 0.5, pose.heading, 0.5)
  shot.addActor(kind, (m) => {
    m.append(buildCarBody(s), at)
    for (const k of [-1, 1]) {
      for (const u of [0.19, 0.8]) {
        m.transform = composeAll(
          at,
          translation([k * (w - 0.09), (u - 0.5) * s.length, r]),
          rotationZ(u > 0.5 ? (pose.steer ?? 0) : 0),
          rotationX(-pose.rolled / r),
        )
        addWheel(m, r)
      }
    }
    m.transform = at
    const h = getOutlineHeight(CAR_OUTLINES[s.kind].belt, 0.03) - 0.17
    if (pose.brake || (pose.lights && shot.isNight))
      for (const k of [-1, 1]) addBall(m, LIT_TAIL_LAMP, [k * w * 0.74, -nose + 0.06, h], [0.165, 0.09, 0.075], 10)
  })
  if (pose.lights && shot.isNight) {
    for (const k of [-1, 1])
      shot.addHeadlight(transformPoint(at, [k * w * 0.68, nose - 0.02, 0.64]), normalize([fwd[0], fwd[1], -0.1]), 1.5)
  }
}

export function addParkedCar(m: Mesh, s: CarStyle, at: Vec3, heading: number): void {
  const base = placeFigure(at, heading),
    r = s.kind === 'suv' || s.kind === 'van' ? 0.36 : 0.33
  m.append(buildCarBody(s), base)
  for (const k of [-1, 1])
    for (const u of [0.19, 0.8]) {
      m.transform = composeAll(base, translation([k * (s.width / 2 - 0.09), (u - 0.5) * s.length, r]))
      addWheel(m, r)
    }
  m.transform = null
}

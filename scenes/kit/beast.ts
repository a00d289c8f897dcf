import { addAnimalHead, addAnimalLeg, addTail } from './beast-parts.ts'
import type { AnimalSpecies, AnimalPose } from './beast-types.ts'
import {
  add,
  composeAll,
  mix,
  translation,
  mul,
  placeFigure,
  rotationX,
  rotationZ,
  type Mat,
  type Vec3,
} from './math.ts'
import type { Mesh } from './mesh.ts'
import { addBall, addLoft, addTube, type Ring } from './shapes.ts'

/**
 * Adds the body from rump to chest. `yb`, `yf`: rear and front end along y. `rump`, `zf`: heights of rump and
 * shoulders. `breathe`: scale of the body while the animal breathes.
 */
function addTrunk(
  m: Mesh,
  species: AnimalSpecies,
  P: { yb: number; yf: number; rump: number; zf: number; breathe: number },
): void {
  const { yb, yf, rump, zf, breathe } = P,
    L = species.size
  const ring = (y: number, z: number, rx: number, rz: number): Ring => ({
    c: [0, y, z],
    x: [rx * species.thick * breathe, 0, 0],
    y: [0, 0, rz * species.thick * breathe],
  })
  const mid = (rump + zf) / 2,
    up = species.thick * 0.25
  addLoft(
    m,
    species.coat,
    [
      ring(yb - L * 0.1, rump + up, 0.3, 0.3),
      ring(yb, rump + up, 0.66, 0.72),
      ring(yb + L * 0.22, mix(rump, mid, 0.5) + up, 0.66, 0.72),
      ring(0, mid + up, 0.68, 0.74),
      ring(yf - L * 0.2, mix(mid, zf, 0.6) + up, 0.74, 0.86),
      ring(yf, zf + up, 0.66, 0.8),
      ring(yf + L * 0.1, zf + up * 1.2, 0.38, 0.45),
    ],
    16,
  )
  addBall(
    m,
    species.belly,
    [0, yf - L * 0.06, zf - species.thick * 0.18],
    [species.thick * 0.5, L * 0.2, species.thick * 0.5],
    12,
  )
}

/**
 * Step of an animal. `g`: 0 standing .. 1 full stride. `run`: 0 not bounding .. 1 bounding. `phase` in radians. `hop`:
 * height of a jump.
 */
interface AnimalStep {
  g: number
  run: number
  phase: number
  hop: number
}

function getStep(species: AnimalSpecies, pose: AnimalPose): AnimalStep {
  const g = Math.min(pose.gait ?? 0, 1),
    run = Math.max(0, (pose.gait ?? 0) - 1),
    phase = ((pose.walked ?? 0) / (species.size * (1.15 + run * 0.9))) * Math.PI * 2
  return { g, run, phase, hop: run * 0.1 * Math.abs(Math.sin(phase / 2 + 0.6)) }
}

/** Adds the four legs below a trunk of the same dimensions as in `addTrunk`. */
function addLegs(
  m: Mesh,
  species: AnimalSpecies,
  pose: AnimalPose,
  step: AnimalStep,
  P: { yb: number; yf: number; rump: number; zf: number },
): void {
  const { yb, yf, rump, zf } = P,
    { g, run, phase, hop } = step,
    L = species.size,
    sit = pose.sit ?? 0,
    lie = pose.lie ?? 0,
    up = species.thick * 0.25
  for (const [s, back] of [
    [-1, false],
    [1, false],
    [1, true],
    [-1, true],
  ] as const) {
    const off = run > 0 ? (back ? Math.PI * 0.9 : 0) + s * 0.35 : (s > 0 ? 0 : Math.PI) + (back ? Math.PI : 0),
      a = phase + off
    const y = back ? yb + 0.02 : yf - 0.02,
      x = s * species.thick * 0.42,
      reach = L * (0.24 + run * 0.16) * g
    const foot: Vec3 = [
      x,
      y + Math.cos(a) * reach + (back ? sit * L * 0.28 : 0) + (lie ? (back ? L * 0.16 : L * 0.22) * lie : 0),
      Math.max(0, -Math.sin(a)) * species.leg * (0.28 + run * 0.2) * g - hop,
    ]
    addAnimalLeg(m, species, [x, y, (back ? rump : zf) + up * 0.6], foot, back)
    if (back && sit > 0.3)
      addBall(
        m,
        species.coat,
        [x * 1.15, y + L * 0.06, rump * 0.75],
        [species.thick * 0.34, L * 0.2 * sit, species.thick * 0.5],
        10,
      )
  }
}

export function addAnimal(m: Mesh, species: AnimalSpecies, pose: AnimalPose): Mat {
  const L = species.size,
    step = getStep(species, pose),
    { run, phase, hop } = step,
    sit = pose.sit ?? 0,
    lie = pose.lie ?? 0
  const h = species.leg * (0.97 - lie * 0.72),
    base = composeAll(
      placeFigure(pose.at, pose.heading),
      translation([0, 0, hop]),
      rotationX((pose.pitch ?? 0) + run * 0.12 * Math.sin(phase)),
    )
  m.transform = base
  const rump = h - sit * species.leg * 0.62,
    breathe = 1 + 0.012 * Math.sin((pose.t ?? 0) * 3),
    yb = -L * 0.42 + sit * L * 0.14,
    yf = L * 0.42 - sit * L * 0.1
  const zf = h + sit * species.leg * 0.06,
    up = species.thick * 0.25
  addTrunk(m, species, { yb, yf, rump, zf, breathe })
  addLegs(m, species, pose, step, { yb, yf, rump, zf })
  addTail(m, species, pose, [0, yb - L * 0.08, rump + up * 1.6])
  const nod = pose.nod ?? 0,
    n0: Vec3 = [0, yf + L * 0.02, zf + up * 1.4],
    n1: Vec3 = [0, yf + species.neck * (0.75 - 0.2 * nod), zf + up + species.neck * (0.72 + 0.5 * nod)]
  addTube(
    m,
    species.coat,
    [n0, mul(add(n0, n1), 0.5), n1],
    [species.thick * 0.56, species.thick * 0.48, species.thick * 0.44],
    12,
  )
  m.transform = composeAll(
    base,
    translation(add(n1, [0, species.thick * 0.12, species.thick * 0.12])),
    rotationZ(pose.look ?? 0),
    rotationX(nod * 0.7 - run * 0.1),
  )
  addAnimalHead(m, species, pose)
  m.transform = null
  return base
}

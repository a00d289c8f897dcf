import type { AnimalSpecies, AnimalPose } from './beast-types.ts'
import { add, composeAll, translation, mul, rotationX, type Vec3 } from './math.ts'
import { createMaterial, type Mesh } from './mesh.ts'
import { addBall, bendLimb, addLoft, addTube } from './shapes.ts'

/** Adds a leg from hip to foot in local axes. */
export function addAnimalLeg(m: Mesh, species: AnimalSpecies, hip: Vec3, foot: Vec3, isRear: boolean): void {
  const { mid, end } = bendLimb(
      hip,
      add(foot, [0, 0, 0.03]),
      species.leg * 0.54,
      species.leg * 0.56,
      isRear ? [0, 1, 0] : [0, -1, 0],
    ),
    r = species.thick
  addTube(m, species.coat, [hip, mul(add(hip, mid), 0.5), mid], [r * (isRear ? 0.5 : 0.4), r * 0.36, r * 0.24], 8)
  addTube(m, species.socks, [mid, end], [r * 0.23, r * 0.17], 7)
  addBall(m, species.socks, add(end, [0, 0.03, -0.008]), [r * 0.22, r * 0.34, r * 0.17], 8)
}

/** Adds head, muzzle, ears and eyes around the origin of the current transform. */
export function addAnimalHead(m: Mesh, species: AnimalSpecies, pose: AnimalPose): void {
  const k = species.thick,
    z = species.muzzle
  addBall(m, species.coat, [0, 0, 0], [k * 0.56, k * 0.62, k * 0.52], 14)
  addLoft(
    m,
    species.face,
    [
      { c: [0, k * 0.3, -k * 0.1], x: [k * 0.42, 0, 0], y: [0, 0, k * 0.34] },
      { c: [0, k * 0.55 + z * 0.35, -k * 0.16], x: [k * 0.26, 0, 0], y: [0, 0, k * 0.22] },
      { c: [0, k * 0.5 + z, -k * 0.16], x: [k * 0.19, 0, 0], y: [0, 0, k * 0.16] },
    ],
    12,
  )
  if (pose.mouth) {
    const a = m.transform!
    m.transform = composeAll(a, translation([0, k * 0.4, -k * 0.28]), rotationX(-pose.mouth * 0.5))
    addLoft(
      m,
      species.face,
      [
        { c: [0, 0, 0], x: [k * 0.24, 0, 0], y: [0, 0, k * 0.1] },
        { c: [0, k * 0.1 + z * 0.85, 0], x: [k * 0.13, 0, 0], y: [0, 0, k * 0.06] },
      ],
      10,
    )
    addBall(m, createMaterial(0.6, 0.18, 0.2), [0, z * 0.7, k * 0.06], [k * 0.1, k * 0.24, k * 0.04], 8)
    m.transform = a
  }
  addBall(m, species.nose, [0, k * 0.52 + z, -k * 0.08], [k * 0.11, k * 0.09, k * 0.09], 8)
  for (const s of [-1, 1]) {
    addBall(m, species.eye, [s * k * 0.27, k * 0.47, k * 0.13], [k * 0.085, k * 0.07, k * 0.085], 8)
    if (species.ears === 'pointed')
      addLoft(
        m,
        species.coat,
        [
          { c: [s * k * 0.32, -k * 0.05, k * 0.3], x: [k * 0.24, 0, 0], y: [0, k * 0.1, 0] },
          { c: [s * k * 0.4, -k * 0.02, k * 0.62], x: [k * 0.14, 0, 0], y: [0, k * 0.06, 0] },
          { c: [s * k * 0.43, 0, k * 0.88], x: [k * 0.02, 0, 0], y: [0, k * 0.02, 0] },
        ],
        8,
      )
    else
      addLoft(
        m,
        species.coat,
        [
          { c: [s * k * 0.48, -k * 0.12, k * 0.32], x: [k * 0.09, 0, 0], y: [0, k * 0.2, 0] },
          { c: [s * k * 0.62, -k * 0.06, -k * 0.08], x: [k * 0.07, 0, 0], y: [0, k * 0.26, 0] },
          { c: [s * k * 0.58, 0, -k * 0.5], x: [k * 0.05, 0, 0], y: [0, k * 0.14, 0] },
        ],
        8,
      )
  }
}

export function addTail(m: Mesh, species: AnimalSpecies, pose: AnimalPose, at: Vec3): void {
  const tail = species.tail,
    w = (pose.wag ?? 0) * Math.sin((pose.t ?? 0) * 14) * 0.6 + 0.12 * Math.sin((pose.t ?? 0) * 1.7),
    pts: Vec3[] = [],
    rad: number[] = []
  for (let i = 0; i <= 5; i++) {
    const u = i / 5,
      a = tail.up * (0.3 + u * 0.9) - (pose.sit ?? 0) * 0.5
    pts.push([
      at[0] + Math.sin(w) * tail.len * u * u,
      at[1] - Math.cos(a) * tail.len * u * 0.9,
      Math.max(tail.r, at[2] + Math.sin(a) * tail.len * u),
    ])
    rad.push(tail.r * (0.55 + 1.1 * Math.sin(Math.PI * (0.1 + u * 0.75))))
  }
  addTube(m, species.coat, pts.slice(0, 5), rad.slice(0, 5), 9)
  addTube(m, tail.tip, pts.slice(4), rad.slice(4), 9)
}

import { composeAll, rotationX, type Vec3 } from './math.ts'
import { createMaterial, type Mesh } from './mesh.ts'
import type { PersonLook } from './person-types.ts'
import { addBall, addLoft, addTube } from './shapes.ts'

const EYE = createMaterial(0.85, 0.84, 0.82),
  PUPIL = createMaterial(0.03, 0.025, 0.02),
  LIP = createMaterial(0.42, 0.16, 0.13),
  GLASSES_FRAME = createMaterial(0.03, 0.03, 0.03)

function addHair(m: Mesh, look: PersonLook): void {
  const h = look.hair
  if (look.style === 'cap' || look.style === 'helmet') {
    const c = look.cap ?? look.top,
      k = look.style === 'helmet' ? 1.16 : 1
    addBall(m, h, [0, -0.012, 0.0], [0.08, 0.1, 0.1], 14, -0.55, 0.5)
    addBall(m, c, [0, -0.005, 0.035], [0.088 * k, 0.108 * k, 0.098 * k], 16, 0, 1)
    if (look.style === 'cap')
      addLoft(
        m,
        c,
        [
          { c: [0, 0.07, 0.042], x: [0.075, 0, 0], y: [0, 0.015, 0.008] },
          { c: [0, 0.14, 0.034], x: [0.066, 0, 0], y: [0, 0.012, 0.008] },
          { c: [0, 0.18, 0.024], x: [0.035, 0, 0], y: [0, 0.008, 0.006] },
        ],
        12,
      )
    return
  }
  const at = m.transform!
  m.transform = composeAll(at, rotationX(0.6))
  addBall(m, h, [0, -0.008, 0.014], [0.09, 0.117, 0.127], 26, 0.02, 1)
  m.transform = at
  addBall(m, h, [0, -0.032, 0.004], [0.085, 0.086, 0.105], 16, -0.6, 0.9)
  if (look.style === 'bob') for (const s of [-1, 1]) addBall(m, h, [s * 0.068, -0.012, -0.045], [0.032, 0.065, 0.1], 12)
  if (look.style === 'bob' || look.style === 'long') addBall(m, h, [0, -0.06, -0.05], [0.085, 0.05, 0.11], 14)
  if (look.style === 'long') {
    addTube(
      m,
      h,
      [
        [0, -0.075, 0],
        [0, -0.1, -0.16],
        [0, -0.1, -0.3],
      ],
      [0.085, 0.085, 0.045],
      12,
    )
    for (const s of [-1, 1])
      addTube(
        m,
        h,
        [
          [s * 0.074, 0.01, 0.05],
          [s * 0.083, 0.005, -0.07],
          [s * 0.085, -0.01, -0.22],
        ],
        [0.02, 0.026, 0.018],
        8,
      )
  }
  if (look.style === 'bun') addBall(m, h, [0, -0.1, 0.085], [0.055, 0.052, 0.052], 12)
}

/** Adds a head with face and hair around the origin of the current transform. */
export function addHead(m: Mesh, look: PersonLook): void {
  addBall(m, look.skin, [0, 0, 0.012], [0.078, 0.096, 0.108], 18)
  addBall(m, look.skin, [0, 0.028, -0.055], [0.058, 0.066, 0.058], 14)
  addBall(m, look.skin, [0, 0.098, -0.012], [0.013, 0.019, 0.022], 8)
  for (const s of [-1, 1]) {
    addBall(m, look.skin, [s * 0.079, -0.008, -0.006], [0.011, 0.022, 0.03], 8)
    addBall(m, EYE, [s * 0.031, 0.086, 0.014], [0.014, 0.008, 0.0072], 8)
    addBall(m, PUPIL, [s * 0.03, 0.093, 0.014], [0.0088, 0.004, 0.0072], 8)
    addTube(
      m,
      look.hair,
      [
        [s * 0.015, 0.095, 0.037],
        [s * 0.034, 0.091, 0.041],
        [s * 0.049, 0.08, 0.035],
      ],
      [0.004, 0.005, 0.003],
      5,
    )
    if (look.glasses)
      addTube(
        m,
        GLASSES_FRAME,
        [0, 1, 2, 3, 4, 5, 6, 7, 8].map(
          (i) =>
            [
              s * 0.033 + 0.024 * Math.cos(i * 0.785),
              0.102 - Math.abs(Math.cos(i * 0.785)) * 0.002,
              0.012 + 0.02 * Math.sin(i * 0.785),
            ] as Vec3,
        ),
        Array(9).fill(0.002),
        5,
      )
  }
  addTube(
    m,
    LIP,
    [
      [-0.029, 0.078, -0.046],
      [-0.014, 0.09, -0.054],
      [0, 0.0935, -0.056],
      [0.014, 0.09, -0.054],
      [0.029, 0.078, -0.046],
    ],
    [0.0025, 0.005, 0.006, 0.005, 0.0025],
    6,
  )
  if (look.beard) {
    addBall(m, look.hair, [0, 0.03, -0.068], [0.062, 0.067, 0.052], 14, -1, 0.25)
    addBall(m, look.hair, [0, 0.09, -0.041], [0.026, 0.012, 0.007], 8)
  }
  addHair(m, look)
}

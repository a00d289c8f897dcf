import { composeAll, translation, rotationX, type Mat, type Vec3 } from './math.ts'
import { createMaterial, type Mesh } from './mesh.ts'
import { addDisc, addLoft, addTube } from './shapes.ts'

const TIRE = createMaterial(0.02, 0.02, 0.02, { ir: 0.15 }),
  STEEL = createMaterial(0.5, 0.5, 0.52, { gloss: 0.3 }),
  WHEEL_RADIUS_M = 0.34

function addBicycleWheel(m: Mesh): void {
  const ring = Array.from(
    { length: 25 },
    (_, i) =>
      [
        0,
        Math.cos((i / 24) * 6.2832) * (WHEEL_RADIUS_M - 0.02),
        Math.sin((i / 24) * 6.2832) * (WHEEL_RADIUS_M - 0.02),
      ] as Vec3,
  )
  addTube(
    m,
    TIRE,
    ring,
    ring.map(() => 0.021),
    6,
  )
  for (let i = 0; i < 6; i++) {
    const a = (i / 6) * 3.1416,
      c = Math.cos(a) * (WHEEL_RADIUS_M - 0.03),
      s = Math.sin(a) * (WHEEL_RADIUS_M - 0.03)
    addTube(
      m,
      STEEL,
      [
        [0, -c, -s],
        [0, c, s],
      ],
      [0.004, 0.004],
      4,
    )
  }
}

/** Adds a bicycle that faces local +y. `size`: 1 = adult. `rolled`: meters traveled, which set the wheels' angle. */
export function addBicycle(
  m: Mesh,
  at: Mat,
  size: number,
  rolled: number,
  color: ReturnType<typeof createMaterial>,
): void {
  const base = composeAll(at, new Float64Array([size, 0, 0, 0, 0, size, 0, 0, 0, 0, size, 0]))
  for (const y of [-0.52, 0.54]) {
    m.transform = composeAll(base, translation([0, y, WHEEL_RADIUS_M]), rotationX(-rolled / (WHEEL_RADIUS_M * size)))
    addBicycleWheel(m)
  }
  m.transform = base
  const bb: Vec3 = [0, -0.05, 0.29],
    seat: Vec3 = [0, -0.2, 0.84],
    fork: Vec3 = [0, 0.37, 0.82],
    rear: Vec3 = [0, -0.52, WHEEL_RADIUS_M],
    front: Vec3 = [0, 0.54, WHEEL_RADIUS_M]
  for (const [a, b] of [
    [bb, seat],
    [bb, [0, 0.4, 0.7]],
    [[0, -0.17, 0.76], fork],
    [bb, rear],
    [rear, [0, -0.17, 0.74]],
    [fork, front],
  ] as [Vec3, Vec3][])
    addTube(m, color, [a, b], [0.021, 0.018], 7)
  addTube(m, STEEL, [fork, [0, 0.35, 0.98]], [0.014, 0.014], 6)
  addTube(
    m,
    TIRE,
    [
      [-0.26, 0.25, 1.0],
      [0, 0.36, 0.99],
      [0.26, 0.25, 1.0],
    ],
    [0.016, 0.014, 0.016],
    6,
  )
  addLoft(
    m,
    TIRE,
    [
      { c: [0, -0.33, 0.87], x: [0.085, 0, 0], y: [0, 0, 0.025] },
      { c: [0, -0.05, 0.87], x: [0.025, 0, 0], y: [0, 0, 0.02] },
    ],
    10,
  )
  addDisc(m, STEEL, [0.05, bb[1], bb[2]], [1, 0, 0], 0.09, 12)
  m.transform = null
}

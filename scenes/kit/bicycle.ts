import { chain, moved, turnX, type Mat, type V3 } from './math.ts'
import { paint, type Mesh } from './mesh.ts'
import { disc, loft, tube } from './shapes.ts'

const TYRE = paint(0.02, 0.02, 0.02, { ir: 0.15 }),
  STEEL = paint(0.5, 0.5, 0.52, { gloss: 0.3 }),
  RIM = 0.34

function bicycleWheel(m: Mesh): void {
  const ring = Array.from(
    { length: 25 },
    (_, i) => [0, Math.cos((i / 24) * 6.2832) * (RIM - 0.02), Math.sin((i / 24) * 6.2832) * (RIM - 0.02)] as V3,
  )
  tube(
    m,
    TYRE,
    ring,
    ring.map(() => 0.021),
    6,
  )
  for (let i = 0; i < 6; i++) {
    const a = (i / 6) * 3.1416,
      c = Math.cos(a) * (RIM - 0.03),
      s = Math.sin(a) * (RIM - 0.03)
    tube(
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

/** Draws a bicycle that faces local +y. `size`: 1 = adult; `rolled`: distance in meters that turns the wheels. */
export function bicycle(m: Mesh, at: Mat, size: number, rolled: number, color: ReturnType<typeof paint>): void {
  const base = chain(at, new Float64Array([size, 0, 0, 0, 0, size, 0, 0, 0, 0, size, 0]))
  for (const y of [-0.52, 0.54]) {
    m.at = chain(base, moved([0, y, RIM]), turnX(-rolled / (RIM * size)))
    bicycleWheel(m)
  }
  m.at = base
  const bb: V3 = [0, -0.05, 0.29],
    seat: V3 = [0, -0.2, 0.84],
    fork: V3 = [0, 0.37, 0.82],
    rear: V3 = [0, -0.52, RIM],
    front: V3 = [0, 0.54, RIM]
  for (const [a, b] of [
    [bb, seat],
    [bb, [0, 0.4, 0.7]],
    [[0, -0.17, 0.76], fork],
    [bb, rear],
    [rear, [0, -0.17, 0.74]],
    [fork, front],
  ] as [V3, V3][])
    tube(m, color, [a, b], [0.021, 0.018], 7)
  tube(m, STEEL, [fork, [0, 0.35, 0.98]], [0.014, 0.014], 6)
  tube(
    m,
    TYRE,
    [
      [-0.26, 0.25, 1.0],
      [0, 0.36, 0.99],
      [0.26, 0.25, 1.0],
    ],
    [0.016, 0.014, 0.016],
    6,
  )
  loft(
    m,
    TYRE,
    [
      { c: [0, -0.33, 0.87], x: [0.085, 0, 0], y: [0, 0, 0.025] },
      { c: [0, -0.05, 0.87], x: [0.025, 0, 0], y: [0, 0, 0.02] },
    ],
    10,
  )
  disc(m, STEEL, [0.05, bb[1], bb[2]], [1, 0, 0], 0.09, 12)
  m.at = null
}

import { LIT_GLASS, boxAt, ground, house, window } from '../../kit/building.ts'
import { moved, stand } from '../../kit/math.ts'
import { paint, type Mesh } from '../../kit/mesh.ts'
import { bush, leaves, tree } from '../../kit/nature.ts'
import { ball } from '../../kit/shapes.ts'
import { asphalt, brick, concrete, grass, shingles, siding } from '../../kit/textures.ts'

/** Adds the view through the open door. */
export function beyond(m: Mesh): void {
  ground(m, concrete([0.27, 0.27, 0.27], 2.4, 2.4), -2.9, -13, 2.9, 0, -0.02, 0.8)
  const lawn = grass([0.12, 0.2, 0.06], [0.2, 0.22, 0.09])
  ground(m, lawn, -60, -13, -2.9, -0.2, -0.03, 2)
  ground(m, lawn, 2.9, -13, 60, -0.2, -0.03, 2)
  ground(m, concrete([0.4, 0.4, 0.39], 1.5, 1.5), -60, -14.6, 60, -13, -0.02, 2)
  ground(m, asphalt([0.085, 0.088, 0.095]), -60, -21, 60, -14.6, -0.1, 2)
  ground(m, lawn, -90, -90, 90, -21, -0.03, 4)
  for (const [x, i] of [
    [-13, 0],
    [3, 1],
    [18, 2],
  ] as const) {
    const at = stand([x, -29, 0], -Math.PI / 2)
    house(
      m,
      at,
      11,
      8,
      3.1 + i * 0.9,
      6 + i,
      [siding([0.34, 0.42, 0.36]), brick([0.4, 0.2, 0.13], [0.5, 0.46, 0.42]), siding([0.58, 0.54, 0.46])][i]!,
      shingles([0.13, 0.13, 0.14]),
    )
    for (const k of [-3.6, -0.6, 3]) window(m, at, k, 1, 1.4, 1.2, { glass: k > 2 ? LIT_GLASS : undefined })
  }
  for (let i = 0; i < 7; i++)
    tree(
      m,
      leaves(i % 2 ? [0.09, 0.17, 0.05] : [0.14, 0.2, 0.05], 0),
      [-24 + i * 7.4, -25 - (i % 3) * 8, 0],
      8 + (i % 3),
      6,
      i + 4,
      { leaves: 1500, size: 0.26, blobs: 7 },
    )
  for (const x of [-3.8, 3.8])
    for (let i = 0; i < 4; i++) bush(m, leaves([0.07, 0.15, 0.05], 0), [x, -2 - i * 2.6, 0], 0.6, i + 9, 320, 0.09)
  boxAt(m, paint(0.2, 0.2, 0.2), moved([-6, -14.2, 0]), [-0.06, -0.06, 0], [0.06, 0.06, 5])
  ball(m, paint(0.9, 0.88, 0.8, { nightGlow: 2 }), [-6, -14.2, 5.05], [0.25, 0.25, 0.15], 10)
}

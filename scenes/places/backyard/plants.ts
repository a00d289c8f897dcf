import { LIT_GLASS, ground, house, window } from '../../kit/building.ts'
import { rng, stand } from '../../kit/math.ts'
import { paint, type Mesh } from '../../kit/mesh.ts'
import { blades, bush, hedge, leaves, tree } from '../../kit/nature.ts'
import { ball } from '../../kit/shapes.ts'
import { grass, shingles, siding } from '../../kit/textures.ts'

const PINK = leaves([0.75, 0.4, 0.47], 0.8),
  FRESH = leaves([0.17, 0.32, 0.06], 0.8),
  DEEP = leaves([0.07, 0.17, 0.045], 0.4)
export function plants(m: Mesh): void {
  tree(m, PINK, [2.6, 9.6, 0], 4.7, 4.4, 51, { leaves: 7000, size: 0.085, blobs: 12, bark: [0.14, 0.08, 0.07] })
  for (let i = 0; i < 8; i++)
    bush(m, i % 3 ? DEEP : FRESH, [-8.3 + (i % 2) * 0.3, 1 + i * 1.05, 0], 0.55 + 0.2 * (i % 3), i + 70, 500, 0.06)
  for (let i = 0; i < 7; i++) bush(m, i % 2 ? FRESH : DEEP, [3.9 + i * 0.8, 12.05, 0], 0.42, i + 90, 380, 0.055)
  const petals = [paint(0.85, 0.65, 0.06), paint(0.8, 0.78, 0.7), paint(0.7, 0.12, 0.2)],
    r = rng(8)
  for (let i = 0; i < 130; i++) {
    const x = -8.1 + r() * 1.3,
      y = 0.8 + r() * 8
    ball(m, petals[i % 3]!, [x, y, 0.3 + r() * 0.35], [0.045, 0.045, 0.035], 6)
  }
  for (let i = 0; i < 500; i++) {
    const a = r() * 6.28,
      k = Math.sqrt(r()) * 2.6
    ball(m, PINK[2]!, [2.6 + Math.cos(a) * k, 9.4 + Math.sin(a) * k, 0.015], [0.03, 0.03, 0.008], 5)
  }
  const g = [paint(0.11, 0.24, 0.05, { leaf: true, ir: 0.45 }), paint(0.16, 0.29, 0.07, { leaf: true, ir: 0.5 })]
  blades(m, g, 22000, 0.06, 9, (q) => [-8.8 + q() * 18, 2 + q() * 10.4, 0])
}

/** Adds the trees and the house visible over the fence. */
export function neighbors(m: Mesh): void {
  for (let i = 0; i < 9; i++)
    tree(m, i % 2 ? FRESH : DEEP, [-22 + i * 6.2, 19 + (i % 3) * 3, 0], 7 + (i % 3) * 1.4, 6.5, 60 + i, {
      leaves: 1700,
      size: 0.24,
      blobs: 8,
    })
  for (let i = 0; i < 5; i++)
    tree(m, i % 2 ? DEEP : FRESH, [15 + (i % 2) * 3, 2 + i * 4.6, 0], 7.5 + (i % 2), 6, 160 + i, {
      leaves: 1700,
      size: 0.24,
      blobs: 8,
    })
  const b = stand([7, 26, 0], Math.PI / 2)
  house(m, b, 11, 8, 4.6, 7.6, siding([0.62, 0.57, 0.45]), shingles([0.25, 0.11, 0.08]))
  for (const x of [-3.6, 0.4, 3]) window(m, b, x, 2.9, 1.2, 1.2, { glass: x > 2 ? LIT_GLASS : undefined })
  ground(m, grass([0.11, 0.22, 0.05], [0.2, 0.26, 0.07]), -200, 12.7, 200, 120, -0.01, 5)
  hedge(m, DEEP, [-16, 14.4, 0], [12, 14.4, 0], 1.4, 2.9, 5200, 11, 0.2)
  hedge(m, DEEP, [11.2, 14.6, 0], [11.2, -4, 0], 1.3, 2.7, 4200, 12, 0.2)
}

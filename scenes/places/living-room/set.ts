import { ground } from '../../kit/building.ts'
import { fbm, rng, type V3 } from '../../kit/math.ts'
import { Mesh, box, paint, quad, type Material } from '../../kit/mesh.ts'
import { bush, crown, leaves } from '../../kit/nature.ts'
import { loft, tube } from '../../kit/shapes.ts'
import { planks } from '../../kit/textures.ts'
import { bookcase, lamp, pictures, table } from './furniture.ts'
import { sofa } from './sofa.ts'
import { SILL } from './view.ts'
import { curtains, outdoors } from './window.ts'

function room(m: Mesh): void {
  const wall = paint(0.56, 0.56, 0.5),
    trim = paint(0.74, 0.73, 0.7),
    paper: Material = {
      color: [0.2, 0.3, 0.29],
      texture: (p) => {
        const k = 0.92 + 0.14 * fbm(p[0] * 0.8, p[2] * 0.8, 2)
        return [0.2 * k, 0.3 * k, 0.29 * k]
      },
    }
  ground(m, planks([0.36, 0.22, 0.12]), -3, -0.5, 3.3, 5, 0, 0.25)
  quad(m, paper, [-3, 5, 0], [3.3, 5, 0], [3.3, 5, 2.6], [-3, 5, 2.6], 12, 8)
  quad(m, wall, [3.3, 5, 0], [3.3, -0.5, 0], [3.3, -0.5, 2.6], [3.3, 5, 2.6], 12, 8)
  quad(m, paint(0.8, 0.8, 0.78), [-3, 5, 2.6], [3.3, 5, 2.6], [3.3, -0.5, 2.6], [-3, -0.5, 2.6], 12, 12)
  const w = (y0: number, z0: number, y1: number, z1: number): void => box(m, wall, [-3.2, y0, z0], [-3, y1, z1], 0.4)
  w(-0.5, 0, 1.5, 2.6)
  w(3.7, 0, 5.2, 2.6)
  w(1.5, 0, 3.7, 0.85)
  w(1.5, 2.2, 3.7, 2.6)
  box(m, trim, [-3.02, 1.35, 0.78], [-2.66, 3.85, 0.85])
  for (const y of [1.42, 3.7]) box(m, trim, [-3.1, y - 0.04, 0.85], [-2.95, y + 0.08, 2.24])
  box(m, trim, [-3.1, 1.4, 2.2], [-2.95, 3.8, 2.28])
  box(m, trim, [-3.12, 2.58, 0.85], [-3.06, 2.64, 2.2])
  box(m, trim, [-3.12, 1.5, 1.72], [-3.06, 3.7, 1.76])
  box(m, trim, [-3, 4.97, 0], [3.3, 5, 0.1])
  box(m, trim, [-3, -0.5, 0], [-2.98, 5, 0.1])
}

function plants(m: Mesh): void {
  const pot = paint(0.62, 0.6, 0.56),
    g = leaves([0.09, 0.24, 0.07], 0.35),
    r = rng(6)
  loft(
    m,
    pot,
    [
      { c: [-2.55, 0.75, 0], x: [0.17, 0, 0], y: [0, 0.17, 0] },
      { c: [-2.55, 0.75, 0.4], x: [0.22, 0, 0], y: [0, 0.22, 0] },
    ],
    20,
  )
  for (let i = 0; i < 9; i++) {
    const a = i * 2.4,
      k = 0.25 + 0.1 * (i % 3),
      p: V3 = [-2.55 + Math.cos(a) * k, 0.75 + Math.sin(a) * k, 0.95 + 0.14 * (i % 4)]
    tube(
      m,
      paint(0.1, 0.2, 0.06),
      [[-2.55, 0.75, 0.4], [-2.55 + Math.cos(a) * k * 0.4, 0.75 + Math.sin(a) * k * 0.4, 0.85], p],
      [0.012, 0.01, 0.008],
      5,
    )
    crown(m, g, p, [0.16, 0.16, 0.1], 46, 0.12, r)
  }
  loft(
    m,
    paint(0.5, 0.25, 0.16),
    [
      { c: [-2.84, 3.5, SILL], x: [0.07, 0, 0], y: [0, 0.07, 0] },
      { c: [-2.84, 3.5, SILL + 0.13], x: [0.09, 0, 0], y: [0, 0.09, 0] },
    ],
    16,
  )
  bush(m, leaves([0.16, 0.32, 0.1], 0.3), [-2.84, 3.5, SILL + 0.1], 0.11, 3, 160, 0.04)
}

export function build(): Mesh {
  const m = new Mesh()
  room(m)
  curtains(m)
  sofa(m)
  table(m)
  bookcase(m)
  pictures(m)
  lamp(m)
  plants(m)
  outdoors(m)
  return m
}

import { LIT_GLASS, boxAt, door, house, window } from '../../kit/building.ts'
import { stand } from '../../kit/math.ts'
import { paint, type Mesh } from '../../kit/mesh.ts'
import { ball } from '../../kit/shapes.ts'
import { brick, siding } from '../../kit/textures.ts'
import { SNOW } from './snow.ts'

export function homes(m: Mesh): void {
  const walls = [
    siding([0.5, 0.2, 0.13]),
    siding([0.62, 0.6, 0.52]),
    brick([0.36, 0.15, 0.1], [0.5, 0.47, 0.44]),
    siding([0.22, 0.32, 0.36]),
    siding([0.6, 0.5, 0.3]),
  ]
  for (let i = 0; i < 6; i++) {
    const at = stand([-9.5 + i * 13.6, 15.4 + (i % 2) * 0.8, 0], Math.PI / 2),
      two = i % 2 === 0
    house(m, at, 9.4, 8, two ? 5.2 : 3.2, two ? 8.4 : 6.6, walls[i % 5]!, SNOW, paint(0.75, 0.76, 0.78))
    for (const x of [-3.6, -1, 3])
      for (const z of two ? [1, 3.6] : [1])
        window(m, at, x - 0.4, z, 1.2, 1.3, {
          glass: (i + x + z) % 2 < 1 ? LIT_GLASS : undefined,
          shutters: i % 3 === 1 ? paint(0.08, 0.13, 0.2) : undefined,
        })
    door(m, at, 0.9, 1, 2.1, paint(i % 2 ? 0.4 : 0.06, 0.07, i % 2 ? 0.05 : 0.2))
    boxAt(m, SNOW, at, [0.4, -1.3, 2.62], [2.4, 0, 2.8])
    boxAt(m, paint(0.7, 0.7, 0.7), at, [0.45, -1.25, 0], [0.55, -1.15, 2.62])
    boxAt(m, paint(0.7, 0.7, 0.7), at, [2.25, -1.25, 0], [2.35, -1.15, 2.62])
    boxAt(m, brick([0.36, 0.16, 0.11], [0.45, 0.42, 0.4]), at, [-2.9, 3.4, 5], [-2.2, 4.1, two ? 9.4 : 7.6])
    boxAt(m, SNOW, at, [-2.95, 3.35, two ? 9.4 : 7.6], [-2.15, 4.15, two ? 9.5 : 7.72])
  }
  for (let i = 0; i < 9; i++) {
    const x = -24 + i * 9
    ball(m, SNOW, [x, 34 + (i % 3) * 4, 2], [6, 4, 6 + (i % 3)], 14)
  }
}

import { LIT_GLASS, addBoxAt, addDoor, addHouse, addWindow } from '../../kit/building.ts'
import { placeFigure } from '../../kit/math.ts'
import { createMaterial, type Mesh } from '../../kit/mesh.ts'
import { addBall } from '../../kit/shapes.ts'
import { createBrick, createSiding } from '../../kit/textures.ts'
import { SNOW } from './snow.ts'

export function addHouses(m: Mesh): void {
  const walls = [
    createSiding([0.5, 0.2, 0.13]),
    createSiding([0.62, 0.6, 0.52]),
    createBrick([0.36, 0.15, 0.1], [0.5, 0.47, 0.44]),
    createSiding([0.22, 0.32, 0.36]),
    createSiding([0.6, 0.5, 0.3]),
  ]
  for (let i = 0; i < 6; i++) {
    const at = placeFigure([-9.5 + i * 13.6, 15.4 + (i % 2) * 0.8, 0], Math.PI / 2),
      hasTwoFloors = i % 2 === 0
    addHouse(
      m,
      at,
      9.4,
      8,
      hasTwoFloors ? 5.2 : 3.2,
      hasTwoFloors ? 8.4 : 6.6,
      walls[i % 5]!,
      SNOW,
      createMaterial(0.75, 0.76, 0.78),
    )
    for (const x of [-3.6, -1, 3])
      for (const z of hasTwoFloors ? [1, 3.6] : [1])
        addWindow(m, at, x - 0.4, z, 1.2, 1.3, {
          glass: (i + x + z) % 2 < 1 ? LIT_GLASS : undefined,
          shutters: i % 3 === 1 ? createMaterial(0.08, 0.13, 0.2) : undefined,
        })
    addDoor(m, at, 0.9, 1, 2.1, createMaterial(i % 2 ? 0.4 : 0.06, 0.07, i % 2 ? 0.05 : 0.2))
    addBoxAt(m, SNOW, at, [0.4, -1.3, 2.62], [2.4, 0, 2.8])
    addBoxAt(m, createMaterial(0.7, 0.7, 0.7), at, [0.45, -1.25, 0], [0.55, -1.15, 2.62])
    addBoxAt(m, createMaterial(0.7, 0.7, 0.7), at, [2.25, -1.25, 0], [2.35, -1.15, 2.62])
    addBoxAt(
      m,
      createBrick([0.36, 0.16, 0.11], [0.45, 0.42, 0.4]),
      at,
      [-2.9, 3.4, 5],
      [-2.2, 4.1, hasTwoFloors ? 9.4 : 7.6],
    )
    addBoxAt(m, SNOW, at, [-2.95, 3.35, hasTwoFloors ? 9.4 : 7.6], [-2.15, 4.15, hasTwoFloors ? 9.5 : 7.72])
  }
  for (let i = 0; i < 9; i++) {
    const x = -24 + i * 9
    addBall(m, SNOW, [x, 34 + (i % 3) * 4, 2], [6, 4, 6 + (i % 3)], 14)
  }
}

import { Mesh, createMaterial } from '../../kit/mesh.ts'
import { addGarden, addStreetAndHouses, addTrees } from './garden.ts'
import { addPorch, addFlowerPot, addPumpkin } from './porch.ts'

export function build(): Mesh {
  const m = new Mesh()
  addPorch(m)
  addFlowerPot(m, -1.02, 1.95, 0.2, createMaterial(0.6, 0.12, 0.35), 3)
  addFlowerPot(m, 1.2, 1.98, 0.17, createMaterial(0.8, 0.55, 0.1), 4)
  addPumpkin(m, 1.62, 1.75, 0, 0.2)
  addPumpkin(m, 1.95, 1.9, 0, 0.14)
  addPumpkin(m, -1.42, 1.62, 0, 0.15)
  addGarden(m)
  addStreetAndHouses(m)
  addTrees(m)
  return m
}

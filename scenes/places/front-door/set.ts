import { Mesh, paint } from '../../kit/mesh.ts'
import { garden, streetAndHomes, trees } from './garden.ts'
import { porch, pot, pumpkin } from './porch.ts'

export function build(): Mesh {
  const m = new Mesh()
  porch(m)
  pot(m, -1.02, 1.95, 0.2, paint(0.6, 0.12, 0.35), 3)
  pot(m, 1.2, 1.98, 0.17, paint(0.8, 0.55, 0.1), 4)
  pumpkin(m, 1.62, 1.75, 0, 0.2)
  pumpkin(m, 1.95, 1.9, 0, 0.14)
  pumpkin(m, -1.42, 1.62, 0, 0.15)
  garden(m)
  streetAndHomes(m)
  trees(m)
  return m
}

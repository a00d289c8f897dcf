import { createMaterial } from '../../kit/mesh.ts'
import { createBoards } from '../../kit/textures.ts'

export const WALL = createMaterial(0.52, 0.52, 0.5),
  WOOD = createBoards([0.42, 0.3, 0.17], 0.4),
  STEEL = createMaterial(0.35, 0.36, 0.38, { gloss: 0.2 }),
  RED = createMaterial(0.5, 0.04, 0.03, { gloss: 0.2 }),
  BLACK = createMaterial(0.03, 0.03, 0.032)

import { paint } from '../../kit/mesh.ts'
import { boards } from '../../kit/textures.ts'

export const WALL = paint(0.52, 0.52, 0.5),
  WOOD = boards([0.42, 0.3, 0.17], 0.4),
  STEEL = paint(0.35, 0.36, 0.38, { gloss: 0.2 }),
  RED = paint(0.5, 0.04, 0.03, { gloss: 0.2 }),
  BLACK = paint(0.03, 0.03, 0.032)

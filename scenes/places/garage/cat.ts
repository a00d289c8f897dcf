import { GRAY_CAT } from '../../kit/animals.ts'
import { addAnimal } from '../../kit/beast.ts'
import { createMaterial } from '../../kit/mesh.ts'
import { getAnimalPose, type AnimalKeyframe } from '../../kit/prowl.ts'
import type { Shot } from '../../kit/shot.ts'
import { drawGarageDoor } from './door.ts'

const BENCH_HEIGHT = 0.935
const CAT_KEYFRAMES: AnimalKeyframe[] = [
  { t: 0.8, at: [2, 6.6, 0] },
  { t: 3.6, at: [0.2, 4.6, 0] },
  { t: 5.6, at: [-1.6, 3.5, 0] },
  { t: 6.4, at: [-1.75, 3.3, 0], face: Math.PI },
  { t: 7.1, at: [-2.62, 3.05, BENCH_HEIGHT] },
  { t: 8.6, at: [-2.62, 2.45, BENCH_HEIGHT], face: -0.3 },
  { t: 9.6, at: [-2.62, 2.44, BENCH_HEIGHT], face: 0.6, sit: 1 },
  { t: 11.2, at: [-2.62, 2.44, BENCH_HEIGHT], face: 0.6, sit: 1, look: 0.6, nod: 0.3 },
  { t: 12.6, at: [-2.62, 2.44, BENCH_HEIGHT], face: 0.6, sit: 1, look: -0.7 },
  { t: 13.6, at: [-2.62, 2.44, BENCH_HEIGHT], face: -0.1 },
  { t: 14.3, at: [-1.6, 2.3, 0] },
  { t: 16, at: [0.4, 3.6, 0] },
  { t: 18.6, at: [2.1, 6.7, 0] },
]
export function drawCat(s: Shot, t: number): void {
  drawGarageDoor(s, t, 90, 99)
  const g = getAnimalPose(CAT_KEYFRAMES, t)
  if (!g) return
  s.addContactShadow(g.at, 0.3, 0.14, g.heading, 0.5)
  s.addActor('pet', (m) =>
    addAnimal(
      m,
      {
        ...GRAY_CAT,
        coat: createMaterial(0.1, 0.095, 0.09, { ir: 0.4 }),
        socks: createMaterial(0.6, 0.58, 0.55),
        size: 0.44,
        leg: 0.25,
        thick: 0.125,
        neck: 0.12,
      },
      g,
    ),
  )
}

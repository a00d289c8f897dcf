import { GRAY_CAT, addDog } from '../../kit/animals.ts'
import type { AnimalPose } from '../../kit/beast-types.ts'
import { transformPoint, placeFigure, type Vec3 } from '../../kit/math.ts'
import { createMaterial } from '../../kit/mesh.ts'
import type { Path } from '../../kit/path.ts'
import type { Shot } from '../../kit/shot.ts'

const PALE_COAT = createMaterial(0.7, 0.66, 0.6, { ir: 0.8 })
export const WHITE_CAT = {
  ...GRAY_CAT,
  coat: PALE_COAT,
  face: PALE_COAT,
  socks: PALE_COAT,
  size: 0.46,
  leg: 0.26,
  thick: 0.13,
  tail: { ...GRAY_CAT.tail, tip: PALE_COAT },
}

/** Draws the dog Rex with its contact shadow; returns the position of its mouth. */
export function drawDogRex(s: Shot, g: AnimalPose): Vec3 {
  s.addContactShadow(g.at, 0.5, 0.24, g.heading, 0.5)
  s.addActor('pet', (m) => addDog(m, g))
  return transformPoint(placeFigure(g.at, g.heading), [0, 0.76, 0.66])
}

/** Returns position and heading after `d` meters of a path. */
export const getPathPose = (w: Path, d: number, z = 0.01): { at: Vec3; heading: number } => {
  const q = w.at(d)
  return { at: [q.p[0], q.p[1], z], heading: q.heading }
}

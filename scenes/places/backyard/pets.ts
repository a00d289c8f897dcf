import { GRAYCAT, dog } from '../../kit/animals.ts'
import type { Gait } from '../../kit/beast-types.ts'
import { apply, stand, type V3 } from '../../kit/math.ts'
import { paint } from '../../kit/mesh.ts'
import type { Way } from '../../kit/path.ts'
import type { Shot } from '../../kit/shot.ts'

const PALE = paint(0.7, 0.66, 0.6, { ir: 0.8 })
export const WHITECAT = {
  ...GRAYCAT,
  coat: PALE,
  face: PALE,
  socks: PALE,
  size: 0.46,
  leg: 0.26,
  thick: 0.13,
  tail: { ...GRAYCAT.tail, tip: PALE },
}

/** Draws the dog with its shadow; returns the position of its mouth. */
export function rex(s: Shot, g: Gait): V3 {
  s.contact(g.at, 0.5, 0.24, g.heading, 0.5)
  s.actor('pet', (m) => dog(m, g))
  return apply(stand(g.at, g.heading), [0, 0.76, 0.66])
}

/** Returns position and heading after `d` meters of a path. */
export const at2 = (w: Way, d: number, z = 0.01): { at: V3; heading: number } => {
  const q = w.at(d)
  return { at: [q.p[0], q.p[1], z], heading: q.heading }
}

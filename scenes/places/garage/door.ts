import { chain, moved, smooth, turnX } from '../../kit/math.ts'
import { box, paint, type Mesh } from '../../kit/mesh.ts'
import type { Shot } from '../../kit/shot.ts'
import { STEEL } from './paints.ts'
import { DOOR } from './view.ts'

const PANEL = paint(0.56, 0.57, 0.56),
  GROOVE = paint(0.4, 0.41, 0.41)
/** Draws the sectional door, `u` = 0 closed .. 1 open. */
function bigDoor(m: Mesh, u: number): void {
  for (let k = 0; k < 4; k++) {
    const s = k * 0.55 + 0.275 + u * 2.3,
      bend = smooth(DOOR.top - 0.2, DOOR.top + 0.25, s),
      y = 0.06 + Math.max(0, s - DOOR.top) * 0.98,
      z = s < DOOR.top ? s : DOOR.top + 0.16
    m.at = chain(moved([0, y, Math.min(z, DOOR.top + 0.16)]), turnX(-bend * 1.53))
    box(m, PANEL, [-2.44, -0.02, -0.272], [2.44, 0.02, 0.272], 0.4)
    for (let i = 0; i < 6; i++) {
      const x = -2.2 + i * 0.8
      box(m, GROOVE, [x - 0.32, 0.02, -0.18], [x + 0.32, 0.024, 0.18])
      box(m, PANEL, [x - 0.29, 0.022, -0.15], [x + 0.29, 0.03, 0.15])
    }
    box(m, STEEL, [-2.44, 0.02, -0.274], [2.44, 0.032, -0.25])
  }
  m.at = null
}

/** Draws the door, which starts to open at `a` and to close at `b`; each takes four seconds. */
export function doorway(s: Shot, t: number, a: number, b: number, far = 1): void {
  const u = far * smooth(a, a + 4, t) * (1 - smooth(b, b + 4, t))
  s.openness = u
  s.actor('', (m) => bigDoor(m, u))
}

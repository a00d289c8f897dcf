import { maya } from '../../kit/looks.ts'
import { chain, moved, stand } from '../../kit/math.ts'
import { box, paint, type Mesh } from '../../kit/mesh.ts'
import { walkLegs } from '../../kit/moves.ts'
import { person } from '../../kit/person.ts'
import { ball } from '../../kit/shapes.ts'
import type { Shot } from '../../kit/shot.ts'
import { come, enter, wave } from './calling.ts'
import { floor } from './view.ts'

function paperBag(m: Mesh, root: ReturnType<typeof stand>): void {
  m.at = chain(root, moved([-0.12, 0.24, 1.0]))
  box(m, paint(0.48, 0.33, 0.19), [-0.14, -0.09, 0], [0.14, 0.09, 0.36], 0.1)
  for (let i = 0; i < 5; i++)
    ball(m, paint(0.1, 0.32, 0.06), [-0.08 + i * 0.04, 0.02 * (i % 2), 0.37], [0.04, 0.04, 0.08], 7)
  m.at = null
}

export function mayaHome(s: Shot, t: number): void {
  if (t < 0.5 || t > 16) return
  const p = walkLegs(
      [
        { way: come, from: 0.6, to: 9 },
        { way: enter, from: 13.2, to: 15.6, easeOut: 0.1 },
      ],
      t,
      floor,
    ),
    w = wave(t, 9.6, 12)
  p.hands = [[-0.08, 0.36, 1.05], w[1]]
  p.look = t > 9 && t < 12.4 ? -0.12 * Math.sin(t) : 0
  s.contact(p.at, 0.34, 0.3, p.heading, 0.5)
  s.actor('person', (m) => paperBag(m, person(m, maya, p)))
}

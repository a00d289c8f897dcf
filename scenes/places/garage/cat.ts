import { GRAYCAT } from '../../kit/animals.ts'
import { beast } from '../../kit/beast.ts'
import { paint } from '../../kit/mesh.ts'
import { prowl, type Key } from '../../kit/prowl.ts'
import type { Shot } from '../../kit/shot.ts'
import { doorway } from './door.ts'

const TOP = 0.935
const MOUSER: Key[] = [
  { t: 0.8, at: [2, 6.6, 0] },
  { t: 3.6, at: [0.2, 4.6, 0] },
  { t: 5.6, at: [-1.6, 3.5, 0] },
  { t: 6.4, at: [-1.75, 3.3, 0], face: Math.PI },
  { t: 7.1, at: [-2.62, 3.05, TOP] },
  { t: 8.6, at: [-2.62, 2.45, TOP], face: -0.3 },
  { t: 9.6, at: [-2.62, 2.44, TOP], face: 0.6, sit: 1 },
  { t: 11.2, at: [-2.62, 2.44, TOP], face: 0.6, sit: 1, look: 0.6, nod: 0.3 },
  { t: 12.6, at: [-2.62, 2.44, TOP], face: 0.6, sit: 1, look: -0.7 },
  { t: 13.6, at: [-2.62, 2.44, TOP], face: -0.1 },
  { t: 14.3, at: [-1.6, 2.3, 0] },
  { t: 16, at: [0.4, 3.6, 0] },
  { t: 18.6, at: [2.1, 6.7, 0] },
]
export function mouser(s: Shot, t: number): void {
  doorway(s, t, 90, 99)
  const g = prowl(MOUSER, t)
  if (!g) return
  s.contact(g.at, 0.3, 0.14, g.heading, 0.5)
  s.actor('pet', (m) =>
    beast(
      m,
      {
        ...GRAYCAT,
        coat: paint(0.1, 0.095, 0.09, { ir: 0.4 }),
        socks: paint(0.6, 0.58, 0.55),
        size: 0.44,
        leg: 0.25,
        thick: 0.125,
        neck: 0.12,
      },
      g,
    ),
  )
}

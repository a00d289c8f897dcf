import { kidLook, strangerLook } from '../../kit/looks.ts'
import { transformPoint, placeFigure, type Mat } from '../../kit/math.ts'
import { createMaterial, type Mesh } from '../../kit/mesh.ts'
import { drawPerson } from '../../kit/moves.ts'
import { getTravelDistance, createPath } from '../../kit/path.ts'
import { addPerson } from '../../kit/person.ts'
import { addLoft, addTube } from '../../kit/shapes.ts'
import type { Shot } from '../../kit/shot.ts'

function addSledge(m: Mesh, at: Mat): void {
  const wood = createMaterial(0.45, 0.27, 0.12)
  m.transform = at
  for (const x of [-0.2, 0.2])
    addTube(
      m,
      wood,
      [
        [x, -0.5, 0.03],
        [x, 0.4, 0.03],
        [x, 0.58, 0.16],
        [x, 0.5, 0.24],
      ],
      [0.02, 0.02, 0.02, 0.018],
      6,
    )
  addLoft(
    m,
    wood,
    [
      { c: [0, -0.48, 0.2], x: [0.24, 0, 0], y: [0, 0, 0.02], e: 5 },
      { c: [0, 0.48, 0.2], x: [0.24, 0, 0], y: [0, 0, 0.02], e: 5 },
    ],
    16,
  )
  addTube(
    m,
    createMaterial(0.5, 0.1, 0.06),
    [
      [0, 0.55, 0.2],
      [0, 1.1, 0.4],
      [0.2, 1.55, 0.8],
    ],
    [0.01, 0.01, 0.01],
    5,
  )
}

export function drawSledge(s: Shot, t: number): void {
  const w = createPath([-12, 9.2], [-2, 9.2], [6, 9.25], [16, 9.2], [34, 9.2]),
    d = getTravelDistance(t, 0.6, 19, w.length - 12, 0.2) + 3,
    p = w.at(d),
    q = w.at(d - 1.7)
  if (t < 0.6 || t > 18.9) return
  drawPerson(s, strangerLook, {
    at: [p.p[0], p.p[1], 0.02],
    heading: p.heading,
    walked: d,
    stride: 1.05,
    lean: 0.12,
    t,
    hands: [null, [0.22, -0.22, 0.85]],
  })
  s.addContactShadow([q.p[0], q.p[1], 0.02], 0.6, 0.3, q.heading, 0.5)
  s.addActor('person', (m) => {
    const at = placeFigure([q.p[0], q.p[1], 0.02], q.heading)
    addSledge(m, at)
    addPerson(m, kidLook, {
      at: transformPoint(at, [0, -0.12, 0.1]),
      heading: q.heading,
      seat: 0.3,
      lean: -0.08,
      feet: [
        [-0.14, 0.62, 0.18],
        [0.14, 0.62, 0.18],
      ],
      hands: [
        [-0.3, 0.25, 0.45],
        [0.3, 0.25, 0.5 + 0.35 * Math.max(0, Math.sin(t * 2))],
      ],
      look: 0.7 * Math.sin(t * 0.9),
      t,
    })
  })
}

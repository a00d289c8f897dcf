import { mayaLook } from '../../kit/looks.ts'
import { composeAll, translation, smoothstep, placeFigure, normalize, type Vec3 } from '../../kit/math.ts'
import { createMaterial } from '../../kit/mesh.ts'
import { moveHand, drawPerson, getWalkPose } from '../../kit/moves.ts'
import { createPath } from '../../kit/path.ts'
import type { Action } from '../../kit/place.ts'
import { addBall, addLoft } from '../../kit/shapes.ts'
import type { Shot } from '../../kit/shot.ts'
import { DASH_KEYFRAMES, SILL_KEYFRAMES, drawGingerCat } from './cat.ts'

const pathToShelf = createPath([3.15, 1.8], [2.4, 2.8], [1.9, 3.4], [1.8, 3.85]),
  pathFromShelf = createPath([1.8, 3.85], [2.1, 3.3], [2.6, 2.6], [3.2, 1.7])
function drawFlashlightSearch(s: Shot, t: number): void {
  if (t < 1 || t > 18.4) return
  const p = getWalkPose(
      [
        { way: pathToShelf, from: 1.1, to: 6 },
        { way: pathFromShelf, from: 13, to: 18.3, easeOut: 0.2 },
      ],
      t,
    ),
    grab = smoothstep(8.6, 9.6, t) * (1 - smoothstep(10.6, 11.6, t)),
    hasBook = t > 9.8
  const sweep = t > 5.5 && t < 9 ? 0.5 * Math.sin((t - 5.5) * 1.9) : 0,
    a = p.heading + sweep + (t < 5.5 ? 0.35 * Math.sin(t * 1.2) : 0)
  p.hands = [[-0.16, 0.4, 1.15], moveHand(grab, hasBook ? [0.2, 0.24, 1.1] : [0.25, 0.06, 0.88], [0.18, 0.5, 1.42])]
  p.look = sweep
  const c = Math.cos(p.heading),
    e = Math.sin(p.heading),
    at: Vec3 = [p.at[0] + c * 0.44 - e * 0.14, p.at[1] + e * 0.44 + c * 0.14, 1.12]
  drawPerson(s, { ...mayaLook, top: createMaterial(0.5, 0.52, 0.6), sleeve: createMaterial(0.5, 0.52, 0.6) }, p)
  s.addActor('', (m) => {
    addBall(m, createMaterial(0.9, 0.9, 0.85, { nightGlow: 1.2 }), at, [0.03, 0.03, 0.03], 8)
    if (!hasBook) return
    const q = p.hands![1]!
    m.transform = composeAll(
      placeFigure(p.at, p.heading),
      translation([q[0] * 0.95, q[1] * 0.97 + 0.06, q[2] * 0.97 - 0.06]),
    )
    addLoft(
      m,
      createMaterial(0.5, 0.1, 0.07),
      [
        { c: [0, -0.02, 0], x: [0.02, 0, 0], y: [0, 0, 0.12], e: 6 },
        { c: [0, 0.14, 0], x: [0.02, 0, 0], y: [0, 0, 0.12], e: 6 },
      ],
      16,
    )
  })
  s.addHeadlight(at, normalize([Math.cos(a), Math.sin(a), -0.18]), 0.7, 0.25)
}
export const nightActions: Action[] = [
  {
    id: 'dash',
    label: 'Pet',
    summary: 'The cat races over the sofa and onto the table; a glass breaks on the floor.',
    seconds: 20,
    best: 9,
    tags: ['motion', 'pet', 'sound'],
    sounds: ['Glass Breaking'],
    draw: (s, t) => drawGingerCat(s, DASH_KEYFRAMES, t),
  },
  {
    id: 'torch',
    label: 'Person',
    summary: 'Somebody fetches a book by torchlight.',
    seconds: 20,
    best: 9.2,
    tags: ['motion', 'person'],
    draw: drawFlashlightSearch,
  },
  {
    id: 'sill',
    label: 'Pet',
    summary: 'The cat sits on the moonlit window sill.',
    seconds: 20,
    best: 10.4,
    tags: ['motion', 'pet', 'sound'],
    sounds: ['Meowing'],
    draw: (s, t) => drawGingerCat(s, SILL_KEYFRAMES, t),
  },
]

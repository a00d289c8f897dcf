import { blueSedan } from '../../kit/car-styles.ts'
import { samLook } from '../../kit/looks.ts'
import { smoothstep, normalize, type Vec3 } from '../../kit/math.ts'
import { createMaterial } from '../../kit/mesh.ts'
import { drawPerson, getWalkPose } from '../../kit/moves.ts'
import { blendHeading } from '../../kit/path.ts'
import type { Action } from '../../kit/place.ts'
import { addBall } from '../../kit/shapes.ts'
import type { Shot } from '../../kit/shot.ts'
import { createArrivalAction } from './arrive.ts'
import { drawCat } from './cat.ts'
import { drawGarageDoor } from './door.ts'
import { pathFromBench, pathToBench } from './ways.ts'

function drawFlashlightSearch(s: Shot, t: number): void {
  drawGarageDoor(s, t, 90, 99)
  if (t < 0.8 || t > 18.6) return
  const p = getWalkPose(
      [
        { way: pathToBench, from: 0.9, to: 6 },
        { way: pathFromBench, from: 13, to: 18.5, easeOut: 0.2 },
      ],
      t,
    ),
    a = p.heading + (t > 6 && t < 12 ? 0.9 * Math.sin((t - 6) * 1.05) : 0.25 * Math.sin(t * 1.4))
  if (t > 5.8 && t < 12) p.heading = blendHeading(pathToBench.at(99).heading, -2.4, smoothstep(5.8, 7, t))
  p.hands = [[-0.16, 0.4, 1.15], null]
  p.look = a - p.heading
  const c = Math.cos(p.heading),
    e = Math.sin(p.heading),
    at: Vec3 = [p.at[0] + c * 0.46 - e * 0.15, p.at[1] + e * 0.46 + c * 0.15, 1.18]
  drawPerson(s, samLook, p)
  s.addActor('', (m) => addBall(m, createMaterial(0.9, 0.9, 0.85, { nightGlow: 1.2 }), at, [0.035, 0.035, 0.035], 8))
  s.addHeadlight(at, normalize([Math.cos(a), Math.sin(a), -0.12]), 0.8, 0.25)
}
export const nightActions: Action[] = [
  {
    id: 'arrive',
    label: 'Car comes home',
    summary: 'The door goes up, headlights fill the garage; the driver unloads and drives off.',
    seconds: 40,
    best: 10.6,
    tags: ['motion', 'vehicle', 'person'],
    draw: createArrivalAction(blueSedan),
  },
  {
    id: 'torch',
    label: 'Person',
    summary: 'Somebody looks round with a torch.',
    seconds: 20,
    best: 9,
    tags: ['motion', 'person'],
    draw: drawFlashlightSearch,
  },
  {
    id: 'cat',
    label: 'Pet',
    summary: 'A cat with white socks hunts along the workbench.',
    seconds: 20,
    best: 10,
    tags: ['motion', 'pet'],
    draw: drawCat,
  },
]

import { addPaleFox } from '../../kit/animals.ts'
import { blueSedan, type CarStyle } from '../../kit/car-styles.ts'
import { passerbyLook, strangerLook, withPaleCoat } from '../../kit/looks.ts'
import { createMaterial } from '../../kit/mesh.ts'
import { drawPerson } from '../../kit/moves.ts'
import { getStride, getTravelDistance, blendHeading, createPath } from '../../kit/path.ts'
import type { Action } from '../../kit/place.ts'
import type { Shot } from '../../kit/shot.ts'
import { createCarAction } from './car.ts'
import { drawPassingCar } from './traffic.ts'

const PALE_SEDAN: CarStyle = { ...blueSedan, color: createMaterial(0.5, 0.49, 0.46, { gloss: 0.4 }) }

function drawFox(s: Shot, t: number): void {
  const path = createPath(
    [-13, 9.5],
    [-6, 9.5],
    [-2.5, 7.6],
    [-0.4, 6.4],
    [1.6, 6.8],
    [3.1, 8.6],
    [3.4, 14],
    [9, 16.5],
    [22, 16],
  )
  const stop = 9.6,
    d =
      t < stop
        ? getTravelDistance(t, 1, 8.4, 14.5, 0.2, 0.8)
        : 14.5 + getTravelDistance(t, 11.4, 18.6, path.length - 14.5, 0.8, 0.2),
    w = path.at(d)
  if (t < 1 || t > 18.5) return
  const pause = getStride(t, 8.2, 11.6, 0.5)
  s.addContactShadow([w.p[0], w.p[1], 0.01], 0.42, 0.16, w.heading, 0.5)
  s.addActor('pet', (m) =>
    addPaleFox(m, {
      at: [w.p[0], w.p[1], 0.01],
      heading: w.heading,
      walked: d,
      gait: 1 - pause,
      look: pause * -0.9,
      nod: pause * 0.15 - (1 - pause) * 0.2,
      t,
    }),
  )
}

function drawVisitor(s: Shot, t: number): void {
  if (t < 1 || t > 19) return
  const approachPath = createPath([14, 15.9], [2.5, 15.8], [0.6, 14.4], [0, 11], [-0.3, 7]),
    d =
      t < 10
        ? getTravelDistance(t, 1, 9.2, approachPath.length, 0.2, 0.9)
        : approachPath.length - getTravelDistance(t, 12.4, 18.9, approachPath.length, 0.9, 0.2),
    w = approachPath.at(d),
    k = Math.min(1, Math.max(0, (t - 11.5) / 1))
  drawPerson(s, strangerLook, {
    at: [w.p[0], w.p[1], 0.012],
    heading: t > 9 ? blendHeading(w.heading, w.heading + Math.PI, k) : w.heading,
    walked: t < 11 ? d : approachPath.length + (approachPath.length - d) + (t - 11.5) * 0.3,
    stride: Math.max(getStride(t, 0.4, 9.2), getStride(t, 12.2, 30), 0.3 * getStride(t, 11.4, 12.6, 0.3)),
    look: t > 9.3 && t < 11.5 ? 0.9 * Math.sin((t - 9.3) * 2.8) : 0,
    t,
  })
}

function drawNightWalk(s: Shot, t: number): void {
  const d = (t - 1.5) * 1.5 * 1.35
  if (t > 1.5 && t < 19)
    drawPerson(s, withPaleCoat(passerbyLook), {
      at: [-18 + d, 15.9, 0.015],
      heading: 0,
      walked: d,
      stride: 1,
      look: t > 8 && t < 11 ? -0.6 : 0,
      t,
    })
  drawPassingCar(s, t, 6, blueSedan, false)
}
export const nightActions: Action[] = [
  {
    id: 'car',
    label: 'Car on the drive',
    summary: 'Headlights turn in from the street; the driver calls at the house and drives off.',
    seconds: 40,
    best: 11.2,
    tags: ['motion', 'vehicle', 'person'],
    draw: createCarAction(PALE_SEDAN),
  },
  {
    id: 'fox',
    label: 'Animal',
    summary: 'A fox crosses the drive and looks up at the camera.',
    seconds: 20,
    best: 9.8,
    tags: ['motion', 'pet'],
    draw: drawFox,
  },
  {
    id: 'visitor',
    label: 'Person',
    summary: 'Somebody walks up, looks around and leaves.',
    seconds: 20,
    best: 10,
    tags: ['motion', 'person'],
    draw: drawVisitor,
  },
  {
    id: 'walk',
    label: 'Person passes by',
    summary: 'Somebody walks home along the pavement while a car goes by.',
    seconds: 20,
    best: 9.4,
    tags: ['motion', 'person', 'vehicle'],
    draw: drawNightWalk,
  },
]

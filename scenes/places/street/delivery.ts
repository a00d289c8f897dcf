import { whiteVan } from '../../kit/car-styles.ts'
import { drawCar } from '../../kit/car.ts'
import { courierLook } from '../../kit/looks.ts'
import { getCarryPose, drawPerson, getWalkPose } from '../../kit/moves.ts'
import { getTravelDistance, createPath } from '../../kit/path.ts'
import type { Shot } from '../../kit/shot.ts'

const parkPath = createPath([74, 3.9], [20, 3.9], [8, 3.9], [4.6, 4.3], [1.2, 5.5], [-2.4, 5.6]),
  driveOffPath = createPath([-2.4, 5.6], [-5.4, 5.1], [-9, 4], [-14, 3.9], [-46, 3.9])
const pathToDoor = createPath([-2.2, 6.9], [0.4, 9.1], [3.6, 9.5], [4.8, 11], [5.3, 13.8]),
  pathToVan = createPath([5.3, 13.8], [4.8, 11], [3.6, 9.5], [0.4, 9.1], [-2.2, 6.9])
export function drawDelivery(s: Shot, t: number): void {
  if (t < 0.8 || t > 39) return
  const a = getTravelDistance(t, 0.8, 10.4, parkPath.length, 0.2, 4),
    b = getTravelDistance(t, 31, 38.8, driveOffPath.length, 3, 0.2),
    w = t < 20 ? parkPath.at(a) : driveOffPath.at(b)
  drawCar(s, whiteVan, {
    at: [w.p[0], w.p[1], -0.12],
    heading: w.heading,
    rolled: a + b,
    lights: true,
    brake: t > 8 && t < 11.4,
    steer: t < 20 ? (a > 62 && a < 68 ? 0.3 : 0) : b < 4 ? -0.25 : 0,
  })
  if (t < 12.4 || t > 29.6) return
  const p = getWalkPose(
      [
        { way: pathToDoor, from: 12.4, to: 19 },
        { way: pathToVan, from: 23, to: 29.4 },
      ],
      t,
    ),
    c = getCarryPose(0)
  drawPerson(s, courierLook, { ...p, hands: t < 21.5 ? c.hands : undefined }, 'person', t < 21.5 ? c.held : undefined)
}

import { redHatch } from '../../kit/car-styles.ts'
import { drawCar } from '../../kit/car.ts'
import { passerbyLook, withPaleCoat } from '../../kit/looks.ts'
import { smoothstep } from '../../kit/math.ts'
import { drawPerson } from '../../kit/moves.ts'
import { getStride, getTravelDistance, createPath } from '../../kit/path.ts'
import type { Shot } from '../../kit/shot.ts'

const turnInPath = createPath(
    [-46, 19.2],
    [-20, 19.2],
    [-8, 19.2],
    [-4.2, 18.8],
    [-1.5, 17.1],
    [-0.3, 14.6],
    [0, 11.5],
    [0, 7.4],
  ),
  backOutPath = createPath([0, 7.4], [0, 11.5], [-0.3, 14.6], [-1.5, 17.1], [-4.2, 18.9], [-8.5, 19.2]),
  driveOffPath = createPath([-8.5, 19.2], [-4, 19.2], [10, 19.2], [52, 19.2])

/**
 * Returns the draw function of an action: a car turns in, waits while its driver walks to the house and back, backs out
 * and drives off.
 */
export function createCarAction(style: typeof redHatch) {
  return (s: Shot, t: number): void => {
    const a = getTravelDistance(t, 0.6, 12.5, turnInPath.length, 0.2, 5.5),
      b = getTravelDistance(t, 25.2, 32, backOutPath.length, 1.5, 1.2),
      c = getTravelDistance(t, 32.6, 39, driveOffPath.length, 3, 0.2)
    if (t < 0.6 || t > 38.9) return
    const h = 0.02,
      areLightsOn = t < 15.5 || t > 24.8
    const lift = (y: number): number => (y > 17.4 ? -0.09 : Math.min(h, -0.09 + (17.4 - y) * 0.1))
    const isReversing = t >= 18 && t < 32.3,
      w = isReversing ? backOutPath.at(b) : t < 18 ? turnInPath.at(a) : driveOffPath.at(c)
    drawCar(s, style, {
      at: [w.p[0], w.p[1], lift(w.p[1])],
      heading: isReversing ? w.heading + Math.PI : w.heading,
      rolled: a - b + c,
      steer: t < 12 ? (a > 38 && a < 46 ? -0.4 : 0) : t > 25 && t < 32 && b > 5 ? -0.4 : 0,
      lights: areLightsOn,
      brake: (t > 10 && t < 14) || (t > 30.6 && t < 32.6),
    })
    if (t > 13.8 && t < 24.4) drawDriver(s, t)
  }
}

const pathToHouse = createPath([-0.35, 7.3], [-1.4, 6.9], [-1.8, 5.4], [-1.4, 3], [-0.6, -0.8])
function drawDriver(s: Shot, t: number): void {
  const k =
      t < 19
        ? getTravelDistance(t, 13.8, 18.4, pathToHouse.length, 0.4, 0.2)
        : pathToHouse.length - getTravelDistance(t, 19.8, 24.4, pathToHouse.length, 0.2, 0.4),
    w = pathToHouse.at(k),
    isReturning = t >= 19
  drawPerson(s, s.isNight ? withPaleCoat(passerbyLook) : passerbyLook, {
    at: [w.p[0], w.p[1], 0.01],
    heading: w.heading + (isReturning ? Math.PI : 0),
    walked: k * (isReturning ? -1 : 1),
    stride: getStride(t, 13.8, 40, 0.3) * (1 - getStride(t, 24.1, 60, 0.3)),
    crouch: 0.95 * (1 - smoothstep(0.35, 1.5, k)),
    t,
  })
}

import type { CarStyle } from '../../kit/car-styles.ts'
import { drawCar } from '../../kit/car.ts'
import { samLook } from '../../kit/looks.ts'
import { smoothstep } from '../../kit/math.ts'
import { moveHand, drawPerson, getWalkPose } from '../../kit/moves.ts'
import { getTravelDistance, blendHeading, createPath } from '../../kit/path.ts'
import type { Shot } from '../../kit/shot.ts'
import { drawGarageDoor } from './door.ts'

const driveInPath = createPath(
  [-26, -16.2],
  [-9, -16.2],
  [-3.4, -15.4],
  [-0.4, -12.4],
  [0.1, -8],
  [0.15, -2],
  [0.15, 2.3],
)
/** Returns the draw function of an action: the door opens, a car drives in, the driver unloads and drives off. */
export function createArrivalAction(style: CarStyle) {
  return (s: Shot, t: number): void => {
    drawGarageDoor(s, t, 0.8, 34)
    const L = driveInPath.length,
      d = t < 20 ? getTravelDistance(t, 2, 12.6, L, 0.2, 5) : L - getTravelDistance(t, 23.5, 33.6, L, 2.5, 0.2),
      w = driveInPath.at(d)
    if (t < 2 || t > 33.5) return
    drawCar(s, style, {
      at: [w.p[0], w.p[1], 0.005],
      heading: w.heading,
      rolled: d,
      lights: t < 15 || t > 22.4,
      brake: t > 10 && t < 14,
    })
    if (t > 14.4 && t < 22.8) drawUnloading(s, t)
  }
}

const pathToBench = createPath([-0.3, 1.9], [-1.2, 2.1], [-1.75, 2.75]),
  pathToCar = createPath([-1.75, 2.75], [-1.2, 2.1], [-0.3, 1.9])
function drawUnloading(s: Shot, t: number): void {
  const p = getWalkPose(
      [
        { way: pathToBench, from: 14.4, to: 16.6 },
        { way: pathToCar, from: 20.2, to: 22.6 },
      ],
      t,
    ),
    crouch = 0.95 * (1 - smoothstep(14.5, 15.6, t) * (1 - smoothstep(21.5, 22.6, t)))
  if (t > 16.4 && t < 19.2) p.heading = blendHeading(pathToBench.at(9).heading, Math.PI, smoothstep(16.4, 17, t))
  const k = smoothstep(17, 17.8, t) * (1 - smoothstep(18.6, 19.2, t))
  drawPerson(s, samLook, {
    ...p,
    crouch: crouch,
    hands: [null, k > 0 ? moveHand(k, [0.26, 0.05, 0.88], [0.15, 0.5, 1.08]) : null],
  })
}

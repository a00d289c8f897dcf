import type { CarStyle } from '../../kit/car-styles.ts'
import { car } from '../../kit/car.ts'
import { sam } from '../../kit/looks.ts'
import { smooth } from '../../kit/math.ts'
import { reach, someone, walkLegs } from '../../kit/moves.ts'
import { travel, turnTo, way } from '../../kit/path.ts'
import type { Shot } from '../../kit/shot.ts'
import { doorway } from './door.ts'

const inWay = way([-26, -16.2], [-9, -16.2], [-3.4, -15.4], [-0.4, -12.4], [0.1, -8], [0.15, -2], [0.15, 2.3])
/** Draws the door going up and a car that drives in; the driver unloads and drives off. */
export function arrive(style: CarStyle) {
  return (s: Shot, t: number): void => {
    doorway(s, t, 0.8, 34)
    const L = inWay.length,
      d = t < 20 ? travel(t, 2, 12.6, L, 0.2, 5) : L - travel(t, 23.5, 33.6, L, 2.5, 0.2),
      w = inWay.at(d)
    if (t < 2 || t > 33.5) return
    car(s, style, {
      at: [w.p[0], w.p[1], 0.005],
      heading: w.heading,
      rolled: d,
      lights: t < 15 || t > 22.4,
      brake: t > 10 && t < 14,
    })
    if (t > 14.4 && t < 22.8) unload(s, t)
  }
}

const step = way([-0.3, 1.9], [-1.2, 2.1], [-1.75, 2.75]),
  returnWay = way([-1.75, 2.75], [-1.2, 2.1], [-0.3, 1.9])
function unload(s: Shot, t: number): void {
  const p = walkLegs(
      [
        { way: step, from: 14.4, to: 16.6 },
        { way: returnWay, from: 20.2, to: 22.6 },
      ],
      t,
    ),
    low = 0.95 * (1 - smooth(14.5, 15.6, t) * (1 - smooth(21.5, 22.6, t)))
  if (t > 16.4 && t < 19.2) p.heading = turnTo(step.at(9).heading, Math.PI, smooth(16.4, 17, t))
  const k = smooth(17, 17.8, t) * (1 - smooth(18.6, 19.2, t))
  someone(s, sam, { ...p, crouch: low, hands: [null, k > 0 ? reach(k, [0.26, 0.05, 0.88], [0.15, 0.5, 1.08]) : null] })
}

import type { CarStyle } from '../../kit/car-styles.ts'
import { drawCar } from '../../kit/car.ts'
import type { Shot } from '../../kit/shot.ts'

/**
 * Draws a car that passes from second `t0` on. Cars in the near lane drive toward +x, cars in the far lane toward -x.
 * `speed` in m/s.
 */
export function drawPassingCar(
  s: Shot,
  t: number,
  t0: number,
  style: CarStyle,
  isNearLane: boolean,
  speed = 8,
  kind = 'vehicle',
): void {
  const d = (t - t0) * speed
  if (d > 0 && d < 110)
    drawCar(
      s,
      style,
      {
        at: [isNearLane ? -30 + d : 70 - d, isNearLane ? 1.9 : 3.9, -0.12],
        heading: isNearLane ? 0 : Math.PI,
        rolled: d,
        lights: true,
      },
      kind,
    )
}

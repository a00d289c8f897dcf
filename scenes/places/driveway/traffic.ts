import { redHatch } from '../../kit/car-styles.ts'
import { drawCar } from '../../kit/car.ts'
import type { Shot } from '../../kit/shot.ts'

/** Draws a car that passes on the street: in the near lane toward +x, in the far lane toward -x. */
export function drawPassingCar(
  s: Shot,
  t: number,
  t0: number,
  style: typeof redHatch,
  isNearLane: boolean,
  kind = 'vehicle',
): void {
  const speed = 8.5,
    d = (t - t0) * speed
  if (d < 0 || d > 100) return
  drawCar(
    s,
    style,
    {
      at: [isNearLane ? -48 + d : 50 - d, isNearLane ? 19.2 : 22.8, -0.09],
      heading: isNearLane ? 0 : Math.PI,
      rolled: d,
      lights: true,
    },
    kind,
  )
}

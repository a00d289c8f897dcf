import type { CarStyle } from '../../kit/car-styles.ts'
import { car } from '../../kit/car.ts'
import type { Shot } from '../../kit/shot.ts'

/** Draws a car that passes in the near lane (+x) or the far one (-x). */
export function passing(
  s: Shot,
  t: number,
  t0: number,
  style: CarStyle,
  near: boolean,
  speed = 8,
  kind = 'vehicle',
): void {
  const d = (t - t0) * speed
  if (d > 0 && d < 110)
    car(
      s,
      style,
      { at: [near ? -30 + d : 70 - d, near ? 1.9 : 3.9, -0.12], heading: near ? 0 : Math.PI, rolled: d, lights: true },
      kind,
    )
}

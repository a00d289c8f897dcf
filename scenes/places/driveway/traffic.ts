import { redHatch } from '../../kit/car-styles.ts'
import { car } from '../../kit/car.ts'
import type { Shot } from '../../kit/shot.ts'

/** Draws a car that passes on the street, in the near (+x) or far (-x) lane. */
export function passing(s: Shot, t: number, t0: number, style: typeof redHatch, near: boolean, kind = 'vehicle'): void {
  const speed = 8.5,
    d = (t - t0) * speed
  if (d < 0 || d > 100) return
  car(
    s,
    style,
    { at: [near ? -48 + d : 50 - d, near ? 19.2 : 22.8, -0.09], heading: near ? 0 : Math.PI, rolled: d, lights: true },
    kind,
  )
}

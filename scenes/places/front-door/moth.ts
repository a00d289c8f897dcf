import type { Vec3 } from '../../kit/math.ts'
import { createMaterial, type Mesh } from '../../kit/mesh.ts'
import type { Shot } from '../../kit/shot.ts'

const WING = createMaterial(0.75, 0.66, 0.5, { nightGlow: 0.5 })
/** Flights of each 20 s, in seconds. The leaf falls between them. */
const FLIGHTS = [
  { from: 0.8, to: 6.6, side: -1 },
  { from: 12.6, to: 18.4, side: 1 },
]

function addWing(m: Mesh, at: Vec3, x: number, z: number): void {
  const id = m.getMaterialId(WING),
    v = m.addVertex(at[0], at[1], at[2] - 0.012, 0, -1, 0, id)
  m.addVertex(at[0] + x, at[1], at[2] + z, 0, -1, 0, id)
  m.addVertex(at[0] + x * 0.7, at[1], at[2] - 0.03, 0, -1, 0, id)
  m.addTriangle(v, v + 1, v + 2)
}

/** Draws a moth that comes out of the dark, flutters around the hanging lantern and leaves. It repeats every 20 s. */
export function drawMoth(s: Shot, t: number): void {
  const flight = FLIGHTS.find(({ from, to }) => t > from && t < to)
  if (!flight) return
  const u = (t - flight.from) / (flight.to - flight.from),
    /* Far from the lantern at both ends of the flight. */
    away = (2 * u - 1) ** 4,
    at: Vec3 = [
      0.1 + flight.side * (0.34 * Math.sin(t * 2.3) + 2.6 * away * Math.sign(u - 0.5)),
      2.2 + 0.22 * Math.cos(t * 2.9) + 0.8 * away,
      2.06 + 0.1 * Math.sin(t * 4.3) + 0.05 * Math.sin(t * 7.1),
    ],
    flap = Math.sin(t * 47)
  s.addActor('', (m) => {
    for (const k of [-1, 1]) addWing(m, at, k * 0.045 * (0.4 + 0.6 * Math.abs(flap)), 0.03 * flap)
  })
}

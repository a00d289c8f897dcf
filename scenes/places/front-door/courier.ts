import { courier, sam } from '../../kit/looks.ts'
import { smooth, type V3 } from '../../kit/math.ts'
import { carrying, someone, stoop, walkLegs } from '../../kit/moves.ts'
import { turnTo, way } from '../../kit/path.ts'
import { parcel } from '../../kit/props.ts'
import type { Shot } from '../../kit/shot.ts'
import { IN, ring } from './calling.ts'
import { floor } from './view.ts'

const DROP: V3 = [0.05, 1.88, 0.027]
const bring = way([-12, 10.4], [-3, 10.4], [-0.4, 10], [0.1, 8.8], [0.1, 4.2], [0.06, 3], [0.05, 2.36]),
  goRight = way([0.05, 2.36], [0.08, 3], [0.1, 4.2], [0.1, 8.7], [0.7, 10], [3, 10.4], [12, 10.4])
const fetch = way([1.9, 0.25], [1.25, 1.2], [0.95, 1.75], [0.53, 1.88]),
  takeIn = way([0.53, 1.88], [1.1, 1.35], [2, 0.25])
export function courierCalls(s: Shot, t: number): void {
  const down = stoop(t, 10.4),
    c = carrying(down)
  if (t > 0.5 && t < 21) {
    const p = walkLegs(
        [
          { way: bring, from: 0.6, to: 9 },
          { way: goRight, from: 13.6, to: 20.8, easeOut: 0.2 },
        ],
        t,
        floor,
      ),
      has = t < 10.5
    p.crouch = down
    p.hands = has
      ? c.hands
      : down > 0.02
        ? [
            [-0.2, 0.4, 1.08 - down * 0.82],
            [0.2, 0.4, 1.08 - down * 0.82],
          ]
        : ring(t, 12.4)
    someone(s, courier, p, 'person', has ? c.held : undefined)
  }
  if (t >= 10.5 && t < 28.6) parcel(s, DROP, IN)
  if (t > 23.5) samTakes(s, t)
}

function samTakes(s: Shot, t: number): void {
  if (t > 36) return
  const p = walkLegs(
      [
        { way: fetch, from: 23.7, to: 26.8, easeIn: 0.1 },
        { way: takeIn, from: 33, to: 35.6, easeOut: 0.1 },
      ],
      t,
      floor,
    ),
    down = stoop(t, 28.5),
    c = carrying(down),
    has = t > 28.6
  if (t > 29.5 && t < 33)
    p.heading =
      t < 32
        ? turnTo(fetch.at(99).heading, IN - 0.2, smooth(29.6, 30.6, t))
        : turnTo(IN - 0.2, takeIn.at(0).heading, smooth(32, 33, t))
  p.crouch = down
  p.nod = t > 30.6 && t < 31.8 ? -0.35 * Math.sin(((t - 30.6) / 1.2) * Math.PI) : 0
  p.hands = has
    ? c.hands
    : down > 0.02
      ? [
          [-0.2, 0.4, 1.08 - down * 0.82],
          [0.2, 0.4, 1.08 - down * 0.82],
        ]
      : undefined
  someone(s, sam, p, 'person', has ? c.held : undefined)
}

import { courier, neighbor } from '../../kit/looks.ts'
import type { V3 } from '../../kit/math.ts'
import { someone } from '../../kit/moves.ts'
import { stepping, travel, turnTo, way } from '../../kit/path.ts'
import { parcel } from '../../kit/props.ts'
import type { Shot } from '../../kit/shot.ts'

const DROP: V3 = [-1.25, 5.6, 0.012]
const bring = way([-30, 15.9], [-5, 15.9], [-2.4, 15.2], [-1.55, 12], [-1.3, 6.25]),
  away = way([-1.3, 6.25], [-1.2, 9], [-0.6, 13], [1.5, 15.6], [6, 15.95], [34, 15.9])
const fetch = way([-0.1, -0.6], [-0.9, 2.5], [-1.2, 4.95]),
  home = way([-1.2, 4.95], [-0.9, 2.6], [-0.2, -0.8])

/** Draws the courier, who arrives, bends down and leaves. */
function leaves(s: Shot, t: number): void {
  const down = Math.min(1, Math.max(0, (t - 12.4) / 0.9)) * (1 - Math.min(1, Math.max(0, (t - 13.5) / 0.9))),
    has = t < 13.35
  const w =
    t < 13.9
      ? bring.at(travel(t, 1, 12.2, bring.length - 12, 0.3, 0.9) + 12)
      : away.at(travel(t, 14.6, 24, away.length - 6, 0.8, 0.3))
  const turn = turnTo(-Math.PI / 2, Math.PI / 2, Math.min(1, Math.max(0, (t - 13.8) / 0.9)))
  const heading = t > 12 && t < 14.8 ? turn : w.heading,
    z = 1.08 - down * 0.82
  const step = Math.max(stepping(t, 0, 12.2), stepping(t, 14.4, 40), 0.35 * stepping(t, 13.7, 14.8, 0.3))
  someone(
    s,
    courier,
    {
      at: [w.p[0], w.p[1], 0.01],
      heading,
      walked:
        t < 13.5
          ? travel(t, 1, 12.2, bring.length - 12, 0.3, 0.9)
          : 1 + (t - 13.7) * 0.6 + travel(t, 14.6, 24, away.length - 6, 0.8, 0.3),
      stride: step,
      crouch: down,
      t,
      hands: has
        ? [
            [-0.2, 0.33 + down * 0.12, z],
            [0.2, 0.33 + down * 0.12, z],
          ]
        : down > 0
          ? [
              [-0.2, 0.4, z],
              [0.2, 0.4, z],
            ]
          : undefined,
      look: t > 15 ? 0.2 * Math.sin(t) : 0,
      nod: down * -0.3,
    },
    'person',
    has ? [0, 0.41 + down * 0.22, z - 0.1 - down * 0.16] : undefined,
  )
}

/** Draws the neighbor, who fetches the parcel. */
function takes(s: Shot, t: number): void {
  const down = Math.min(1, Math.max(0, (t - 29.2) / 0.9)) * (1 - Math.min(1, Math.max(0, (t - 30.2) / 0.9))),
    has = t >= 30.1,
    z = 1.08 - down * 0.82
  const w = t < 31 ? fetch.at(travel(t, 24.8, 29, fetch.length)) : home.at(travel(t, 31.8, 36.6, home.length, 0.8, 0.2))
  const heading =
    t > 28.8 && t < 31.9 ? turnTo(Math.PI / 2, Math.PI * 1.5, Math.min(1, Math.max(0, (t - 31) / 0.9))) : w.heading
  someone(
    s,
    neighbor,
    {
      at: [w.p[0], w.p[1], 0.01],
      heading,
      walked:
        t < 30 ? travel(t, 24.8, 29, fetch.length) : (t - 31) * 0.5 + travel(t, 31.8, 36.6, home.length, 0.8, 0.2),
      stride: Math.max(stepping(t, 24.6, 29), stepping(t, 31.6, 37), 0.3 * stepping(t, 30.9, 32, 0.3)),
      crouch: down,
      t,
      hands: has
        ? [
            [-0.2, 0.35 + down * 0.1, z],
            [0.2, 0.35 + down * 0.1, z],
          ]
        : down > 0
          ? [
              [-0.2, 0.4, z],
              [0.2, 0.4, z],
            ]
          : undefined,
      nod: -down * 0.3,
    },
    'person',
    has ? [0, 0.41 + down * 0.22, z - 0.1 - down * 0.16] : undefined,
  )
}

export function courierStory(s: Shot, t: number): void {
  if (t > 1 && t < 23) leaves(s, t)
  if (t >= 13.35 && t < 30.1) parcel(s, DROP, -Math.PI / 2)
  if (t > 24.5 && t < 37) takes(s, t)
}

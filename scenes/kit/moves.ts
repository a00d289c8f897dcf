import { chain, clamp, moved, smooth, type V3 } from './math.ts'
import { stepping, travel, turnTo, type Way } from './path.ts'
import type { Look, Pose } from './person-types.ts'
import { person } from './person.ts'
import { parcelAt } from './props.ts'
import type { Shot } from './shot.ts'

/** Draws a person with a contact shadow; `held` = local position of a parcel in the hands. */
export function someone(s: Shot, look: Look, p: Pose, kind = 'person', held?: V3): void {
  s.contact(p.at, 0.34, 0.3, p.heading, 0.5)
  s.actor(kind, (m) => {
    const root = person(m, look, p)
    if (held) parcelAt(m, chain(root, moved(held)))
  })
}

/** Part of a walk: a path between two times. */
export interface Leg {
  way: Way
  from: number
  to: number
  easeIn?: number
  easeOut?: number
}

/**
 * Returns the pose of a person who walks the legs in order, stands between them and turns on the spot. `floor` returns
 * the height of the ground.
 */
export function walkLegs(legs: Leg[], t: number, floor: (x: number, y: number) => number = () => 0.01): Pose {
  let i = 0
  while (i < legs.length - 1 && t >= legs[i + 1]!.from - 1) i++
  let walked = 0
  for (let k = 0; k < i; k++) walked += legs[k]!.way.length
  const L = legs[i]!,
    d = travel(t, L.from, L.to, L.way.length, L.easeIn ?? 0.5, L.easeOut ?? 0.6),
    w = L.way.at(d)
  let stride = stepping(t, L.from - 0.15, L.to, 0.45),
    heading = w.heading
  if (i > 0 && t < L.from) {
    const before = legs[i - 1]!.way,
      k = smooth(L.from - 1, L.from, t)
    heading = turnTo(before.at(before.length).heading, L.way.at(0).heading, k)
    stride = Math.max(stride, 0.3 * Math.sin(Math.PI * k))
    walked += k * 0.5
  } else if (i > 0) walked += 0.5
  return { at: [w.p[0], w.p[1], floor(w.p[0], w.p[1])], heading, walked: walked + d, stride, t }
}

/** Returns the bend of a person around time `at` in seconds: 0 upright .. 1 bent down. */
export const stoop = (t: number, at: number): number => smooth(at - 1, at, t) * (1 - smooth(at + 0.15, at + 1.15, t))

/** Returns positions of hands and parcel for carrying, lower while stooping. */
export function carrying(down: number): { hands: [V3, V3]; held: V3 } {
  const z = 1.08 - down * 0.82
  return {
    hands: [
      [-0.2, 0.34 + down * 0.12, z],
      [0.2, 0.34 + down * 0.12, z],
    ],
    held: [0, 0.41 + down * 0.22, Math.max(0.0, z - 0.1 - down * 0.16)],
  }
}

/** Moves a hand from `rest` to `to` by fraction `k`. */
export const reach = (k: number, rest: V3, to: V3): V3 =>
  [0, 1, 2].map((c) => rest[c]! + (to[c]! - rest[c]!) * clamp(k)) as V3

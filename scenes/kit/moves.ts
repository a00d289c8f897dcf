import { composeAll, clamp, translation, smoothstep, type Vec3 } from './math.ts'
import { getStride, getTravelDistance, blendHeading, type Path } from './path.ts'
import type { PersonLook, PersonPose } from './person-types.ts'
import { addPerson } from './person.ts'
import { addParcel } from './props.ts'
import type { Shot } from './shot.ts'

/**
 * Draws a person with a contact shadow. `parcelPosition`: local position of a parcel in the hands; undefined = no
 * parcel.
 */
export function drawPerson(s: Shot, look: PersonLook, p: PersonPose, kind = 'person', parcelPosition?: Vec3): void {
  s.addContactShadow(p.at, 0.34, 0.3, p.heading, 0.5)
  s.addActor(kind, (m) => {
    const root = addPerson(m, look, p)
    if (parcelPosition) addParcel(m, composeAll(root, translation(parcelPosition)))
  })
}

/** Part of a walk: a path, and the seconds at which the person starts and ends it. */
export interface WalkLeg {
  way: Path
  from: number
  to: number
  easeIn?: number
  easeOut?: number
}

/**
 * Returns the pose at second `t` of a person who walks the legs in order. Between two legs the person stands and turns
 * on the spot. `floor` returns the height of the ground.
 */
export function getWalkPose(
  legs: WalkLeg[],
  t: number,
  floor: (x: number, y: number) => number = () => 0.01,
): PersonPose {
  let i = 0
  while (i < legs.length - 1 && t >= legs[i + 1]!.from - 1) i++
  let walked = 0
  for (let k = 0; k < i; k++) walked += legs[k]!.way.length
  const L = legs[i]!,
    d = getTravelDistance(t, L.from, L.to, L.way.length, L.easeIn ?? 0.5, L.easeOut ?? 0.6),
    w = L.way.at(d)
  let stride = getStride(t, L.from - 0.15, L.to, 0.45),
    heading = w.heading
  if (i > 0 && t < L.from) {
    const before = legs[i - 1]!.way,
      k = smoothstep(L.from - 1, L.from, t)
    heading = blendHeading(before.at(before.length).heading, L.way.at(0).heading, k)
    stride = Math.max(stride, 0.3 * Math.sin(Math.PI * k))
    walked += k * 0.5
  } else if (i > 0) walked += 0.5
  return { at: [w.p[0], w.p[1], floor(w.p[0], w.p[1])], heading, walked: walked + d, stride, t }
}

/** Returns the bend (0 upright .. 1 bent down) of a person who bends down at second `at` and straightens up again. */
export const getStoop = (t: number, at: number): number =>
  smoothstep(at - 1, at, t) * (1 - smoothstep(at + 0.15, at + 1.15, t))

/** Returns the hand and parcel positions of a person who carries a parcel. `bend`: 0 upright .. 1 bent down. */
export function getCarryPose(bend: number): { hands: [Vec3, Vec3]; held: Vec3 } {
  const z = 1.08 - bend * 0.82
  return {
    hands: [
      [-0.2, 0.34 + bend * 0.12, z],
      [0.2, 0.34 + bend * 0.12, z],
    ],
    held: [0, 0.41 + bend * 0.22, Math.max(0.0, z - 0.1 - bend * 0.16)],
  }
}

/** Moves a hand from `rest` to `to` by fraction `k`. */
export const moveHand = (k: number, rest: Vec3, to: Vec3): Vec3 =>
  [0, 1, 2].map((c) => rest[c]! + (to[c]! - rest[c]!) * clamp(k)) as Vec3

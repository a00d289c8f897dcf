import { smoothstep, type Vec3 } from '../../kit/math.ts'
import { moveHand } from '../../kit/moves.ts'
import { createPath } from '../../kit/path.ts'

export const HEADING_TO_DOOR = -Math.PI / 2
export const approachPath = createPath(
    [-12, 10.4],
    [-3, 10.4],
    [-0.4, 10],
    [0.1, 8.8],
    [0.1, 4.2],
    [0.1, 2.6],
    [0.12, 1.78],
  ),
  enterPath = createPath([0.12, 1.78], [0.8, 1.15], [1.9, 0.25])
export const leaveLeftPath = createPath(
    [0.12, 1.78],
    [0.1, 2.8],
    [0.1, 4.2],
    [0.1, 8.7],
    [-0.5, 10],
    [-3, 10.4],
    [-12, 10.4],
  ),
  leaveRightPath = createPath([0.12, 1.78], [0.1, 2.8], [0.1, 4.2], [0.1, 8.7], [0.7, 10], [3, 10.4], [12, 10.4])
export const exitPath = createPath([1.9, 0.25], [0.9, 1.1], [0.2, 1.75])

const RESTING_HAND: Vec3 = [0.26, 0.05, 0.88]
/** Returns the hands of a person who waves with the right hand from second `a` to second `b`. */
export function getWavingHands(t: number, a: number, b: number): [null, Vec3 | null] {
  const k = smoothstep(a, a + 0.5, t) * (1 - smoothstep(b - 0.5, b, t))
  return [null, k > 0 ? moveHand(k, RESTING_HAND, [0.36 + 0.07 * Math.sin((t - a) * 9), 0.26, 1.55]) : null]
}
/** Returns the hands of a person who rings the doorbell with the right hand around second `at`. */
export function getRingingHands(t: number, at: number): [null, Vec3 | null] {
  const k = smoothstep(at - 0.7, at, t) * (1 - smoothstep(at + 0.5, at + 1.1, t))
  return [null, k > 0 ? moveHand(k, RESTING_HAND, [0.22, 0.55, 1.36]) : null]
}

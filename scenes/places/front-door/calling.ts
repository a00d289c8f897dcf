import { smooth, type V3 } from '../../kit/math.ts'
import { reach } from '../../kit/moves.ts'
import { way } from '../../kit/path.ts'

/** Heading toward the door. */
export const IN = -Math.PI / 2
export const come = way([-12, 10.4], [-3, 10.4], [-0.4, 10], [0.1, 8.8], [0.1, 4.2], [0.1, 2.6], [0.12, 1.78]),
  enter = way([0.12, 1.78], [0.8, 1.15], [1.9, 0.25])
export const leaveLeft = way([0.12, 1.78], [0.1, 2.8], [0.1, 4.2], [0.1, 8.7], [-0.5, 10], [-3, 10.4], [-12, 10.4]),
  leaveRight = way([0.12, 1.78], [0.1, 2.8], [0.1, 4.2], [0.1, 8.7], [0.7, 10], [3, 10.4], [12, 10.4])
/** Path out of the house. */
export const out = way([1.9, 0.25], [0.9, 1.1], [0.2, 1.75])

const REST: V3 = [0.26, 0.05, 0.88]
/** Returns a hand that rises and waves between two times. */
export function wave(t: number, a: number, b: number): [null, V3 | null] {
  const k = smooth(a, a + 0.5, t) * (1 - smooth(b - 0.5, b, t))
  return [null, k > 0 ? reach(k, REST, [0.36 + 0.07 * Math.sin((t - a) * 9), 0.26, 1.55]) : null]
}
/** Returns a hand that presses the bell around time `at`. */
export function ring(t: number, at: number): [null, V3 | null] {
  const k = smooth(at - 0.7, at, t) * (1 - smooth(at + 0.5, at + 1.1, t))
  return [null, k > 0 ? reach(k, REST, [0.22, 0.55, 1.36]) : null]
}

import { courierLook, samLook } from '../../kit/looks.ts'
import { smoothstep, type Vec3 } from '../../kit/math.ts'
import { getCarryPose, drawPerson, getStoop, getWalkPose } from '../../kit/moves.ts'
import { blendHeading, createPath } from '../../kit/path.ts'
import { drawParcel } from '../../kit/props.ts'
import type { Shot } from '../../kit/shot.ts'
import { HEADING_TO_DOOR, getRingingHands } from './calling.ts'
import { getFloorHeight } from './view.ts'

const PARCEL_POSITION: Vec3 = [0.05, 1.88, 0.027]
const deliveryPath = createPath([-12, 10.4], [-3, 10.4], [-0.4, 10], [0.1, 8.8], [0.1, 4.2], [0.06, 3], [0.05, 2.36]),
  leavePath = createPath([0.05, 2.36], [0.08, 3], [0.1, 4.2], [0.1, 8.7], [0.7, 10], [3, 10.4], [12, 10.4])
const fetchPath = createPath([1.9, 0.25], [1.25, 1.2], [0.95, 1.75], [0.53, 1.88]),
  returnPath = createPath([0.53, 1.88], [1.1, 1.35], [2, 0.25])
export function drawDelivery(s: Shot, t: number): void {
  const bend = getStoop(t, 10.4),
    c = getCarryPose(bend)
  if (t > 0.5 && t < 21) {
    const p = getWalkPose(
        [
          { way: deliveryPath, from: 0.6, to: 9 },
          { way: leavePath, from: 13.6, to: 20.8, easeOut: 0.2 },
        ],
        t,
        getFloorHeight,
      ),
      hasParcel = t < 10.5
    p.crouch = bend
    p.hands = hasParcel
      ? c.hands
      : bend > 0.02
        ? [
            [-0.2, 0.4, 1.08 - bend * 0.82],
            [0.2, 0.4, 1.08 - bend * 0.82],
          ]
        : getRingingHands(t, 12.4)
    drawPerson(s, courierLook, p, 'person', hasParcel ? c.held : undefined)
  }
  if (t >= 10.5 && t < 28.6) drawParcel(s, PARCEL_POSITION, HEADING_TO_DOOR)
  if (t > 23.5) drawSamTakingParcel(s, t)
}

function drawSamTakingParcel(s: Shot, t: number): void {
  if (t > 36) return
  const p = getWalkPose(
      [
        { way: fetchPath, from: 23.7, to: 26.8, easeIn: 0.1 },
        { way: returnPath, from: 33, to: 35.6, easeOut: 0.1 },
      ],
      t,
      getFloorHeight,
    ),
    bend = getStoop(t, 28.5),
    c = getCarryPose(bend),
    hasParcel = t > 28.6
  if (t > 29.5 && t < 33)
    p.heading =
      t < 32
        ? blendHeading(fetchPath.at(99).heading, HEADING_TO_DOOR - 0.2, smoothstep(29.6, 30.6, t))
        : blendHeading(HEADING_TO_DOOR - 0.2, returnPath.at(0).heading, smoothstep(32, 33, t))
  p.crouch = bend
  p.nod = t > 30.6 && t < 31.8 ? -0.35 * Math.sin(((t - 30.6) / 1.2) * Math.PI) : 0
  p.hands = hasParcel
    ? c.hands
    : bend > 0.02
      ? [
          [-0.2, 0.4, 1.08 - bend * 0.82],
          [0.2, 0.4, 1.08 - bend * 0.82],
        ]
      : undefined
  drawPerson(s, samLook, p, 'person', hasParcel ? c.held : undefined)
}

import { courierLook, neighborLook } from '../../kit/looks.ts'
import type { Vec3 } from '../../kit/math.ts'
import { drawPerson } from '../../kit/moves.ts'
import { getStride, getTravelDistance, blendHeading, createPath } from '../../kit/path.ts'
import { drawParcel } from '../../kit/props.ts'
import type { Shot } from '../../kit/shot.ts'

const PARCEL_POSITION: Vec3 = [-1.25, 5.6, 0.012]
const deliveryPath = createPath([-30, 15.9], [-5, 15.9], [-2.4, 15.2], [-1.55, 12], [-1.3, 6.25]),
  leavePath = createPath([-1.3, 6.25], [-1.2, 9], [-0.6, 13], [1.5, 15.6], [6, 15.95], [34, 15.9])
const fetchPath = createPath([-0.1, -0.6], [-0.9, 2.5], [-1.2, 4.95]),
  returnPath = createPath([-1.2, 4.95], [-0.9, 2.6], [-0.2, -0.8])

function drawCourier(s: Shot, t: number): void {
  const bend = Math.min(1, Math.max(0, (t - 12.4) / 0.9)) * (1 - Math.min(1, Math.max(0, (t - 13.5) / 0.9))),
    hasParcel = t < 13.35
  const w =
    t < 13.9
      ? deliveryPath.at(getTravelDistance(t, 1, 12.2, deliveryPath.length - 12, 0.3, 0.9) + 12)
      : leavePath.at(getTravelDistance(t, 14.6, 24, leavePath.length - 6, 0.8, 0.3))
  const turn = blendHeading(-Math.PI / 2, Math.PI / 2, Math.min(1, Math.max(0, (t - 13.8) / 0.9)))
  const heading = t > 12 && t < 14.8 ? turn : w.heading,
    z = 1.08 - bend * 0.82
  const step = Math.max(getStride(t, 0, 12.2), getStride(t, 14.4, 40), 0.35 * getStride(t, 13.7, 14.8, 0.3))
  drawPerson(
    s,
    courierLook,
    {
      at: [w.p[0], w.p[1], 0.01],
      heading,
      walked:
        t < 13.5
          ? getTravelDistance(t, 1, 12.2, deliveryPath.length - 12, 0.3, 0.9)
          : 1 + (t - 13.7) * 0.6 + getTravelDistance(t, 14.6, 24, leavePath.length - 6, 0.8, 0.3),
      stride: step,
      crouch: bend,
      t,
      hands: hasParcel
        ? [
            [-0.2, 0.33 + bend * 0.12, z],
            [0.2, 0.33 + bend * 0.12, z],
          ]
        : bend > 0
          ? [
              [-0.2, 0.4, z],
              [0.2, 0.4, z],
            ]
          : undefined,
      look: t > 15 ? 0.2 * Math.sin(t) : 0,
      nod: bend * -0.3,
    },
    'person',
    hasParcel ? [0, 0.41 + bend * 0.22, z - 0.1 - bend * 0.16] : undefined,
  )
}

function drawNeighbor(s: Shot, t: number): void {
  const bend = Math.min(1, Math.max(0, (t - 29.2) / 0.9)) * (1 - Math.min(1, Math.max(0, (t - 30.2) / 0.9))),
    hasParcel = t >= 30.1,
    z = 1.08 - bend * 0.82
  const w =
    t < 31
      ? fetchPath.at(getTravelDistance(t, 24.8, 29, fetchPath.length))
      : returnPath.at(getTravelDistance(t, 31.8, 36.6, returnPath.length, 0.8, 0.2))
  const heading =
    t > 28.8 && t < 31.9
      ? blendHeading(Math.PI / 2, Math.PI * 1.5, Math.min(1, Math.max(0, (t - 31) / 0.9)))
      : w.heading
  drawPerson(
    s,
    neighborLook,
    {
      at: [w.p[0], w.p[1], 0.01],
      heading,
      walked:
        t < 30
          ? getTravelDistance(t, 24.8, 29, fetchPath.length)
          : (t - 31) * 0.5 + getTravelDistance(t, 31.8, 36.6, returnPath.length, 0.8, 0.2),
      stride: Math.max(getStride(t, 24.6, 29), getStride(t, 31.6, 37), 0.3 * getStride(t, 30.9, 32, 0.3)),
      crouch: bend,
      t,
      hands: hasParcel
        ? [
            [-0.2, 0.35 + bend * 0.1, z],
            [0.2, 0.35 + bend * 0.1, z],
          ]
        : bend > 0
          ? [
              [-0.2, 0.4, z],
              [0.2, 0.4, z],
            ]
          : undefined,
      nod: -bend * 0.3,
    },
    'person',
    hasParcel ? [0, 0.41 + bend * 0.22, z - 0.1 - bend * 0.16] : undefined,
  )
}

export function drawDelivery(s: Shot, t: number): void {
  if (t > 1 && t < 23) drawCourier(s, t)
  if (t >= 13.35 && t < 30.1) drawParcel(s, PARCEL_POSITION, -Math.PI / 2)
  if (t > 24.5 && t < 37) drawNeighbor(s, t)
}

import type { simulatePlans } from '../../../contract/billing/payment-calls.ts'
import type { ResponseOf } from '../../../contract/wire/call.ts'

type Simulation = Pick<ResponseOf<typeof simulatePlans>['data'], 'cameras' | 'clips' | 'camera_clips'>

/** Row of the plan simulation for Camera AI with the chosen number of licenses. */
export interface SimulatedSelection {
  readonly sku: 'cam-ai'
  /** Cameras that the row counts as covered. */
  readonly cameras: number
  readonly is_own: false
  readonly kept: number
  readonly lost: number
  /** The server has not repeated the searches for this selection. */
  readonly found: undefined
  /** True if no camera has been chosen, so that the row counts the cameras with the most clips. */
  readonly isBusiest: boolean
}

/**
 * Simulates Camera AI for the chosen cameras. `covered`: ids of cameras that are covered already or were chosen.
 * Returns null for a quantity that covers all cameras, and if the server sent no counts per camera.
 */
export function simulateSelection(
  { cameras, clips, camera_clips }: Simulation,
  quantity: number,
  covered: readonly string[],
): SimulatedSelection | null {
  if (!(quantity >= 1 && quantity < cameras) || camera_clips.length < cameras) return null
  const gains = camera_clips.toSorted((a, b) => b.with_plan - b.without_plan - (a.with_plan - a.without_plan))
  const chosen = gains.filter(({ device_id }) => covered.includes(device_id))
  const counted = (chosen.length > 0 ? chosen : gains).slice(0, quantity)
  const keptClips = camera_clips.reduce(
    (sum, camera) => sum + (counted.includes(camera) ? camera.with_plan : camera.without_plan),
    0,
  )
  return {
    sku: 'cam-ai',
    cameras: counted.length,
    is_own: false,
    kept: keptClips,
    lost: clips - keptClips,
    found: undefined,
    isBusiest: chosen.length === 0,
  }
}

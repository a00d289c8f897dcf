import type { Env } from '../env.ts'
import type { HomePlans } from '../billing/plans/entitlements.ts'
import { createHomePlanStatements, NO_PLANS, toHomePlans } from '../billing/plans/plan-rows.ts'

export interface ServedHome {
  home_id: string
  demo: number
}

/** Key and rights of a bridge, as of the start of its request. */
export interface BridgeRights {
  /** SHA-256 of the bridge's key, hex. */
  readonly keyHash: string
  /** Returns the home of a camera; null if this bridge does not serve the camera. */
  findHomeOfCamera(deviceId: string): ServedHome | null
  /** Returns the plans of a home's owners. Only for requests that were read with plans. */
  getPlans(homeId: string): HomePlans
}

type CameraRow = ServedHome & { device_id: string }

const HOMES_SQL = 'SELECT home_id FROM bridge_homes WHERE bridge_id = ?1'
const CAMERAS_SQL = `SELECT device_id, home_id, demo FROM devices JOIN homes USING (home_id)
  JOIN bridge_homes USING (home_id, bridge_id) WHERE bridge_id = ?1`

/**
 * Reads from D1, in one round trip, what a request of a bridge may do; null for an unknown bridge. `withPlans`: also
 * reads the plans of its homes.
 */
export async function readBridgeRights(env: Env, bridgeId: string, withPlans: boolean): Promise<BridgeRights | null> {
  const results = await env.DB.batch<unknown>([
    env.DB.prepare('SELECT key_hash FROM bridges WHERE bridge_id = ?').bind(bridgeId),
    env.DB.prepare(CAMERAS_SQL).bind(bridgeId),
    ...(withPlans ? createHomePlanStatements(env.DB, HOMES_SQL, bridgeId) : []),
  ])
  const [keys = [], cameras = [], ...plans] = results.map((result) => result.results)
  const keyHash = (keys as { key_hash: string | null }[])[0]?.key_hash
  if (!keyHash) return null
  const homes = new Map((cameras as CameraRow[]).map(({ device_id, home_id, demo }) => [device_id, { home_id, demo }]))
  return {
    keyHash,
    findHomeOfCamera: (deviceId) => homes.get(deviceId) ?? null,
    getPlans: (homeId) => toHomePlans(env, homeId, plans) ?? NO_PLANS,
  }
}

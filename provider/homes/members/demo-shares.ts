import type { Env } from '../../env.ts'
import { homeStub } from './home-stub.ts'
import { grantShare, type HomeCamera } from './shares.ts'
import { SHARED_ROLE } from '../../../contract/auth/roles.ts'

/** Positions, as JSON, of the cameras that a demo home shares with demo accounts: the first two cameras of the home. */
const SHARED_CAMERA_POSITIONS_JSON = JSON.stringify([0, 1])

/**
 * Plans camera shares for a demo account, and grants the shares of cameras that are already registered. When a camera
 * is registered later, `grantDemoShares` grants its planned shares.
 */
export async function planDemoShares(env: Env, homeId: string, userId: string, now: number): Promise<void> {
  await env.DB.prepare(
    'INSERT OR IGNORE INTO demo_shares (home_id, user_id, position) SELECT ?1, ?2, value FROM json_each(?3)',
  )
    .bind(homeId, userId, SHARED_CAMERA_POSITIONS_JSON)
    .run()
  const cameras = await homeStub(env, homeId).cameraIds()
  for (const [position, device_id] of cameras.entries())
    await grantDemoShares(env, { home_id: homeId, device_id }, position, now)
}

/**
 * Grants the shares that are planned for a camera position. Grants each share only once, so that a revoked share stays
 * revoked.
 */
export async function grantDemoShares(env: Env, camera: HomeCamera, position: number, now: number): Promise<void> {
  const { results } = await env.DB.prepare(
    'DELETE FROM demo_shares WHERE home_id = ? AND position = ? RETURNING user_id',
  )
    .bind(camera.home_id, position)
    .all<{ user_id: string }>()
  for (const { user_id } of results) {
    await grantShare(env, camera, { userId: user_id, role: SHARED_ROLE }, now)
  }
}

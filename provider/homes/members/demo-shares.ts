import type { Env } from '../../env.ts'
import { homeStub } from './home-stub.ts'
import { grantShare, type HomeCamera } from './shares.ts'
import { SHARED } from '../../../contract/auth/roles.ts'

/** Positions of the cameras that are shared with demo accounts: the first two of a home. */
const PLACES = JSON.stringify([0, 1])

/** Plans shares for demo accounts, because the cameras of a demo home are registered later than its accounts. */
export async function planDemoShares(env: Env, homeId: string, userId: string, now: number): Promise<void> {
  await env.DB.prepare(
    'INSERT OR IGNORE INTO demo_shares (home_id, user_id, position) SELECT ?1, ?2, value FROM json_each(?3)',
  )
    .bind(homeId, userId, PLACES)
    .run()
  const cameras = await homeStub(env, homeId).cameraIds()
  for (const [position, device_id] of cameras.entries())
    await grantDemoShares(env, { home_id: homeId, device_id }, position, now)
}

/**
 * Grants the shares that are planned for a camera position. Each planned share is granted only once, so that a revoked
 * share stays revoked.
 */
export async function grantDemoShares(env: Env, camera: HomeCamera, position: number, now: number): Promise<void> {
  const { results } = await env.DB.prepare(
    'DELETE FROM demo_shares WHERE home_id = ? AND position = ? RETURNING user_id',
  )
    .bind(camera.home_id, position)
    .all<{ user_id: string }>()
  for (const { user_id } of results) {
    await grantShare(env, camera, { userId: user_id, role: SHARED }, now)
  }
}

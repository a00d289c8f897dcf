import { OWNER } from '../../contract/roles.ts'
import type { Env } from '../env.ts'

/** Cameras of the homes that the account owns, and that no licence of another account covers. */
export async function ownCameras(env: Env, userId: string): Promise<string[]> {
  const { results } = await env.DB.prepare(
    `SELECT device_id FROM devices JOIN home_members USING (home_id)
     WHERE user_id = ?1 AND role = ${OWNER} AND device_id NOT IN (
       SELECT device_id FROM bindings JOIN subscriptions USING (subscription_id) WHERE subscriptions.user_id <> ?1)`,
  )
    .bind(userId)
    .all<{ device_id: string }>()
  return results.map(({ device_id }) => device_id)
}

import { IS_OWNERS_LICENCE, ownCamerasOf } from '../access/own-cameras.ts'
import type { Env } from '../env.ts'

/** Cameras of the homes that the account owns, and that no licence of somebody else who owns them covers. */
export async function ownCameras(env: Env, userId: string): Promise<string[]> {
  const { results } = await env.DB.prepare(
    `${ownCamerasOf('?1')} AND device_id NOT IN (
       SELECT device_id FROM bindings JOIN subscriptions USING (subscription_id)
       WHERE subscriptions.user_id <> ?1 AND ${IS_OWNERS_LICENCE})`,
  )
    .bind(userId)
    .all<{ device_id: string }>()
  return results.map(({ device_id }) => device_id)
}

import { recordHomeActivity } from '../accounts/activity/record-activity.ts'
import { isLocalDeployment } from '../platform/local-deployment.ts'
import type { Env } from '../env.ts'

/**
 * Assigns the local bridge to a home without a bridge, in a local deployment only. Returns true if it did. Needs no
 * enrollment code, because the user is at the machine.
 */
export async function claimLocalBridge(env: Env, homeId: string, now: number): Promise<boolean> {
  if (!isLocalDeployment(env)) return false
  const bridge = await env.DB.prepare(
    `INSERT INTO bridge_homes (bridge_id, home_id, position, claimed)
     SELECT bridge_id, ?1, 1 + (SELECT coalesce(max(position), -1) FROM bridge_homes AS others WHERE others.bridge_id = bridges.bridge_id), 1
     FROM bridges WHERE machine = 1 AND revoked_at IS NULL ORDER BY created_at DESC LIMIT 1
     ON CONFLICT DO NOTHING RETURNING bridge_id`,
  )
    .bind(homeId)
    .first<string>('bridge_id')
  if (bridge === null) return false
  const name = await env.DB.prepare('SELECT name FROM bridges WHERE bridge_id = ?').bind(bridge).first<string>('name')
  recordHomeActivity(env, homeId, { kind: 'bridge-added', who: null, value: name ?? '' }, now)
  await env.BRIDGES.getByName(bridge).sendWelcome()
  return true
}

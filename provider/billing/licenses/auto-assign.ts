import { OWNER } from '../../../contract/auth/roles.ts'
import type { Env } from '../../env.ts'
import { ownCameras } from '../../homes/members/owned-cameras.ts'

/**
 * Assigns an unassigned license to a camera that is new in a home. The license comes from the first owner who has one.
 */
export async function assignFreeLicense(env: Env, homeId: string, deviceId: string, now: number): Promise<void> {
  await quietly('cover new', async () => {
    const { results } = await env.DB.prepare(`SELECT user_id FROM home_members WHERE home_id = ? AND role = ${OWNER}`)
      .bind(homeId)
      .all<{ user_id: string }>()
    for (const { user_id } of results) {
      const covered = await env.LEDGERS.getByName(user_id).coverNew(deviceId, await ownCameras(env, user_id), now)
      if (covered?.bound) return
    }
  })
}

/** Unassigns the license of a removed camera, whichever account the license belongs to. */
export async function releaseLicense(env: Env, deviceId: string, now: number): Promise<void> {
  await quietly('free licence', async () => {
    const held = await env.DB.prepare(
      'SELECT user_id FROM bindings JOIN subscriptions USING (subscription_id) WHERE device_id = ?',
    )
      .bind(deviceId)
      .first<{ user_id: string }>()
    if (held) await env.LEDGERS.getByName(held.user_id).releaseLicense(deviceId, now)
  })
}

/**
 * Logs and ignores errors: the camera is already added or removed, and an unreachable ledger is no reason to undo that.
 */
async function quietly(operation: string, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    const msg = error instanceof Error ? error.message : 'unknown'
    console.error(JSON.stringify({ at: 'cameras', what: operation, msg }))
  }
}

import { OWNER_ROLE } from '../../../contract/auth/roles.ts'
import type { Env } from '../../env.ts'
import { listAssignableCameras } from '../../homes/members/owned-cameras.ts'
import { getObject } from '../../platform/objects.ts'

/**
 * Assigns an unassigned license to a new camera of a home. The license comes from the first owner who has one and has
 * not turned automatic assignment off. Logs errors instead of throwing them.
 */
export async function assignFreeLicense(env: Env, homeId: string, deviceId: string, now: number): Promise<void> {
  await runAndLogErrors('cover new', async () => {
    const { results } = await env.DB.prepare(
      `SELECT user_id FROM home_members WHERE home_id = ? AND role = ${OWNER_ROLE}`,
    )
      .bind(homeId)
      .all<{ user_id: string }>()
    for (const { user_id } of results) {
      const result = await getObject(env, 'LEDGERS', user_id).assignLicenseToNewCamera(
        deviceId,
        await listAssignableCameras(env, user_id),
        now,
      )
      if (result?.bound) return
    }
  })
}

/** Unassigns the license of a removed camera, regardless of the account that owns the license. */
export async function releaseLicense(env: Env, deviceId: string, now: number): Promise<void> {
  await runAndLogErrors('free licence', async () => {
    const license = await env.DB.prepare(
      'SELECT user_id FROM bindings JOIN subscriptions USING (subscription_id) WHERE device_id = ?',
    )
      .bind(deviceId)
      .first<{ user_id: string }>()
    if (license) await getObject(env, 'LEDGERS', license.user_id).releaseLicense(deviceId, now)
  })
}

/**
 * Runs `work`; logs and ignores its errors. The camera is already added or removed, and a ledger failure must not undo
 * that.
 */
async function runAndLogErrors(operation: string, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    const msg = error instanceof Error ? error.message : 'unknown'
    console.error(JSON.stringify({ at: 'cameras', what: operation, msg }))
  }
}

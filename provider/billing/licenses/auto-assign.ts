import { OWNER } from '../../../contract/auth/roles.ts'
import type { Env } from '../../env.ts'
import { ownCameras } from '../../homes/members/owned-cameras.ts'

/** A camera that is new in a home takes a free licence of whoever owns that, the first who has one. */
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

/** The licence of a camera that is gone is free again, whoever it is of. */
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

/** The camera itself has come or gone already: a book that cannot be asked is no reason to take that back. */
async function quietly(operation: string, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    const msg = error instanceof Error ? error.message : 'unknown'
    console.error(JSON.stringify({ at: 'cameras', what: operation, msg }))
  }
}

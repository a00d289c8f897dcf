import { OWNER } from '../../../contract/auth/roles.ts'
import type { Env } from '../../env.ts'
import { notifyAccount } from '../../notifications/notify-account.ts'
import { homeStub } from './home-stub.ts'

interface Shared {
  readonly home_id: string
  readonly device_id: string
  readonly to: string
  /** User id of the account that shares the camera; null means the owner of the home. */
  readonly from: string | null
}

/**
 * Notifies an account that a camera is shared with it: at most once a day per camera, even if the share ends and starts
 * again. A failure is only logged and does not affect the share.
 */
export async function notifyShareRecipient(env: Env, shared: Shared, now: number): Promise<void> {
  try {
    await write(env, shared, now)
  } catch (error) {
    console.error(JSON.stringify({ at: 'messages', error: String(error) }))
  }
}

async function write(env: Env, { home_id, device_id, to, from }: Shared, now: number): Promise<void> {
  const [owner, names] = await Promise.all([findOwnerEmail(env, home_id, from), homeStub(env, home_id).cameraNames()])
  if (owner === null) return
  const camera = names.find((entry) => entry.device_id === device_id)?.nickname ?? ''
  const key = `${device_id} ${new Date(now).toISOString().slice(0, 10)}`
  await notifyAccount(env, { userId: to, kind: 'shared_camera', key, facts: { camera, owner, at: now }, at: now })
}

/**
 * Returns the email address of `from` if that account owns the home. If `from` is null, returns the address of the only
 * owner, or null if there are several.
 */
async function findOwnerEmail(env: Env, homeId: string, from: string | null): Promise<string | null> {
  const { results } = await env.DB.prepare(
    `SELECT user_id, email FROM home_members JOIN accounts USING (user_id) WHERE home_id = ? AND role = ${OWNER}`,
  )
    .bind(homeId)
    .all<{ user_id: string; email: string }>()
  const [only, ...others] = from === null ? results : results.filter(({ user_id }) => user_id === from)
  return only && others.length === 0 ? only.email : null
}

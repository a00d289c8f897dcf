import { OWNER_ROLE } from '../../../contract/auth/roles.ts'
import type { Env } from '../../env.ts'
import { notifyAccount } from '../../notifications/notify-account.ts'
import { homeStub } from './home-stub.ts'

interface ShareNotice {
  readonly home_id: string
  readonly device_id: string
  readonly to: string
  /** User id of the account that shares the camera; null means the owner of the home. */
  readonly from: string | null
}

/** Notifies an account of a shared camera, at most once a day per camera. Logs a failure without failing the share. */
export async function notifyShareRecipient(env: Env, shared: ShareNotice, now: number): Promise<void> {
  try {
    await sendNotification(env, shared, now)
  } catch (error) {
    console.error(JSON.stringify({ at: 'messages', error: String(error) }))
  }
}

async function sendNotification(env: Env, { home_id, device_id, to, from }: ShareNotice, now: number): Promise<void> {
  const [owner, name] = await Promise.all([findOwnerEmail(env, home_id, from), findCameraName(env, home_id, device_id)])
  if (owner === null) return
  const camera = name ?? ''
  const key = `${device_id} ${new Date(now).toISOString().slice(0, 10)}`
  await notifyAccount(env, { userId: to, kind: 'shared_camera', key, facts: { camera, owner, at: now }, at: now })
}

/** Returns the name of a camera; null if the home has no such camera. */
export async function findCameraName(env: Env, homeId: string, deviceId: string): Promise<string | null> {
  const names = await homeStub(env, homeId).cameraNames()
  return names.find((entry) => entry.device_id === deviceId)?.nickname ?? null
}

/**
 * Returns the email of account `from` if it owns the home. If `from` is null and the home has exactly one owner,
 * returns the email of the owner. Otherwise, returns null.
 */
export async function findOwnerEmail(env: Env, homeId: string, from: string | null): Promise<string | null> {
  const { results } = await env.DB.prepare(
    `SELECT user_id, email FROM home_members JOIN accounts USING (user_id) WHERE home_id = ? AND role = ${OWNER_ROLE}`,
  )
    .bind(homeId)
    .all<{ user_id: string; email: string }>()
  const [owner, ...others] = from === null ? results : results.filter(({ user_id }) => user_id === from)
  return owner && others.length === 0 ? owner.email : null
}

import { OWNER_ROLE } from '../../../contract/auth/roles.ts'
import type { Env } from '../../env.ts'
import { notifyAccount } from '../../notifications/notify-account.ts'
import { homeStub } from './home-stub.ts'

interface ShareNotice {
  readonly home_id: string
  readonly device_ids: readonly string[]
  readonly to: string
  /** User id of the account that shares the camera; null means the owner of the home. */
  readonly from: string | null
}

/**
 * Notifies an account of shared cameras, at most once a day per camera or list. Logs a failure without failing the
 * share.
 */
export async function notifyShareRecipient(env: Env, shared: ShareNotice, now: number): Promise<void> {
  try {
    await sendNotification(env, shared, now)
  } catch (error) {
    console.error(JSON.stringify({ at: 'messages', error: String(error) }))
  }
}

async function sendNotification(env: Env, { home_id, device_ids, to, from }: ShareNotice, now: number): Promise<void> {
  const [owner, names] = await Promise.all([
    findOwnerEmail(env, home_id, from),
    listCameraNames(env, home_id, device_ids),
  ])
  if (owner === null) return
  const [camera = '', ...others] = names
  const shared = device_ids.length === 1 ? device_ids[0] : `${home_id} ${device_ids.length}`
  const key = `${shared} ${new Date(now).toISOString().slice(0, 10)}`
  const facts = { camera, others, owner, at: now }
  await notifyAccount(env, { userId: to, kind: 'shared_camera', key, facts, at: now })
}

/** Returns the names of these cameras. Omits cameras that the home doesn't have. */
export async function listCameraNames(env: Env, homeId: string, deviceIds: readonly string[]): Promise<string[]> {
  const entries = await homeStub(env, homeId).cameraNames()
  const names = new Map(entries.map(({ device_id, nickname }) => [device_id, nickname]))
  return deviceIds.flatMap((id) => names.get(id) ?? [])
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

import type { InferOutput } from 'valibot'
import type { getShares, revokeShare, shareCamera } from '../../contract/owner.ts'
import type { Env } from '../env.ts'
import { malformed, Refusal } from '../base/refusal.ts'
import { accountByEmail } from './accounts.ts'
import { homeStub } from './home-stub.ts'
import { OWNER } from '../../contract/roles.ts'
import { ownPlace, placesOf } from './places.ts'
import { seenHomes } from './lookup.ts'

/** Addresses that an owner may try, so that nobody asks through a list of them. */
const SHARE_LIMIT = { count: 30, windowMs: 3_600_000 } as const

/** A camera and its home. */
export interface Camera {
  home_id: string
  device_id: string
}

/** Lets the account see the camera, and its open pages hear of it. */
export async function grantShare(
  env: Env,
  { home_id, device_id }: Camera,
  to: { userId: string; role: number },
  now: number,
): Promise<void> {
  // Before the share counts: a home that is now seen too may come first, yet the open pages are where they were.
  const feedHome = (await seenHomes(env, to.userId))[0]?.home_id ?? home_id
  await env.DB.prepare(
    `INSERT INTO shares (device_id, user_id, home_id, role, created_at) VALUES (?1, ?2, ?3, ?4, ?5)
     ON CONFLICT DO UPDATE SET home_id = ?3, role = ?4`,
  )
    .bind(device_id, to.userId, home_id, to.role, now)
    .run()
  await homeStub(env, home_id).share(device_id, to.userId, to.role, feedHome === home_id ? null : feedHome)
}

/** Shares a camera of the account. 404 for an address without an account. */
export async function share(
  env: Env,
  userId: string,
  asked: InferOutput<typeof shareCamera.request>,
  now: number,
): Promise<Record<string, never>> {
  const place = await ownPlace(env, userId, asked.device_id)
  const { count, windowMs } = SHARE_LIMIT
  const waitMs = await env.GUARDS.getByName(userId).attempt('share', count, windowMs, now)
  if (waitMs > 0) throw new Refusal(429, 429, undefined, { 'Retry-After': String(Math.ceil(waitMs / 1000)) })
  const other = await accountByEmail(env.DB, asked.email)
  if (other === null) throw new Refusal(404, 404, 'There is no account with this address.')
  const [theirs] = await placesOf(env, other.userId, [asked.device_id])
  if (theirs?.role !== null && theirs?.role !== undefined && !(await isShared(env, asked.device_id, other.userId)))
    throw malformed('This account sees the camera already.')
  await grantShare(env, place, { userId: other.userId, role: asked.role }, now)
  return {}
}

async function isShared(env: Env, deviceId: string, userId: string): Promise<boolean> {
  const row = await env.DB.prepare('SELECT 1 AS one FROM shares WHERE device_id = ? AND user_id = ?')
    .bind(deviceId, userId)
    .first()
  return row !== null
}

/** Who sees cameras of the homes that the account owns. */
export async function listShares(env: Env, userId: string) {
  const { results } = await env.DB.prepare(
    `SELECT shares.device_id, email, shares.role, shares.created_at FROM shares
     JOIN accounts USING (user_id) JOIN devices USING (device_id, home_id)
     JOIN home_members ON home_members.home_id = shares.home_id AND home_members.user_id = ? AND home_members.role = ${OWNER}
     ORDER BY shares.created_at, shares.device_id, email`,
  )
    .bind(userId)
    .all<InferOutput<typeof getShares.response>['data']['shares'][number]>()
  return { shares: results }
}

/** Ends a share; what the account has open of it closes. 404 when there is none. */
export async function unshare(
  env: Env,
  userId: string,
  asked: InferOutput<typeof revokeShare.request>,
  now: number,
): Promise<Record<string, never>> {
  const place = await ownPlace(env, userId, asked.device_id)
  const ended = await env.DB.prepare(
    `DELETE FROM shares WHERE device_id = ? AND user_id = (SELECT user_id FROM accounts WHERE email = ?)
     RETURNING user_id`,
  )
    .bind(asked.device_id, asked.email)
    .first<string>('user_id')
  if (ended === null) throw new Refusal(404, 404, 'The camera is not shared with this address.')
  await Promise.all([
    homeStub(env, place.home_id).unshare(asked.device_id, ended),
    env.CAMERAS.getByName(asked.device_id).cutOff(ended, now),
  ])
  return {}
}

import type { InferOutput } from 'valibot'
import type { getShares, revokeShare, shareCamera } from '../../../contract/cameras/owner-calls.ts'
import type { Env } from '../../env.ts'
import { badRequest, ApiError, tooManyRequests } from '../../platform/api-error.ts'
import { findAccountByEmail, canonicalizeEmail } from '../../accounts/account-rows.ts'
import { deleteInvitationLinks } from '../../accounts/invitations/invitation-links.ts'
import { getInvitationDelivery } from '../../accounts/invitations/sign-up-policy.ts'
import { homeStub } from './home-stub.ts'
import { createHandoverLink, emailInvitation, type HandoverLink } from './invite-guest.ts'
import { OWNER_ROLE } from '../../../contract/auth/roles.ts'
import { requireCameraOwner, listCameraAccess } from './camera-access.ts'
import { listVisibleHomes } from './memberships.ts'
import { notifyShareRecipient } from './notify-share.ts'
import { HOUR_MS } from '../../../contract/time-units.ts'

/** Rate limit of email addresses that an owner may try, so that owners cannot find out which accounts exist. */
const SHARE_RATE_LIMIT = { count: 30, windowMs: HOUR_MS } as const

export interface HomeCamera {
  home_id: string
  device_id: string
}

/** Home and recipient of a share. `whom`: user id of the recipient, or its email address if it has no account. */
interface ShareResult {
  home_id: string
  whom: string
}

/** `invitation`: link that the owner hands over; null if the provider sends an email, or if there is no sign-up. */
interface NewShareResult extends ShareResult {
  invitation: HandoverLink | null
}

/** Grants the share and notifies the account's open pages. */
export async function grantShare(
  env: Env,
  { home_id, device_id }: HomeCamera,
  to: { userId: string; role: number },
  now: number,
): Promise<void> {
  // Read the feed home before storing the share. The new share can change which home is first, but open pages keep
  // their feed.
  const feedHome = (await listVisibleHomes(env, to.userId))[0]?.home_id ?? home_id
  await env.DB.prepare(
    `INSERT INTO shares (device_id, user_id, home_id, role, created_at) VALUES (?1, ?2, ?3, ?4, ?5)
     ON CONFLICT DO UPDATE SET home_id = ?3, role = ?4`,
  )
    .bind(device_id, to.userId, home_id, to.role, now)
    .run()
  await homeStub(env, home_id).share(device_id, to.userId, to.role, feedHome === home_id ? null : feedHome)
}

/**
 * Shares a camera of the account. If no account has the email address, stores an invitation (see `acceptInvitations`).
 * The response of the call is the same in both cases.
 */
export async function createCameraShare(
  env: Env,
  userId: string,
  input: InferOutput<typeof shareCamera.request>,
  now: number,
): Promise<NewShareResult> {
  const access = await requireCameraOwner(env, userId, input.device_id)
  const { count, windowMs } = SHARE_RATE_LIMIT
  const waitMs = await env.GUARDS.getByName(userId).countAttempt('share', count, windowMs, now)
  if (waitMs > 0) throw tooManyRequests(waitMs)
  const source = { fromUser: userId, deviceId: access.device_id, homeId: access.home_id }
  const createResult = async (recipient: string) => ({
    home_id: access.home_id,
    whom: recipient,
    invitation: await createHandoverLink(env, input.email, source, now),
  })
  const recipient = await findAccountByEmail(env.DB, input.email)
  if (recipient === null) {
    if (await storeInvitation(env, access, input, now)) await emailInvitation(env, input.email, source, now)
    return createResult(canonicalizeEmail(input.email))
  }
  const [existingAccess] = await listCameraAccess(env, recipient.userId, [input.device_id])
  const isRepeated = await isShared(env, input.device_id, recipient.userId)
  if (existingAccess && !isRepeated) throw badRequest('This account already has access to the camera.')
  await grantShare(env, access, { userId: recipient.userId, role: input.role }, now)
  if (!isRepeated)
    await notifyShareRecipient(
      env,
      { home_id: access.home_id, device_id: access.device_id, to: recipient.userId, from: userId },
      now,
    )
  // Delete an invitation that was stored while the account with this address was being created.
  await deleteInvitation(env, input, input.email)
  return createResult(recipient.userId)
}

async function isShared(env: Env, deviceId: string, userId: string): Promise<boolean> {
  const row = await env.DB.prepare('SELECT 1 AS one FROM shares WHERE device_id = ? AND user_id = ?')
    .bind(deviceId, userId)
    .first()
  return row !== null
}

/** Stores an invitation. Returns true if the camera was not shared with this address before. */
async function storeInvitation(
  env: Env,
  camera: HomeCamera,
  invitation: { email: string; role: number },
  now: number,
): Promise<boolean> {
  const isNew = await env.DB.prepare(
    `INSERT INTO invitations (device_id, email, home_id, role, created_at) VALUES (?1, ?2, ?3, ?4, ?5)
     ON CONFLICT DO UPDATE SET home_id = ?3, role = ?4 RETURNING created_at = ?5 AS isNew`,
  )
    .bind(camera.device_id, canonicalizeEmail(invitation.email), camera.home_id, invitation.role, now)
    .first<number>('isNew')
  return isNew === 1
}

/**
 * Turns the invitations of an email address into shares of its new account. After an interruption, the remaining
 * invitations stay stored.
 */
export async function acceptInvitations(env: Env, userId: string, email: string, now: number): Promise<void> {
  const { results } = await env.DB.prepare('SELECT device_id, home_id, role FROM invitations WHERE email = ?')
    .bind(canonicalizeEmail(email))
    .all<HomeCamera & { role: number }>()
  for (const { role, ...camera } of results) {
    await grantShare(env, camera, { userId, role }, now)
    await deleteInvitation(env, camera, email)
    await notifyShareRecipient(env, { ...camera, to: userId, from: null }, now)
  }
}

async function deleteInvitation(
  env: Env,
  { device_id }: Pick<HomeCamera, 'device_id'>,
  email: string,
): Promise<boolean> {
  const { meta } = await env.DB.prepare('DELETE FROM invitations WHERE device_id = ? AND email = ?')
    .bind(device_id, canonicalizeEmail(email))
    .run()
  return meta.changes > 0
}

/** Lists the shares and the invitations for cameras in homes that the account owns, oldest first. */
export async function listShares(env: Env, userId: string): Promise<InferOutput<typeof getShares.response>['data']> {
  const { results } = await env.DB.prepare(
    `SELECT device_id, email, given.role, given.created_at FROM (
       SELECT device_id, home_id, email, shares.role, shares.created_at FROM shares JOIN accounts USING (user_id)
       UNION ALL SELECT device_id, home_id, email, role, created_at FROM invitations
     ) AS given JOIN devices USING (device_id, home_id)
     JOIN home_members ON home_members.home_id = given.home_id AND home_members.user_id = ? AND home_members.role = ${OWNER_ROLE}
     ORDER BY given.created_at, device_id, email`,
  )
    .bind(userId)
    .all<InferOutput<typeof getShares.response>['data']['shares'][number]>()
  return { shares: results, invites: getInvitationDelivery(env) }
}

/**
 * Ends a share and disconnects its recipient from the camera, or deletes an invitation. Throws 404 if there is neither
 * a share nor an invitation.
 */
export async function deleteCameraShare(
  env: Env,
  userId: string,
  input: InferOutput<typeof revokeShare.request>,
  now: number,
): Promise<ShareResult> {
  const access = await requireCameraOwner(env, userId, input.device_id)
  const email = canonicalizeEmail(input.email)
  const wasInvited = await deleteInvitation(env, input, email)
  await deleteInvitationLinks(env.DB, input.device_id, email)
  const removedUserId = await env.DB.prepare(
    `DELETE FROM shares WHERE device_id = ? AND user_id = (SELECT user_id FROM accounts WHERE email = ?)
     RETURNING user_id`,
  )
    .bind(input.device_id, email)
    .first<string>('user_id')
  if (removedUserId === null && wasInvited) return { home_id: access.home_id, whom: email }
  if (removedUserId === null) throw new ApiError(404, 404, 'The camera isn’t shared with this email.')
  /* Notify open pages before the video streams end, so that no page requests the camera again. */
  await homeStub(env, access.home_id).unshare(input.device_id, removedUserId)
  await env.CAMERAS.getByName(input.device_id).revokeAccess(removedUserId, now)
  return { home_id: access.home_id, whom: removedUserId }
}

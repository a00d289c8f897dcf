import type { InferOutput } from 'valibot'
import type { getShares, revokeShare, shareCamera } from '../../../contract/cameras/owner-calls.ts'
import type { Env } from '../../env.ts'
import { badRequest, ApiError, tooManyRequests } from '../../platform/api-error.ts'
import { changeAccess } from '../../platform/auth/change-access.ts'
import { findAccountByEmail, canonicalizeEmail } from '../../accounts/account-rows.ts'
import { deleteInvitationLinks, type InvitationSource } from '../../accounts/invitations/invitation-links.ts'
import { getInvitationDelivery } from '../../accounts/invitations/sign-up-policy.ts'
import { homeStub } from './home-stub.ts'
import { createHandoverLink, emailInvitation, type HandoverLink } from './invite-guest.ts'
import { OWNER_ROLE } from '../../../contract/auth/roles.ts'
import { requireCameraOwner, listCameraAccess } from './camera-access.ts'
import { readAccountAccess, type AccountAccess } from './account-access.ts'
import { notifyShareRecipient } from './notify-share.ts'
import { HOUR_MS } from '../../../contract/time-units.ts'
import { getObject } from '../../platform/objects.ts'

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

/**
 * `invitation`: link that the owner hands over; null if the provider sends an email, or if there is no sign-up.
 * `deviceIds`: the camera of the request, and other cameras that were not shared before.
 */
interface NewShareResult extends ShareResult {
  invitation: HandoverLink | null
  deviceIds: string[]
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
  const feedHome = (await readAccountAccess(env, to.userId)).homes[0]?.home_id ?? home_id
  const statement = env.DB.prepare(
    `INSERT INTO shares (device_id, user_id, home_id, role, created_at) VALUES (?1, ?2, ?3, ?4, ?5)
     ON CONFLICT DO UPDATE SET home_id = ?3, role = ?4`,
  ).bind(device_id, to.userId, home_id, to.role, now)
  await changeAccess(env, [to.userId], () => statement.run())
  await homeStub(env, home_id).share(device_id, to.userId, to.role, feedHome === home_id ? null : feedHome)
}

type ShareRequest = InferOutput<typeof shareCamera.request>

/**
 * Shares a camera of the account, or all cameras of its home. If no account has the email address, stores invitations
 * (see `acceptInvitations`). The response of the call is the same in both cases.
 */
export async function createCameraShare(
  env: Env,
  access: AccountAccess,
  input: ShareRequest,
  now: number,
): Promise<NewShareResult> {
  const { userId } = access
  const { device_id, home_id } = requireCameraOwner(access, input.device_id)
  const { count, windowMs } = SHARE_RATE_LIMIT
  const waitMs = await getObject(env, 'GUARDS', userId).countAttempt('share', count, windowMs, now)
  if (waitMs > 0) throw tooManyRequests(waitMs)
  const deviceIds = input.all_cameras ? await homeStub(env, home_id).cameraIds() : [device_id]
  const source = { fromUser: userId, deviceId: device_id, homeId: home_id }
  const recipient = await findAccountByEmail(env.DB, input.email)
  const newIds =
    recipient === null
      ? await inviteToCameras(env, deviceIds, input, source, now)
      : await shareWithAccount(env, deviceIds, { userId: recipient.userId, input }, source, now)
  return {
    home_id,
    whom: recipient?.userId ?? canonicalizeEmail(input.email),
    invitation: await createHandoverLink(env, input.email, source, now),
    deviceIds: [...new Set([device_id, ...newIds])],
  }
}

/** Stores invitations, and sends one email if any is new. Returns the cameras that were not shared before. */
async function inviteToCameras(
  env: Env,
  deviceIds: readonly string[],
  { email, role }: ShareRequest,
  source: InvitationSource,
  now: number,
): Promise<string[]> {
  const { results } = await env.DB.prepare(
    `INSERT INTO invitations (device_id, email, home_id, role, created_at)
     SELECT value, ?2, ?3, ?4, ?5 FROM json_each(?1) WHERE true
     ON CONFLICT DO UPDATE SET home_id = ?3, role = ?4 RETURNING device_id, created_at = ?5 AS is_new`,
  )
    .bind(JSON.stringify(deviceIds), canonicalizeEmail(email), source.homeId, role, now)
    .all<{ device_id: string; is_new: 0 | 1 }>()
  const newIds = results.filter(({ is_new }) => is_new === 1).map(({ device_id }) => device_id)
  if (newIds.length > 0) await emailInvitation(env, { email, deviceIds }, source, now)
  return newIds
}

/**
 * Grants shares, and notifies the account once if any is new. Grants existing shares again, in case an earlier call
 * failed before it reached the home. Returns the cameras that were not shared before.
 */
async function shareWithAccount(
  env: Env,
  deviceIds: readonly string[],
  { userId, input }: { userId: string; input: ShareRequest },
  { homeId, fromUser }: InvitationSource,
  now: number,
): Promise<string[]> {
  const accessRows = listCameraAccess(await readAccountAccess(env, userId), deviceIds)
  const sharedIds = await listSharedIds(env, userId, deviceIds)
  if (accessRows.some(({ device_id }) => !sharedIds.includes(device_id)))
    throw badRequest(
      `This person already has access to ${deviceIds.length > 1 ? 'at least one of the cameras' : 'the camera'}.`,
    )
  for (const device_id of deviceIds)
    await grantShare(env, { home_id: homeId, device_id }, { userId, role: input.role }, now)
  const newIds = deviceIds.filter((id) => !sharedIds.includes(id))
  if (newIds.length > 0)
    await notifyShareRecipient(env, { home_id: homeId, device_ids: deviceIds, to: userId, from: fromUser }, now)
  // Delete invitations that were stored while the account with this address was being created.
  for (const device_id of deviceIds) await deleteInvitation(env, { device_id }, input.email)
  return newIds
}

async function listSharedIds(env: Env, userId: string, deviceIds: readonly string[]): Promise<string[]> {
  const { results } = await env.DB.prepare(
    'SELECT device_id FROM shares WHERE user_id = ? AND device_id IN (SELECT value FROM json_each(?))',
  )
    .bind(userId, JSON.stringify(deviceIds))
    .all<{ device_id: string }>()
  return results.map(({ device_id }) => device_id)
}

/**
 * Turns the invitations of an email address into shares of its new account. After an interruption, the remaining
 * invitations stay stored.
 */
export async function acceptInvitations(env: Env, userId: string, email: string, now: number): Promise<void> {
  const { results } = await env.DB.prepare(
    'SELECT device_id, home_id, role FROM invitations WHERE email = ? ORDER BY created_at, device_id',
  )
    .bind(canonicalizeEmail(email))
    .all<HomeCamera & { role: number }>()
  for (const { role, ...camera } of results) {
    await grantShare(env, camera, { userId, role }, now)
    await deleteInvitation(env, camera, email)
  }
  for (const [home_id, cameras] of Map.groupBy(results, (camera) => camera.home_id)) {
    const device_ids = cameras.map(({ device_id }) => device_id)
    await notifyShareRecipient(env, { home_id, device_ids, to: userId, from: null }, now)
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
  access: AccountAccess,
  input: InferOutput<typeof revokeShare.request>,
): Promise<ShareResult> {
  const { home_id } = requireCameraOwner(access, input.device_id)
  const email = canonicalizeEmail(input.email)
  const wasInvited = await deleteInvitation(env, input, email)
  await deleteInvitationLinks(env.DB, input.device_id, email)
  const statement = env.DB.prepare(
    `DELETE FROM shares WHERE device_id = ? AND user_id = (SELECT user_id FROM accounts WHERE email = ?)
     RETURNING user_id`,
  ).bind(input.device_id, email)
  const guest = env.DB.prepare('SELECT user_id FROM accounts WHERE email = ?').bind(email)
  const removedUserId = await changeAccess(env, guest, () => statement.first<string>('user_id'))
  if (removedUserId === null && wasInvited) return { home_id, whom: email }
  if (removedUserId === null) throw new ApiError(404, 404, 'This camera isn’t shared with that email address.')
  /* Notify open pages before the video streams end, so that no page requests the camera again. */
  await homeStub(env, home_id).unshare(input.device_id, removedUserId)
  await getObject(env, 'CAMERAS', input.device_id).revokeAccess(removedUserId, Date.now())
  return { home_id, whom: removedUserId }
}
